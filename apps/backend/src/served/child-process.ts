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
  private heard: Heard | undefined;

  constructor(ended: () => void = () => undefined) {
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
    this.child.on('message', (message) => this.heard?.message(message as ToConsole));
    this.child.on('error', () => undefined);
    this.child.once('close', (code, signal) => {
      ended();
      this.heard?.exit({ code, signal, said });
    });
  }

  get pid(): number | undefined {
    return this.child.pid;
  }

  /** From now on, `heard` hears it. It says nothing by itself. */
  tellTo(heard: Heard): this {
    this.heard = heard;
    return this;
  }

  tell(message: ToChild): void {
    if (this.child.connected) this.child.send(message, () => undefined);
  }

  kill(): void {
    this.child.kill('SIGKILL');
  }
}

export const withoutReserve = {
  take: (heard: Heard): ServedProcess => new ServedProcess().tellTo(heard),
};

/** Without a process of an API, nobody needs one in reserve. */
const RESERVE_MS = 60_000;

/**
 * Begins processes, and keeps one in reserve that has loaded its program already: on a busy machine that takes longer
 * than a second, and callers of an API whose process has ended would wait for it.
 */
export class ServedProcesses {
  private reserve: ServedProcess | undefined;
  private alive = 0;
  private unused: NodeJS.Timeout | undefined;
  private isClosed = false;

  /** The process id of the one in reserve. */
  get reservePid(): number | undefined {
    return this.reserve?.pid;
  }

  take(heard: Heard): ServedProcess {
    const process = this.reserve ?? new ServedProcess();
    this.reserve = undefined;
    this.alive += 1;
    clearTimeout(this.unused);
    return process.tellTo({
      message: (message) => {
        // Not before: both would load at the same time.
        if (message.is === 'listening') this.refill();
        heard.message(message);
      },
      exit: (how) => {
        this.alive -= 1;
        if (this.alive === 0) this.unused = setTimeout(() => this.reserve?.kill(), RESERVE_MS).unref();
        heard.exit(how);
      },
    });
  }

  close(): void {
    this.isClosed = true;
    clearTimeout(this.unused);
    this.reserve?.kill();
  }

  private refill(): void {
    if (this.reserve || this.isClosed) return;
    const reserve = new ServedProcess(() => {
      if (this.reserve === reserve) this.reserve = undefined;
    });
    this.reserve = reserve;
  }
}
