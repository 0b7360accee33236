/** Runs the folder of an API as `node server.js`, with an environment that has nothing else. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';

interface Line {
  readonly is: string;
  readonly [name: string]: unknown;
}

export interface StandaloneServer {
  readonly url: string;
  /** Its log so far. */
  readonly lines: readonly Line[];
  /** SIGTERM. @returns the exit code once it has ended */
  stop(): Promise<number | null>;
  /** Asks it to end, and does not wait. */
  askToStop(): void;
  readonly ended: Promise<number | null>;
}

/** @throws Error with what it said if it ends before it listens */
export const startStandalone = async (
  folder: string,
  env: Record<string, string>,
): Promise<StandaloneServer> => {
  const child = spawn(process.execPath, ['server.js'], {
    cwd: folder,
    env: { PORT: '0', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const lines: Line[] = [];
  let said = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => (said += text));
  const ended = once(child, 'close').then(([code]) => code as number | null);
  const port = await new Promise<unknown>((resolve, reject) => {
    createInterface({ input: child.stdout }).on('line', (text) => {
      const line = JSON.parse(text) as Line;
      lines.push(line);
      if (line.is === 'listening') resolve(line['port']);
    });
    void ended.then((code) => reject(new Error(`it ended with ${code}: ${said}${JSON.stringify(lines)}`)));
  });
  return {
    url: `http://127.0.0.1:${String(port)}`,
    lines,
    ended,
    askToStop: () => void child.kill('SIGTERM'),
    stop: () => {
      child.kill('SIGTERM');
      return ended;
    },
  };
};
