/** A server with a `docker` that prints a fixed text for a while, and counts how often it was started. */
import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startSshd, type Sshd } from '../../testing/sshd';

const LINES = 120;
const line = (i: number): string => `${i} \u{1F6F3} ${'\u00e9\u20ac'.repeat(i % 40)}`;

/** The output of fixed command 2 there, which only reads. */
export const reading = `${Array.from({ length: LINES }, (_, i) => line(i + 1)).join('\n')}\n`;
/** The output of fixed command 7, which changes the server. */
export const talk = `Removing stopped containers, unused networks, unused images and the build cache. Volumes are kept.\n${reading}`;
/** The minimum duration of that output. */
export const TALK_MS = LINES * 20;

const docker = (folder: string): string => `#!/bin/bash
case "$*" in
  *--quiet*) echo one; exit 0 ;;
  ps* | system*) ;;
  *) echo 1; exit 0 ;;
esac
echo $$ >>${folder}/started
exec 9<>${folder}/silence
n=0
while IFS= read -r line; do
  n=$((n + 1))
  printf '%s\\n' "$line"
  # Nobody writes into it: a wait without a process of its own.
  read -rt 0.02 -u 9
done <${folder}/talk
echo $$ >>${folder}/finished
`;

export interface TalkingServer {
  sshd: Sshd;
  started(): number[];
  finished(): number[];
  /** Process ids of the output, as this machine numbers them; the server numbers them differently. */
  processes(): number[];
  /** Settles once it is printing. */
  atWork(): Promise<void>;
  stop(): Promise<void>;
}

const commandOf = (pid: string): string => {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8');
  } catch {
    return '';
  }
};

export const startTalkingServer = async (): Promise<TalkingServer> => {
  const folder = mkdtempSync(join(tmpdir(), 'quarterdeck-talk-'));
  writeFileSync(join(folder, 'talk'), reading);
  writeFileSync(join(folder, 'docker'), docker(folder), { mode: 0o755 });
  execFileSync('mkfifo', ['-m', '666', join(folder, 'silence')]);
  chmodSync(folder, 0o777);
  const sshd = await startSshd({ path: `${folder}:/usr/bin:/bin` });
  const pids = (file: string): number[] =>
    existsSync(join(folder, file))
      ? readFileSync(join(folder, file), 'utf8').trim().split('\n').map(Number)
      : [];
  return {
    sshd,
    started: () => pids('started'),
    finished: () => pids('finished'),
    processes: () =>
      readdirSync('/proc')
        .filter((name) => /^\d+$/.test(name) && commandOf(name).includes(join(folder, 'docker')))
        .map(Number),
    atWork: async () => {
      while (pids('started').length === 0) await new Promise((done) => setTimeout(done, 10));
    },
    stop: async () => {
      await sshd.stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
};
