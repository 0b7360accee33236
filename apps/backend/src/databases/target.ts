/** A connection to a product database. */
import { connect, type TcpSocketConnectOpts } from 'node:net';
import type { Duplex } from 'node:stream';
import {
  JOURNAL,
  journal,
  productIn,
  questions,
  structureFrom,
  type Answers,
  type Dialect,
  type Structure,
} from '@quarterdeck/data-model';
import { Client } from 'pg';
import { DomainError } from '../platform/errors';

export interface TargetAddress {
  readonly dialect: Dialect;
  readonly host: string;
  readonly port: number;
  readonly user: string;
  readonly password: string;
  readonly database: string;
  /** PostgreSQL only. Default: the user's search path. */
  readonly schema?: string;
  /** The PEM certificate with which the server has to identify itself. Without it, TLS is not used. */
  readonly certificate?: string;
  /** How to reach the host. Default: directly, whatever its address. */
  readonly connect?: Connect;
}

/** Opens a stream to the host. */
export type Connect = (to: { host: string; port: number }, withinMs: number) => Promise<Duplex>;

export type Row = Readonly<Record<string, unknown>>;

export interface Target {
  readonly dialect: Dialect;
  /** `?` is the placeholder for a value in both dialects. */
  query(sql: string, values?: readonly unknown[]): Promise<Row[]>;
  end(): Promise<void>;
  /** Closes the connection without notifying the server. */
  destroy(): void;
}

export interface Patience {
  readonly connectMs: number;
  /** How long a statement may wait for a lock held by other programs. */
  readonly lockMs: number;
}

export const PATIENCE: Patience = { connectMs: 10_000, lockMs: 30_000 };

export const openTarget = async (address: TargetAddress, patience: Patience = PATIENCE): Promise<Target> => {
  // Loaded before connecting: if the server sent its greeting while the library loads, `openMysql` would miss it.
  if (address.dialect === 'mysql') await loadMysql();
  const stream = await (address.connect ?? directly)(address, patience.connectMs);
  // A lost connection is reported by the query that needs it. Without a listener it would end this process.
  stream.on('error', () => undefined);
  const open = address.dialect === 'mysql' ? openMysql : openPostgresql;
  return open(address, patience, stream).catch((error: unknown) => {
    stream.destroy();
    throw isTimeout(error) ? silence(address, error) : error;
  });
};

const isTimeout = (error: unknown): boolean => {
  const { code, message } = error as { code?: string; message?: string };
  return code === 'ETIMEDOUT' || message === 'timeout expired';
};

const silence = ({ host, port }: TargetAddress, cause: unknown): Error =>
  Object.assign(new Error(`${host} port ${port} took the connection but did not answer`, { cause }), {
    code: 'ETIMEDOUT',
  });

const directly: Connect = ({ host, port }, withinMs) => socketTo({ host, port }, withinMs);

/** @throws an error with the system's code, or `ETIMEDOUT` */
export const socketTo = (to: TcpSocketConnectOpts, withinMs: number): Promise<Duplex> =>
  new Promise((resolve, reject) => {
    // A statement may take an hour, and firewalls drop idle connections.
    const socket = connect({ ...to, noDelay: true, keepAlive: true, keepAliveInitialDelay: 30_000 });
    const late = () =>
      socket.destroy(
        Object.assign(new Error(`${to.host} port ${to.port} did not answer`), { code: 'ETIMEDOUT' }),
      );
    const timer = setTimeout(late, withinMs);
    socket.once('connect', () => {
      clearTimeout(timer);
      resolve(socket);
    });
    socket.on('error', (error) => {
      clearTimeout(timer);
      reject(error);
    });
  });

/** Loaded on first use: it is a seventh of the size of all packages, and many consoles never need it. */
const loadMysql = () => import('mysql2/promise');

async function openMysql(
  { host, port, user, password, database, certificate }: TargetAddress,
  { connectMs, lockMs }: Patience,
  stream: Duplex,
): Promise<Target> {
  // mysql2 gives TLS no name if the host is an address. TLS then takes the name of the socket, or else `localhost`.
  Object.assign(stream, { _host: host });
  const { createConnection } = await loadMysql();
  const connection = await createConnection({
    ...{ host, port, user, password, database, stream, connectTimeout: connectMs },
    ...{ multipleStatements: false, supportBigNumbers: true, bigNumberStrings: true },
    ...(certificate === undefined ? {} : { ssl: { ca: certificate, verifyIdentity: true } }),
  });
  connection.on('error', () => undefined);
  const query = async (sql: string, values: readonly unknown[] = []): Promise<Row[]> => {
    const [rows] = await connection.query(sql, [...values]);
    return Array.isArray(rows) ? (rows as Row[]) : [];
  };
  await query(`set session lock_wait_timeout = ${Math.ceil(lockMs / 1000)}`);
  // The server's own modes might change values that do not fit instead of refusing them, or interpret statements
  // differently.
  await query(
    `set session sql_mode = 'STRICT_ALL_TABLES,NO_ZERO_IN_DATE,NO_ZERO_DATE,ERROR_FOR_DIVISION_BY_ZERO,NO_ENGINE_SUBSTITUTION'`,
  );
  return {
    dialect: 'mysql',
    query,
    end: () => connection.end(),
    destroy: () => {
      connection.destroy();
      stream.destroy();
    },
  };
}

