/** The kinds of outage that this process recognises: an unreachable database, a full disk, an event log elsewhere. */
import { LogDamaged, LogForbidden, StoreUnavailable } from '@quarterdeck/log/store';
import { Client } from 'pg';
import { isTransient, isDatabaseOutage, isDiskFull, rootOf } from './transient';
import { DomainError } from '../errors';
import { Outage } from './outages';
import type { PostgresServer } from './postgres-server';
import { freeBytesIn } from './postgres-server-failure';
import type { Logger } from '../tokens';

const PATIENCE_MS = 2_000;
/** Less free space counts as full: Postgres extends its files by this much at once. */
const ENOUGH_BYTES = 1024 * 1024;
/** Sorts more than fits into memory, and so writes some hundred kB to disk, without touching any table. */
const WRITE_TO_DISK = `set work_mem = '64kB';
  select count(*) from (select g from generate_series(1, 20000) g order by -g offset 0) as sorted`;

const ask = async (url: string, statement: string): Promise<void> => {
  const client = new Client({
    connectionString: url,
    connectionTimeoutMillis: PATIENCE_MS,
    query_timeout: PATIENCE_MS,
    application_name: 'quarterdeck outage',
  });
  // Without this, an error while the connection is idle would end the process.
  client.on('error', () => undefined);
  try {
    await client.connect();
    await client.query(statement);
  } finally {
    await client.end().catch(() => undefined);
  }
};

/** Host and port of a database, without credentials. */
const addressOf = (url: string): string => {
  const { hostname, port } = new URL(url);
  return `${hostname}:${port || '5432'}`;
};

/** A disk that may be full. */
export class Room {
  readonly outage: Outage;

  constructor(
    logger: Logger,
    private readonly is: (error: unknown) => boolean,
    private readonly place: { url: string; folder?: string },
  ) {
    const { url } = place;
    this.outage = new Outage(logger, {
      is: (error) => this.is(error) && isDiskFull(error),
      works: async () => {
        if (this.isFolderFull) throw new Error(`less than ${ENOUGH_BYTES} bytes are free`);
        await ask(url, WRITE_TO_DISK);
      },
      begins: `disk full: nothing can be written at ${this.name}; free some space there, then writing continues by itself`,
      ends: `there is space again at ${this.name}`,
    });
  }

  /** The folder, or the server that has the disk. */
  get name(): string {
    return this.place.folder ?? `the database server ${addressOf(this.place.url)}`;
  }

  get isFull(): boolean {
    return this.outage.lasts || this.isFolderFull;
  }

  /** Whether a full disk explains an error: it may also have ended Postgres. */
  explains(error: unknown): boolean {
    if (!this.is(error) || error instanceof DomainError) return false;
    return isDiskFull(error) || (isTransient(error) && this.isFull);
  }

  private get isFolderFull(): boolean {
    return this.place.folder !== undefined && freeBytesIn(this.place.folder) < ENOUGH_BYTES;
  }
}

export interface Outages {
  all: Outage[];
  rooms: Room[];
}

/** gRPC numbers: deadline exceeded, unavailable. */
const grpcAway = new Set<unknown>([4, 14]);

/** An error without a port is assumed to be about this database: most connections go there. */
const isTo = (url: string, { port }: { port?: number }): boolean =>
  port === undefined || port === Number(new URL(url).port || 5432);

const isOutageAt = (url: string, error: unknown): boolean => {
  const root = rootOf(error);
  return typeof root === 'object' && root !== null && isDatabaseOutage(root) && isTo(url, root);
};

/** @param head sends the event log a cheap query */
export const outagesOf = (
  { url, server }: { url: string; server: PostgresServer | undefined },
  logUrl: string | undefined,
  logger: Logger,
  head: () => Promise<unknown>,
): Outages => {
  // A log that is damaged or rejects us can be reached, so this is no outage: each such fault is logged.
  const isLogOutage = (error: unknown): boolean =>
    error instanceof StoreUnavailable && !(error instanceof LogDamaged || error instanceof LogForbidden);
  const isOfLog = (error: unknown): boolean => logUrl !== undefined && isLogOutage(error);
  const room = new Room(logger, (error) => !isOfLog(error), {
    url,
    ...(server ? { folder: server.data } : {}),
  });
  const database = new Outage(logger, {
    is: (error) => !isDiskFull(error) && !isOfLog(error) && (isLogOutage(error) || isOutageAt(url, error)),
    works: () => ask(url, 'select'),
    begins: `the database at ${addressOf(url)} cannot be reached`,
    ends: 'the database is back',
  });
  if (logUrl === undefined) return { all: [room.outage, database], rooms: [room] };
  const log = new Outage(logger, {
    is: (error) =>
      !isDiskFull(error) && (isOfLog(error) || grpcAway.has((rootOf(error) as { code?: unknown }).code)),
    works: head,
    begins: 'the event log cannot be reached',
    ends: 'the event log is back',
  });
  const rooms = logUrl.startsWith('postgres') ? [room, new Room(logger, isOfLog, { url: logUrl })] : [room];
  return { all: [...rooms.map(({ outage }) => outage), log, database], rooms };
};
