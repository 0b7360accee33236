import { chmodSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * A fake docker client. The file `mode` sets the state of its daemon: `up`, `empty`, `down`, `frozen` or `denied`
 * (works only through sudo). Its messages are those of docker 20 to 28.
 */
const docker = String.raw`#!/bin/sh
here=$(dirname "$0")
mode=$(cat "$here/mode")
printf '%s\n' "$*" >> "$here/docker.calls"
case $mode in
  down)
    echo 'Cannot connect to the Docker daemon at unix:///var/run/docker.sock. Is the docker daemon running?' >&2
    exit 1
    ;;
  frozen) [ "$1" != version ] || exec sleep 1000 ;;
  denied)
    if [ "$THROUGH_SUDO" != 1 ]; then
      echo 'permission denied while trying to connect to the Docker daemon socket at unix:///var/run/docker.sock' >&2
      exit 1
    fi
    ;;
esac
case "$1 $2" in
  'version '*) echo 20.10.24 ;;
  'ps --quiet' | 'ps --all') [ "$mode" = empty ] || case "$*" in
      *--quiet*) echo 4f1c ;;
      *) printf 'NAMES\tIMAGE\tSTATUS\tPORTS\nshop\tshop:1.4\tUp 3 days\t127.0.0.1:8080->80/tcp\n' ;;
    esac ;;
  'stats --no-stream') printf 'NAME\tCPU %%\tMEM USAGE / LIMIT\nshop\t0.12%%\t21MiB / 1GiB\n' ;;
  'images --format') [ "$mode" = empty ] || printf 'REPOSITORY\tTAG\nshop\t1.4\n' ;;
  'images --quiet') [ "$mode" = empty ] || echo 9b2d ;;
  'system df') echo 'TYPE TOTAL ACTIVE SIZE RECLAIMABLE' ;;
  'system prune') printf 'Deleted Images:\nuntagged: shop:1.3\n\nTotal reclaimed space: 212MB\n' ;;
  *) echo "docker: unknown command: $*" >&2; exit 125 ;;
esac
`;

/** A fake sudo that grants no rights, but marks that it was used. Without -n it hangs like a password prompt. */
const sudo = String.raw`#!/bin/sh
[ "$1" = -n ] || exec sleep 1000
shift
[ -e "$(dirname "$0")/no-sudo" ] && { echo 'sudo: a password is required' >&2; exit 1; }
THROUGH_SUDO=1 exec "$@"
`;

export interface StandInTools {
  folder: string;
  /** Path of a file with the arguments of each docker call so far. */
  dockerCalls: string;
  set(mode: 'up' | 'empty' | 'down' | 'frozen' | 'denied', options?: { sudo: boolean }): void;
}

export const makeStandInTools = (parent: string): StandInTools => {
  const folder = join(parent, 'bin');
  mkdirSync(folder);
  for (const [name, text] of Object.entries({ docker, sudo }))
    writeFileSync(join(folder, name), text, { mode: 0o755 });
  const dockerCalls = join(folder, 'docker.calls');
  writeFileSync(dockerCalls, '');
  chmodSync(dockerCalls, 0o666);
  return {
    folder,
    dockerCalls,
    set(mode, options = { sudo: false }) {
      writeFileSync(join(folder, 'mode'), mode);
      if (!options.sudo) writeFileSync(join(folder, 'no-sudo'), '');
      if (options.sudo) rmSync(join(folder, 'no-sudo'), { force: true });
    },
  };
};
