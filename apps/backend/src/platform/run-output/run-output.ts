/**
 * The output of runs: append-only chunks in a table. All chunks that wait during an insert go into the next one, so
 * fifty busy runs need no more round trips than one.
 */
import { createHash, type Hash } from 'node:crypto';
import { type LastingConnection, listening, textArray } from '@quarterdeck/log/store';
import type { OutputChunk } from '@quarterdeck/projections';
import type { Pool } from 'pg';
import { v7 as uuidv7 } from 'uuid';
import type { Leases } from '../leases';
import { retrying } from '../retrying';

/** A chunk before it is stored. */
export interface NewChunk extends OutputChunk {
  step: string;
  attempt: number;
  /** Byte of the step's raw output up to which everything is stored with this chunk. */
  source?: number | undefined;
}

/** The stored output of a step that is followed again. */
export interface StoredStep {
  /** Last chunk of the whole run. */
  seq: number;
  /** Total bytes of the run. */
  runBytes: number;
  bytes: number;
  digest: Hash;
  /** Byte of the raw output at which following resumes, and how many bytes of text after it are stored already. */
  source: number;
  storedBehind: number;
}

/** Notified of stored chunks: with the chunks if this process wrote them, otherwise with their last number. */
export interface OutputListener {
  written(run: string, chunks: readonly OutputChunk[]): void;
  announced(run: string, lastSeq: number): void;
  /** Notifications may have been lost: check everything again. */
  unsure(): void;
}

export const nothingStored = (): StoredStep => ({
  seq: 0,
  runBytes: 0,
  bytes: 0,
  digest: createHash('sha256'),
  source: 0,
  storedBehind: 0,
});

interface Waiting {
  run: string;
  chunks: NewChunk[];
  done: () => void;
  failed: (error: unknown) => void;
}

interface Stored {
  seq: string;
  at: Date;
  stream: 'out' | 'err';
  text: string;
  step: string | null;
  attempt: number | null;
}

const CHANNEL = 'run_output';
/** Keeps a notification within its 8,000 bytes. */
const RUNS_IN_A_NOTICE = 100;
const ROWS_AT_ONCE = 512;

/**
 * Only the holder of a run's lease writes its output. The lock on the lease makes the next holder wait, so that it sees
 * everything written. Only written chunks are announced. Returns the held leases.
 */
const INSERT = `
  with held as (
    select name from app.leases where name = any($10) and holder = $11 order by name for share),
  written as (
    insert into app.run_output (run, seq, at, stream, text, step, attempt, source)
    select r.* from unnest($1::uuid[], $2::bigint[], $3::timestamptz[], $4::text[], $5::text[], $6::text[], $7::int[],
        $8::bigint[]) as r(run, seq, at, stream, text, step, attempt, source)
      join held on held.name = 'run-' || r.run
    on conflict do nothing),
  news as (
    select entry, (row_number() over () - 1) / ${RUNS_IN_A_NOTICE} as part from unnest($9::text[]) as entry
      join held on held.name = 'run-' || split_part(entry, ':', 1)),
  told as (select pg_notify('${CHANNEL}', $12 || ' ' || string_agg(entry, ',')) from news group by part)
  select name, (select count(*) from told) from held`;

const leaseOf = (run: string): string => `run-${run}`;

/** The last chunk of each run, in the form of a notice. */
const lastOf = (batch: readonly Waiting[]): string[] => {
  const last = new Map(batch.map(({ run, chunks }) => [run, chunks.at(-1)?.seq ?? 0]));
  return [...last].map(([run, seq]) => `${run}:${seq}`);
};

/** The length of a text is stored, so texts need not be read for it. `more`: whether another chunk follows. */
const PAGE_QUERY = `
  with sized as (
    select seq, sum(octet_length(text)) over (order by seq) - octet_length(text) as before,
      lead(seq) over (order by seq) is not null as more
    from (select seq, text from app.run_output where run = $1 and seq > $2 order by seq limit $3 + 1) o)
  select o.seq, o.at, o.stream, o.text, o.step, o.attempt, s.more
  from sized s join app.run_output o on o.run = $1 and o.seq = s.seq
  where s.before < $4 order by s.seq limit $3`;

const PAGE = 256;
const CHUNKS_AT_END = 64;

export class RunOutputs {
  private readonly process = uuidv7();
  private readonly listeners = new Set<OutputListener>();
  private waiting: Waiting[] = [];
  private inserting = false;
  private readonly stopping = new AbortController();

  constructor(
    private readonly pool: Pool,
    connection: Pick<LastingConnection, 'use'>,
    private readonly leases: Pick<Leases, 'holder' | 'lost'>,
    private readonly onFault: (error: unknown) => void,
  ) {
    const heard = (payload: string): void => this.heard(payload);
    const unsure = (): void => this.listeners.forEach((listener) => listener.unsure());
    connection.use(listening(CHANNEL, heard, unsure));
  }

  stop(): void {
    this.stopping.abort();
  }

  listen(listener: OutputListener): void {
    this.listeners.add(listener);
  }

  /** Settles when the chunks are stored. Waits during a database outage. @throws if they cannot be stored */
  write(run: string, chunks: NewChunk[]): Promise<void> {
    return new Promise((done, failed) => {
      this.waiting.push({ run, chunks, done, failed });
      if (!this.inserting) void this.insertWaiting();
    });
  }

  /**
   * Repeats work that fails, for example in an outage of the database. Never settles once this process has stopped.
   * @throws errors that do not pass, and mistakes of ours
   */
  async persistently<T>(
    work: () => Promise<T>,
    passes: (error: unknown) => boolean = () => true,
  ): Promise<T> {
    const { signal } = this.stopping;
    try {
      return await retrying(work, { passes, signal, longestPauseMs: 250, onFault: this.onFault });
    } catch (error) {
      if (signal.aborted) return new Promise(() => undefined);
      throw error;
    }
  }

