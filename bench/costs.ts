/** What a change costs, in figures that hardly depend on the machine. */
import { readdirSync, readFileSync } from 'node:fs';
import { Client } from 'pg';
import { state, type Line, type Variant } from './harness';

/** Processor time of all threads, in milliseconds. A process that has ended has none. */
export const cpuOf = (pids: readonly number[]): number => pids.reduce((sum, pid) => sum + cpuOfOne(pid), 0);

const cpuOfOne = (pid: number): number => {
  try {
    return readdirSync(`/proc/${pid}/task`)
      .map((thread) => readFileSync(`/proc/${pid}/task/${thread}/schedstat`, 'utf8'))
      .reduce((sum, text) => sum + Number(text.split(' ')[0]) / 1e6, 0);
  } catch {
    return 0;
  }
};

const parentOf = (pid: number | string): number => {
  try {
    return Number(
      readFileSync(`/proc/${pid}/stat`, 'utf8')
        .replace(/^.*\) /s, '')
        .split(' ')[1],
    );
  } catch {
    return 0;
  }
};

export const childrenOf = (pid: number): number[] =>
  readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name) && parentOf(name) === pid)
    .map(Number);

interface Sample {
  /** Those that wrote something. */
  transactions: number;
  notifications: number;
  /** Bytes of write-ahead log. */
  log: number;
  /** Processor time in milliseconds. */
  database: number;
  process: number;
}

const NOTHING: Sample = { transactions: 0, notifications: 0, log: 0, database: 0, process: 0 };

/** Counts what turns cost the database, and the processes that use it. */
export class Costs {
  #notifications = 0;
  #changes = 0;
  #sum = NOTHING;

  private constructor(
    private readonly client: Client,
    private readonly postmaster: number,
    private readonly pids: readonly number[],
  ) {
    client.on('notification', () => (this.#notifications += 1));
  }

  /** @param pids of the processes whose time counts beside the database */
  static async of(url: string, pids: readonly number[] = [process.pid]): Promise<Costs> {
    const client = new Client({ connectionString: url });
    client.on('error', () => undefined);
    await client.connect();
    await client.query('listen log_appended; listen projected');
    const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid');
    return new Costs(client, parentOf(rows[0]?.pid ?? 0), pids);
  }

  /** @param changes how many there were until now */
  metered({ name, turn }: Variant, changes: () => number): Variant {
    let isWarm = false;
    return {
      name,
      turn: async () => {
        const [before, first] = [await this.#sample(), changes()];
        const figure = await turn();
        const after = await this.#sample();
        if (isWarm) this.#add(before, after, changes() - first);
        isWarm = true;
        return figure;
      },
    };
  }

  #add(before: Sample, after: Sample, changes: number): void {
    this.#changes += changes;
    this.#sum = each((key) => this.#sum[key] + after[key] - before[key]);
  }

  async #sample(): Promise<Sample> {
    const { rows } = await this.client.query<{ transactions: string; log: string }>(
      `select pg_snapshot_xmax(pg_current_snapshot())::text as transactions,
         (pg_current_wal_insert_lsn() - '0/0')::text as log`,
    );
    return {
      transactions: Number(rows[0]?.transactions),
      notifications: this.#notifications,
      log: Number(rows[0]?.log),
      database: cpuOf(childrenOf(this.postmaster)),
      process: cpuOf(this.pids),
    };
  }

  /** Of one change. */
  get each(): Sample {
    return each((key) => this.#sum[key] / this.#changes);
  }

  end(): Promise<void> {
    return this.client.end();
  }

  /** Prints them as one line, and ends. */
  async say(): Promise<void> {
    await this.end();
    const { transactions, notifications, log, database, process: own } = this.each;
    const figures = [
      `${transactions.toFixed(2)} transactions`,
      `${notifications.toFixed(2)} notifications`,
      `${(log / 1000).toFixed(1)} kB of write-ahead log`,
      `${database.toFixed(2)} ms of the database`,
      `${own.toFixed(2)} ms of the process`,
    ];
    console.log(`  a change: ${figures.join(', ')}`);
  }

  /** @param atMost kilobytes and milliseconds of one change */
  lines(what: string, atMost: { log: number; database: number }): Line[] {
    const { log, database } = this.each;
    return [
      state(
        `${what}, write-ahead log`,
        log / 1000,
        { atMost: atMost.log },
        `${(log / 1000).toFixed(1)} kB, wanted <= ${atMost.log}`,
      ),
      state(
        `${what}, time of the database`,
        database,
        { atMost: atMost.database },
        `${database.toFixed(2)} ms, wanted <= ${atMost.database}`,
      ),
    ];
  }
}

const each = (figure: (key: keyof Sample) => number): Sample => ({
  transactions: figure('transactions'),
  notifications: figure('notifications'),
  log: figure('log'),
  database: figure('database'),
  process: figure('process'),
});
