/**
 * A docker and an nginx that do as they are told, on the PATH of the test's sshd: output that comes in two parts, in
 * colours, as a hundred thousand lines. The commands that call them are the real ones.
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
 * Running, it is a process called nginx until the stand-ins are removed. It waits for a writer of the pipe: a loop with
 * `sleep` in it started five processes a second.
 */
const nginx = String.raw`#!/bin/sh
case "$1" in
  -t) echo 'nginx: configuration file /etc/nginx/nginx.conf test is successful' >&2 ;;
  -v) echo 'nginx version: nginx/1.22.1' >&2 ;;
  -s) ;;
  *) (read -r _ <"$0.running") >/dev/null 2>&1 & ;;
esac
`;

/** Init scripts of this machine must not be started by a test. */
const service = `#!/bin/sh
exec "$(dirname "$0")/nginx"
`;
const systemctl = `#!/bin/sh
exit 1
`;

export interface StandIns {
  path: string;
  /** Lets the prune that waits come to its end. */
  letPruneEnd(): void;
  holdPrune(): void;
  remove(): void;
}

export const makeStandIns = (): StandIns => {
  const folder = mkdtempSync(join(tmpdir(), 'stand-ins-'));
  // Whoever signs in over SSH may be somebody else.
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
      // None runs: nobody reads the pipe.
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
