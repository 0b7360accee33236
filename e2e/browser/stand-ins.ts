/**
 * A fake docker and a fake nginx on the PATH of the test's sshd. Their output comes in two parts, in colours, or as
 * 100,000 lines. The commands that call them are the real ones.
 */
import { execFileSync } from 'node:child_process';
import { chmodSync, closeSync, constants, mkdtempSync, openSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const docker = String.raw`#!/bin/sh
here=$(dirname "$0")
case "$1 $2" in
  'version --format') echo 27.3.1 ;;
  'ps --quiet') echo 4f1c ;;
  'ps --all') case "$*" in
      *--quiet*) echo 4f1c ;;
      *) printf 'NAMES     IMAGE      STATUS      PORTS\nshop      shop:1.4   Up 3 days   127.0.0.1:8080->80/tcp\n' ;;
    esac ;;
  'stats --no-stream') printf 'NAME  CPU %%\n\033[32mshop\033[0m  0.12%%\n<b>not markup</b>\n' ;;
  'images --format') seq -f 'image-%.0f' 1 100000 ;;
  'images --quiet') echo 9b2d ;;
  'system df') echo 'TYPE TOTAL' ;;
  'system prune')
    echo 'Deleted Images:'
    until [ -e "$here/go" ]; do sleep 0.02; done
    echo 'Total reclaimed space: 212MB'
    ;;
  *) echo "docker: unknown command: $*" >&2; exit 125 ;;
esac
`;

/**
 * Once started, a process called nginx runs until the stand-ins are removed. It waits for a writer of the pipe, because
 * a loop with `sleep` started five processes a second.
 */
const nginx = String.raw`#!/bin/sh
case "$1" in
  -t) echo 'nginx: configuration file /etc/nginx/nginx.conf test is successful' >&2 ;;
  -v) echo 'nginx version: nginx/1.22.1' >&2 ;;
  -s) ;;
  *) (read -r _ <"$0.running") >/dev/null 2>&1 & ;;
esac
`;

/** Replaces `service`, so that tests do not run init scripts of this machine. */
const service = `#!/bin/sh
exec "$(dirname "$0")/nginx"
`;
const systemctl = `#!/bin/sh
exit 1
`;

export interface StandIns {
  path: string;
  /** Lets a held `docker system prune` finish. */
  letPruneEnd(): void;
  holdPrune(): void;
  remove(): void;
}

export const makeStandIns = (): StandIns => {
  const folder = mkdtempSync(join(tmpdir(), 'stand-ins-'));
  // The SSH user may be another user than the one running the tests.
  chmodSync(folder, 0o755);
  for (const [name, text] of Object.entries({ docker, nginx, service, systemctl }))
    writeFileSync(join(folder, name), text, { mode: 0o755 });
  const go = join(folder, 'go');
  const running = join(folder, 'nginx.running');
  execFileSync('mkfifo', [running]);
  const endNginx = (): void => {
    try {
      closeSync(openSync(running, constants.O_WRONLY | constants.O_NONBLOCK));
    } catch {
      // No nginx is running, so the pipe has no reader.
    }
  };
  return {
    path: `${folder}:/usr/bin:/bin`,
    letPruneEnd: () => writeFileSync(go, ''),
    holdPrune: () => rmSync(go, { force: true }),
    remove: () => {
      endNginx();
      rmSync(folder, { recursive: true, force: true });
    },
  };
};
