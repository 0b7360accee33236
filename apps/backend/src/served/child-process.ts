/** One process of a served API, as the console sees it. Only this file and the embedded PostgreSQL start programs. */
import { fork, type ChildProcess } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { apiProcessFile } from './api-process-file';
import type { ToChild, ToConsole } from './messages';

const MEGABYTES = 256;
const MAX_SAID = 4000;

export interface Heard {
  message(message: ToConsole): void;
  /** @param said what it wrote at last, such as the report of a lack of memory */
  exit(how: { code: number | null; signal: NodeJS.Signals | null; said: string }): void;
}

export class ServedProcess {
  private readonly child: ChildProcess;

  constructor(heard: Heard) {
    this.child = fork(fileURLToPath(apiProcessFile), [], {
      // Nothing of the console's: neither its key nor where its data is.
      env: {},
      cwd: '/',
      execArgv: [`--max-old-space-size=${MEGABYTES}`],
      stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
    });
    let said = '';
    this.child.stderr?.setEncoding('utf8').on('data', (text: string) => {
      said = (said + text).slice(-MAX_SAID);
    });
    this.child.on('message', (message) => heard.message(message as ToConsole));
    this.child.on('error', () => undefined);
    this.child.once('close', (code, signal) => heard.exit({ code, signal, said }));
  }

  get pid(): number | undefined {
    return this.child.pid;
  }

  tell(message: ToChild): void {
    if (this.child.connected) this.child.send(message, () => undefined);
  }

  kill(): void {
    this.child.kill('SIGKILL');
  }
}