  async read(run: string, after: number, limit: number): Promise<OutputChunk[]> {
    return (await this.page(run, after, { chunks: limit, bytes: Number.MAX_SAFE_INTEGER })).chunks;
  }

  /** The next chunks up to a number of chunks or bytes: at least one, if there is any. */
  async page(
    run: string,
    after: number,
    most: { chunks: number; bytes: number },
  ): Promise<{ chunks: OutputChunk[]; more: boolean }> {
    const { rows } = await this.pool.query<Stored & { more: boolean }>(PAGE_QUERY, [
      run,
      after,
      most.chunks,
      most.bytes,
    ]);
    const chunks = rows.map(({ seq, at, stream, text, step, attempt }) => ({
      seq: Number(seq),
      at: at.toISOString(),
      stream,
      text,
      ...(step !== null && attempt !== null && { step, attempt }),
    }));
    return { chunks, more: rows.at(-1)?.more ?? false };
  }

  /** The output of the run, or of one attempt at its steps, as one text. Limited like the recording. */
  async text(run: string, attempt?: number): Promise<string> {
    const { rows } = await this.pool.query<{ text: string | null }>(
      `select string_agg(text, '' order by seq) as text from app.run_output
       where run = $1 and ($2::int is null or attempt = $2)`,
      [run, attempt],
    );
    return rows[0]?.text ?? '';
  }

  /** The last chunks of a step's output as one text. */
  async endOf(run: string, step: string, attempt: number): Promise<string> {
    const { rows } = await this.pool.query<{ text: string }>(
      `select text from app.run_output where run = $1 and step = $2 and attempt = $3
       order by seq desc limit ${CHUNKS_AT_END}`,
      [run, step, attempt],
    );
    return rows
      .map(({ text }) => text)
      .toReversed()
      .join('');
  }

  /** How far a step's output is stored, for the process that continues. */
  async stored(run: string, step: string, attempt: number): Promise<StoredStep> {
    const { rows } = await this.pool.query<{ seq: string; bytes: string }>(
      `select coalesce(max(seq), 0) as seq, coalesce(sum(octet_length(text)), 0) as bytes
       from app.run_output where run = $1`,
      [run],
    );
    const found: StoredStep = {
      ...nothingStored(),
      seq: Number(rows[0]?.seq),
      runBytes: Number(rows[0]?.bytes),
    };
    for (let after = '0'; ;) {
      const page = await this.pool.query<{ seq: string; text: string; source: string | null }>(
        `select seq, text, source from app.run_output
         where run = $1 and step = $2 and attempt = $3 and seq > $4 order by seq limit ${PAGE}`,
        [run, step, attempt, after],
      );
      for (const { seq, text, source } of page.rows) {
        const bytes = Buffer.byteLength(text);
        found.digest.update(text);
        found.bytes += bytes;
        if (source === null) found.storedBehind += bytes;
        else Object.assign(found, { source: Number(source), storedBehind: 0 });
        after = seq;
      }
      if (page.rows.length < PAGE) return found;
    }
  }

  private async insertWaiting(): Promise<void> {
    this.inserting = true;
    while (this.waiting.length > 0) {
      const batch = this.takeBatch();
      try {
        this.tell(batch, await this.persistently(() => this.insert(batch)));
        for (const { done } of batch) done();
      } catch (error) {
        for (const { failed } of batch) failed(error);
      }
    }
    this.inserting = false;
  }

  private tell(batch: readonly Waiting[], held: ReadonlySet<string>): void {
    for (const { run, chunks } of batch) {
      const told = chunks.map(({ source: _ours, ...chunk }) => chunk);
      if (held.has(leaseOf(run))) for (const listener of this.listeners) listener.written(run, told);
    }
  }

  private takeBatch(): Waiting[] {
    let rows = 0;
    const end = this.waiting.findIndex(({ chunks }) => (rows += chunks.length) > ROWS_AT_ONCE);
    return this.waiting.splice(0, end < 0 ? this.waiting.length : Math.max(end, 1));
  }

  /** @returns the held leases; chunks of other runs were not written. @throws if nothing was written */
  private async insert(batch: readonly Waiting[]): Promise<ReadonlySet<string>> {
    const rows = batch.flatMap(({ run, chunks }) => chunks.map((chunk) => ({ run, ...chunk })));
    const leases = [...new Set(batch.map(({ run }) => leaseOf(run)))];
    const answer = await this.pool.query<{ name: string }>({
      name: 'run-output-insert',
      text: INSERT,
      values: [
        rows.map((row) => row.run),
        rows.map((row) => row.seq),
        rows.map((row) => row.at),
        rows.map((row) => row.stream),
        textArray(rows.map((row) => row.text)),
        rows.map((row) => row.step),
        rows.map((row) => row.attempt),
        rows.map((row) => row.source ?? null),
        lastOf(batch),
        leases,
        this.leases.holder,
        this.process,
      ],
    });
    const held = new Set(answer.rows.map(({ name }) => name));
    for (const name of leases) if (!held.has(name)) this.leases.lost(name);
    return held;
  }

  private heard(payload: string): void {
    const [from, entries = ''] = payload.split(' ');
    if (from === this.process) return;
    for (const entry of entries.split(',')) {
      const [run = '', seq = '0'] = entry.split(':');
      for (const listener of this.listeners) listener.announced(run, Number(seq));
    }
  }
}
