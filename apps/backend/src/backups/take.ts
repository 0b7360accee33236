/**
 * Takes a backup while the console runs, from a single snapshot of the database. If the event log is elsewhere, the
 * backup contains its events up to the end that the log had before that snapshot, because secrets and output are stored
 * before the events that refer to them.
 */
import { comparePositions, type Position } from '@quarterdeck/events';
import { type AuthenticStore, BEGINNING, type Seal } from '@quarterdeck/log/store';
import path from 'node:path';
import { Client } from 'pg';
import { to } from 'pg-copy-streams';
import { v7 as uuidv7 } from 'uuid';
import { followedChain } from '../platform/boot';
import { VERSION } from '../platform/version';
import { lockMark, type Lock } from './archive/age';
import { openPart, type Archive } from './archive/read';
import { SECTION_END, sectionHead } from './archive/copy-text';
import type { Head } from './archive/head';
import { ArchiveWriter } from './archive/write';
import { EVENT_COLUMNS, eventSection, EVENTS_TABLE } from './event-text';
import { isContinuedBy } from './folder';
import { roomProblem, type Reserve } from './room';
import {
  cameAfter,
  canTellNewRows,
  columnsOf,
  keptOf,
  LOG_PART,
  MASTER_KEY_PART,
  PARTS,
  snapshotOf,
  type TableRows,
  unnamedTables,
} from './tables';

export interface Taking {
  log: { url: string; store: AuthenticStore; vault: { masterKey: Buffer } };
  tables: { rows: TableRows };
  /** The event log is not in the database. */
  elsewhere: boolean;
  file: string;
  lock: Lock;
  /** The newest archive of this log. Its content is not backed up again if the changes since can be determined. */
  base?: Archive | undefined;
  /** Adds the master key, encrypted with this passphrase. */
  keyPassphrase?: string | undefined;
  /** Space that stays free on the disk of the database. */
  reserve?: Reserve | undefined;
  takenAt: string;
  /** Id of the archive. Default: a new one. */
  id?: string;
  /** Called after each piece: from now on, the target has to accept it. */
  tell?: (progress: { part: string; bytes: number }) => void;
  /** Called when the next piece may take long, for example during the scan of a large table. */
  busy?: () => void;
  signal?: AbortSignal | undefined;
}

/** Makes values have the same text in every session and on every server. */
const SETTINGS = `
  set statement_timeout = 0; set timezone = 'UTC'; set datestyle = 'ISO'; set intervalstyle = 'iso_8601';
  set bytea_output = 'hex'; set extra_float_digits = 1; set idle_in_transaction_session_timeout = 0`;

/** Free space is checked again after this many bytes. */
const LOOK_BYTES = 16 * 1_048_576;

/** A retry would not help: there is too little space, a table belongs to no part, or the log has no keys. */
export class CannotTake extends Error {
  override name = 'CannotTake';
}

/** @throws CannotTake */
export async function takeBackup(taking: Taking): Promise<Archive> {
  const { log, file, lock, signal } = taking;
  if (!log.store.keys)
    throw new CannotTake('the log has no identity yet: it gets one when the console starts');
  const endElsewhere = taking.elsewhere ? await log.store.head() : undefined;
  const client = new Client({ connectionString: log.url, application_name: 'quarterdeck backup' });
  client.on('error', () => undefined);
  await client.connect();
  // A query may wait for as long as somebody keeps a table locked, and a cancel must not wait with it.
  const leave = (): void => void client.end();
  signal?.addEventListener('abort', leave);
  const writer = await ArchiveWriter.create(file, lock).catch(async (error: unknown) => {
    await client.end();
    throw error;
  });
  try {
    taking.busy?.();
    await client.query(SETTINGS);
    await client.query('begin isolation level repeatable read read only');
    const head = await new Take(taking, client, writer).all(endElsewhere);
    return { file, head };
  } catch (error) {
    await writer.abandon();
    throw signal?.aborted ? signal.reason : error;
  } finally {
    signal?.removeEventListener('abort', leave);
    await client.end();
  }
}

class Take {
  #rows: Record<string, number> = {};
  #lookAt = 0;

  constructor(
    private readonly taking: Taking,
    private readonly client: Client,
    private readonly writer: ArchiveWriter,
  ) {}