async function openPostgresql(
  { host, port, user, password, database, certificate, schema }: TargetAddress,
  { connectMs, lockMs }: Patience,
  stream: Duplex,
): Promise<Target> {
  const client = new Client({
    ...{ host, port, user, password, database, connectionTimeoutMillis: connectMs },
    stream: () => connected(stream),
    ...(certificate === undefined ? {} : { ssl: { ca: certificate } }),
  });
  client.on('error', () => undefined);
  await client.connect();
  const query = async (sql: string, values: readonly unknown[] = []): Promise<Row[]> =>
    (await client.query<Record<string, unknown>>(values.length === 0 ? sql : numbered(sql), [...values]))
      .rows;
  await query(`set lock_timeout = ${lockMs}`);
  if (schema !== undefined) await query(`select set_config('search_path', ?, false)`, [schema]);
  return {
    dialect: 'postgresql',
    query,
    end: () => client.end(),
    destroy: () => {
      client.end().catch(() => undefined);
      stream.destroy();
    },
  };
}

const numbered = (sql: string): string => {
  let at = 0;
  return sql.replaceAll('?', () => `$${(at += 1)}`);
};

/** pg connects its stream itself, but this one is already connected. */
const connected = (stream: Duplex): Duplex =>
  Object.assign(stream, {
    setNoDelay: () => stream,
    connect: () => process.nextTick(() => stream.emit('connect')),
  });

/** Closes the target when the work has succeeded or failed. */
export async function closed<T>(target: Target, work: Promise<T>): Promise<T> {
  try {
    return await work;
  } finally {
    await target.end().catch(() => target.destroy());
  }
}

export async function readStructure(target: Pick<Target, 'dialect' | 'query'>): Promise<Structure> {
  const answers: Record<string, Row[]> = {};
  for (const [about, sql] of Object.entries(questions[target.dialect]))
    answers[about] = await target.query(sql);
  return structureFrom(target.dialect, answers as unknown as Answers);
}

/** Empty if there is no journal. */
export async function journalRows(
  target: Target,
  question: 'ofRun' | 'newest' | 'version',
  values?: readonly unknown[],
): Promise<Row[]> {
  const words = journal[target.dialect];
  const [table] = await target.query(words.exists);
  return Number(table?.found) === 0 ? [] : target.query(words[question], values);
}

/**
 * 0 if no version was ever applied.
 *
 * @param product to which the version must belong, if given
 * @throws DomainError `conflict` if the version belongs to another product
 */
export async function appliedVersion(target: Target, product?: string): Promise<number> {
  const [row] = await journalRows(target, 'version');
  refuseOther(productIn(String(row?.label)), product);
  return Number(row?.version ?? 0);
}

/** @throws DomainError `conflict` if both are known and differ */
export const refuseOther = (found: string | undefined, product: string | undefined): void => {
  if (found === undefined || product === undefined || found === product) return;
  throw new DomainError(
    'conflict',
    `the database has the data model of another product (${found}): use a database of its own, or drop the table ${JOURNAL} if that product has gone`,
  );
};

const LOST = new Set([
  // Failures of the server through which the database is reached.
  ...['refused', 'unreachable', 'timeout', 'connectionLost', 'frozen', 'forwardFailed'],
  ...['ECONNREFUSED', 'ECONNRESET', 'EPIPE', 'ETIMEDOUT', 'EHOSTUNREACH', 'ENETUNREACH'],
  ...['PROTOCOL_CONNECTION_LOST', 'ER_SERVER_SHUTDOWN', 'ER_CONNECTION_KILLED', 'ER_QUERY_INTERRUPTED'],
  ...['57P01', '57P02', '57P03', '08006', '08003', '08000'],
]);

/** The connection was lost, or the server is starting or stopping. The database may be available again soon. */
export const isLost = (error: unknown): boolean => {
  if (!(error instanceof Error)) return false;
  const { code } = error as { code?: string };
  return (
    LOST.has(code ?? '') ||
    /connection terminated|connection ended|closed state|not queryable|ECONNREFUSED/i.test(error.message) ||
    (error instanceof AggregateError && error.errors.some(isLost)) ||
    isLost(error.cause)
  );
};
