/** Restarts the engine of a throw-away server exactly before one call of `docker` that a script of ours makes. */
import type { ContainerServer } from './container-server';

/** The call number `nth` after the first one that begins with the words `after`, which itself is number 0. */
export interface Call {
  after: string;
  nth: number;
}

const FOLDER = '/run/engine-restarts';
const HOW = {
  restarted: 'systemctl restart docker',
  // The socket starts it again.
  killed: 'systemctl kill --signal=KILL docker',
} as const;
export type How = keyof typeof HOW;

const wrapper = `#!/bin/sh
if [ -e ${FOLDER}/armed ]; then
  read -r nth after <${FOLDER}/armed
  case "$*" in "$after"*) [ -e ${FOLDER}/count ] || echo -1 >${FOLDER}/count ;; esac
  if [ -e ${FOLDER}/count ]; then
    count=$(($(cat ${FOLDER}/count) + 1))
    echo "$count" >${FOLDER}/count
    if [ "$count" = "$nth" ]; then
      mv ${FOLDER}/armed ${FOLDER}/hit
      echo "$*" >${FOLDER}/hit
      sh ${FOLDER}/how
    fi
  fi
fi
exec /usr/bin/docker "$@"
`;

/** The scripts of ours find the wrapper before the program, and tests ask \`/usr/bin/docker\`. */
export const wrapDocker = (server: ContainerServer): Promise<string> =>
  server.inside(`mkdir -p ${FOLDER}; cat >/usr/local/bin/docker <<'END'\n${wrapper}END
    chmod +x /usr/local/bin/docker`);

export const armRestart = (server: ContainerServer, { after, nth }: Call, how: How): Promise<string> =>
  server.inside(`rm -f ${FOLDER}/*; systemctl reset-failed docker docker.socket
    echo '${HOW[how]}' >${FOLDER}/how; echo '${nth} ${after}' >${FOLDER}/armed`);

/** @returns the arguments of the call, or nothing if no such call was made */
export const restartedBefore = async (server: ContainerServer): Promise<string> =>
  (await server.inside(`cat ${FOLDER}/hit 2>/dev/null; rm -f ${FOLDER}/*`)).trim();