  async all(endElsewhere: Position | undefined): Promise<Head> {
    const { log, takenAt, keyPassphrase } = this.taking;
    const { keys, engine, home } = log.store;
    const [unnamed] = await unnamedTables(this.client, this.taking.tables.rows);
    if (unnamed !== undefined)
      throw new CannotTake(`table ${unnamed} is of another version: nobody knows whether it is to be kept`);
    const snapshot = await snapshotOf(this.client);
    const base = await this.#usable(snapshot);
    const after = base?.log.end ?? BEGINNING;
    let end = after;
    if (endElsewhere === undefined) {
      end = (await this.#seal('select position, hash from log.head')) ?? after;
      await this.#add(LOG_PART, this.#copied(EVENTS_TABLE, EVENT_COLUMNS, this.#between(after, end)));
    } else {
      const found = (count: number, to: Seal): void => {
        this.#rows[EVENTS_TABLE] = (this.#rows[EVENTS_TABLE] ?? 0) + count;
        end = to;
      };
      await this.#add(LOG_PART, eventSection(log.store.log, { after, upTo: endElsewhere }, found));
    }
    const totals = base && (await this.#totals());
    const events = this.writer.rowsOf(LOG_PART)[EVENTS_TABLE] ?? 0;
    for (const part of PARTS) await this.#add(part, this.#tables(part, base));
    if (keyPassphrase !== undefined) await this.#addMasterKey(keyPassphrase);
    return this.writer.finish(
      {
        id: this.taking.id ?? uuidv7(),
        base: base?.id ?? null,
        takenAt,
        version: VERSION,
        log: { id: keys!.id, publicKey: keys!.publicKey, engine, home: home ?? null, after, end, events },
        masterKey: await this.#text('select id from app.vault_keys'),
        lock: lockMark(this.taking.lock),
        schema: (
          await this.#text(`select string_agg(name, ' ' order by at, name) from app.migrations`)
        ).split(' '),
        snapshot,
        ...(totals && { totals }),
      },
      (text) => keys!.signText(text),
    );
  }

  /** The head of the base, if the changes since can be determined and the log still begins with the base's events. */
  async #usable(snapshot: Head['snapshot']): Promise<Head | undefined> {
    const head = this.taking.base?.head;
    if (!head || !isContinuedBy(head, this.taking.log.store)) return undefined;
    if (!(await this.#opensWithSameKey(this.taking.base!))) return undefined;
    if (!canTellNewRows(head.snapshot, snapshot)) return undefined;
    const { position, hash } = head.log.end;
    if (this.taking.elsewhere) return (await this.#isFollowed(head.log.end)) ? head : undefined;
    const there = await this.#seal(
      `select position, hash from log.events where position = ${BigInt(position)}`,
    );
    return there?.hash === hash ? head : undefined;
  }

  /**
   * Whether the events after that seal belong to the chain that the read models follow. An EventStoreDB that was
   * restored from its own backup may have different events at the same positions.
   */
  async #isFollowed(after: Seal): Promise<boolean> {
    const { store } = this.taking.log;
    const followed = await followedChain(this.client, store);
    if (!followed || comparePositions(followed.position, after.position) < 0) return false;
    let end = after;
    const onEvents = (_count: number, to: Seal): void => void (end = to);
    for await (const _ of eventSection(store.log, { after, upTo: followed.position }, onEvents))
      this.taking.signal?.throwIfAborted();
    return end.position === followed.position && end.hash === followed.hash;
  }

  /** Otherwise no single key would open the chain. */
  async #opensWithSameKey(base: Archive): Promise<boolean> {
    const { lock } = this.taking;
    if (base.head.lock !== lockMark(lock)) return false;
    if (!('passphrase' in lock)) return true;
    return openPart(base, LOG_PART, lock).then(
      (part) => (part.destroy(), true),
      () => false,
    );
  }

  async *#tables(part: (typeof PARTS)[number], base: Head | undefined): AsyncGenerator<Buffer> {
    for (const [table, kept] of keptOf(this.taking.tables.rows)) {
      if (kept.kept !== part) continue;
      const only = [kept.only, kept.grows && base ? cameAfter(base.snapshot) : undefined].filter(Boolean);
      const where = only.length > 0 ? ` where ${only.join(' and ')}` : '';
      const columns = await columnsOf(this.client, table);
      if (columns.length > 0) yield* this.#copied(table, columns, where);
    }
  }

  /** For a drill, which compares them with the restored rows. */
  async #totals(): Promise<Record<string, number>> {
    this.taking.busy?.();
    const totals: Record<string, number> = {};
    for (const [table, { grows }] of keptOf(this.taking.tables.rows))
      if (grows) totals[table] = Number(await this.#text(`select count(*) from ${table}`));
    return totals;
  }

  #between(after: Seal, end: Seal): string {
    return ` where position > ${BigInt(after.position)} and position <= ${BigInt(end.position)} order by position`;
  }

  async *#copied(table: string, columns: readonly string[], which: string): AsyncGenerator<Buffer> {
    yield sectionHead(table, columns);
    const stream = this.client.query(
      to(`copy (select ${columns.join(', ')} from ${table}${which}) to stdout`),
    );
    for await (const chunk of stream) yield chunk as Buffer;
    this.#rows[table] = stream.rowCount;
    yield SECTION_END;
  }

  async #add(part: string, source: AsyncIterable<Buffer>): Promise<void> {
    this.#rows = {};
    await this.writer.add(part, this.#told(part, source), () => this.#rows);
  }

  async #addMasterKey(passphrase: string): Promise<void> {
    const key = this.taking.log.vault.masterKey.toString('base64');
    async function* text(): AsyncGenerator<Buffer> {
      yield Buffer.from(`${key}\n`);
    }
    await this.writer.add(MASTER_KEY_PART, text(), () => ({}), { passphrase });
  }

  async *#told(part: string, source: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
    const { signal, tell, busy } = this.taking;
    const { writer } = this;
    busy?.();
    for await (const piece of source) {
      signal?.throwIfAborted();
      tell?.({ part, bytes: writer.bytes });
      await this.#refuseWithoutRoom();
      yield piece;
      busy?.();
    }
    tell?.({ part, bytes: writer.bytes });
  }

  async #refuseWithoutRoom(): Promise<void> {
    if (this.writer.bytes < this.#lookAt) return;
    this.#lookAt = this.writer.bytes + LOOK_BYTES;
    const problem = await roomProblem(path.dirname(this.taking.file), this.taking.reserve);
    if (problem !== undefined) throw new CannotTake(problem);
  }

  async #text(query: string): Promise<string> {
    const { rows } = await this.client.query<[string | null]>({ text: query, rowMode: 'array' });
    return rows[0]?.[0] ?? '';
  }

  async #seal(query: string): Promise<Seal | undefined> {
    const { rows } = await this.client.query<{ position: string; hash: Buffer }>(query);
    const [found] = rows;
    return found && { position: found.position, hash: found.hash.toString('hex') };
  }
}
