/** A connection to a product database. */
import { connect, type IpcSocketConnectOpts, type TcpSocketConnectOpts } from 'node:net';
import type { Duplex } from 'node:stream';
import { JOURNAL, journal, productIn } from '@quarterdeck/data-model';
import type { ExecuteValues, ResultSetHeader } from 'mysql2';
import { Client, Query } from 'pg';
import { DomainError } from '../platform/errors';
import { BoundedStream } from './bounded-stream';
import { checkMessages, checkPackets } from './checked-drivers';
import { areScalars, RepeatedQuestions, type KnownColumns, type Repeated } from './repeated-question';
import type { Answered, Connect, Target, TargetAddress } from './target-forms';
import { ANSWER_MS, PATIENCE, TargetConnection, type Patience, type Row } from './target-connection';

export { PATIENCE, type Patience, type Row } from './target-connection';

export type { Answered, Connect, Prepared, Protection, Target, TargetAddress } from './target-forms';

export const openTarget = async (address: TargetAddress, patience: Patience = PATIENCE): Promise<Target> => {
  // Loaded before connecting: if the server sent its greeting while the library loads, `openMysql` would miss it.
  if (address.dialect === 'mysql') await loadMysql();
  patience.signal?.throwIfAborted();
  const reached = await (address.connect ?? directly)(address, patience.connectMs);
  const connection = new TargetConnection(address, new BoundedStream(reached), patience);
  const open = address.dialect === 'mysql' ? openMysql : openPostgresql;
  try {
    return await connection.within(patience.connectMs, () => open(address, patience, connection));
  } catch (error) {
    connection.close();
    throw isTimeout(error) ? silence(address, error) : error;
  }
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
export const socketTo = (
  to: TcpSocketConnectOpts | IpcSocketConnectOpts,
  withinMs: number,
): Promise<Duplex> =>
  new Promise((resolve, reject) => {
    // A statement may take an hour, and firewalls drop idle connections.
    const socket = connect({ ...to, noDelay: true, keepAlive: true, keepAliveInitialDelay: 30_000 });
    const name = 'path' in to ? to.path : `${to.host} port ${to.port}`;
    const late = () =>
      socket.destroy(Object.assign(new Error(`${name} did not answer`), { code: 'ETIMEDOUT' }));
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
const loadMysql = () => import('mysql2');

/** Of one connection. */
const MAX_PREPARED = 500;

const TEXTS: ReadonlySet<string> = new Set([
  'VAR_STRING',
  'STRING',
  'VARCHAR',
  'BLOB',
  'LONG_BLOB',
  'MEDIUM_BLOB',
  'TINY_BLOB',
  'ENUM',
  'SET',
]);

const STRICT = 'STRICT_ALL_TABLES,ERROR_FOR_DIVISION_BY_ZERO,NO_ENGINE_SUBSTITUTION';

/**
 * With the mode of `openTarget`, a server refuses each statement about a table in which `0000-00-00` is the default of a
 * column, even if it is about another column.
 */
export const acceptZeroDates = async ({ query }: Pick<Target, 'query'>): Promise<void> =>
  void (await query(`set session sql_mode = '${STRICT}'`));

async function openMysql(
  address: TargetAddress,
  { connectMs, lockMs }: Patience,
  connection: TargetConnection,
): Promise<Target> {
  const { host, port, user, password, database } = address;
  const { stream } = connection;
  // mysql2 gives TLS no name if the host is an address. TLS then takes the name of the socket, or else `localhost`.
  Object.assign(stream, { _host: host });
  const { createConnection } = await loadMysql();
  const driver = createConnection({
    host,
    port,
    user,
    password,
    database,
    stream,
    connectTimeout: connectMs,
    multipleStatements: false,
    maxPreparedStatements: MAX_PREPARED,
    supportBigNumbers: true,
    bigNumberStrings: true,
    ...tlsOf(address, { verifyIdentity: true }),
    // Results are in UTF-8, which the handshake asks for. In the character set that a server may name instead, the driver
    // decodes one character after the other, and needs thirty times the memory of the answer.
    typeCast: (field, next) => (TEXTS.has(field.type) ? (field.buffer()?.toString('utf8') ?? null) : next()),
  });
  driver.on('error', () => undefined);
  checkPackets(driver, connection);
  // mysql2 prints a line for each packet with a wrong number, and goes on.
  driver.on('warn', (wrong: Error) => connection.close(wrong));
  await new Promise<void>((resolve, reject) => {
    driver.connect((error) => (error ? reject(error) : resolve()));
  });
  const answered = (send: () => NodeJS.EventEmitter, withinMs: number): Promise<Answered> =>
    connection.ask(withinMs, (resolve, reject, onRow) => {
      const rows: Row[] = [];
      let columns = 0;
      send()
        .on('error', reject)
        .on('fields', (fields?: unknown[]) => {
          columns = fields?.length ?? 0;
        })
        .on('result', (row: Row) => {
          onRow();
          connection.took(columns);
          rows.push(row);
        })
        .on('end', () => {
          const { affectedRows = 0, insertId } = (
            columns === 0 ? (rows[0] ?? {}) : {}
          ) as Partial<ResultSetHeader>;
          resolve({ rows, changed: affectedRows, ...(insertId !== undefined && { insertId }) });
        });
    });
  const query: Target['query'] = async (sql, values = [], withinMs = ANSWER_MS) =>
    (await answered(() => driver.query(sql, [...values]), withinMs)).rows;
  // Prepared, so no value is ever written into a statement.
  const ask: Target['ask'] = ({ text }, values, withinMs) =>
    answered(
      () => (values.length === 0 ? driver.query(text) : driver.execute(text, [...values] as ExecuteValues)),
      withinMs,
    );
  await query(`set session lock_wait_timeout = ${Math.ceil(lockMs / 1000)}`);
  // The server's own modes might change values that do not fit instead of refusing them, or interpret statements
  // differently.
  await query(`set session sql_mode = '${STRICT},NO_ZERO_IN_DATE,NO_ZERO_DATE'`);
  return {
    dialect: 'mysql',
    get isClosed() {
      return connection.isClosed || stream.destroyed;
    },
    query,
    ask,
    end: () => connection.end(() => new Promise<void>((resolve) => driver.end(() => resolve()))),
    destroy: () => {
      driver.destroy();
      connection.close();
    },
  };
}

async function openPostgresql(
  address: TargetAddress,
  { connectMs, lockMs }: Patience,
  connection: TargetConnection,
): Promise<Target> {
  const { host, port, user, password, database, schema } = address;
  const { stream } = connection;
  const client = new Client({
    host,
    port,
    user,
    password,
    database,
    connectionTimeoutMillis: connectMs,
    stream: () => connected(stream),
    ...tlsOf(address, {}),
  });
  client.on('error', () => undefined);
  checkMessages(client, connection);
  if (!isEncrypted(address) && (address.protection ?? 'scram') === 'scram')
    refusePlainPasswords(client, connection);
  await client.connect();
  const columns: KnownColumns = new Map();
  const askTogether = (asked: readonly Repeated[], withinMs: number): Promise<readonly Answered[]> =>
    connection.ask(
      withinMs,
      (...ends) => void client.query(new RepeatedQuestions(asked, client, columns, ...ends)),
    );
  const ask: Target['ask'] = async ({ name, text }, values, withinMs) => {
    if (name !== undefined && areScalars(values)) {
      const [answer] = await askTogether([{ name, text, values }], withinMs);
      return answer as Answered;
    }
    return connection.ask(withinMs, (resolve, reject, onRow) => {
      const rows: Row[] = [];
      const asked = new Query<Record<string, unknown>>({
        text,
        ...(name !== undefined && { name }),
        values: [...values],
      });
      asked.on('row', (row) => {
        onRow();
        rows.push(row);
      });
      asked.on('error', reject);
      asked.on('end', ({ rowCount }) => resolve({ rows, changed: rowCount ?? 0 }));
      client.query(asked);
    });
  };
  const query: Target['query'] = async (sql, values = [], withinMs = ANSWER_MS) =>
    (await ask({ text: values.length === 0 ? sql : numbered(sql) }, values, withinMs)).rows;
  await query(`set lock_timeout = ${lockMs}`);
  if (schema !== undefined) await query(`select set_config('search_path', ?, false)`, [schema]);
  return {
    dialect: 'postgresql',
    get isClosed() {
      return connection.isClosed || stream.destroyed;
    },
    query,
    ask,
    askTogether,
    end: () => connection.end(() => client.end()),
    destroy: () => {
      client.end().catch(() => undefined);
      connection.close();
    },
  };
}

const tlsOf = (address: TargetAddress, more: object): { ssl?: object } => {
  if (!isEncrypted(address)) return {};
  const [ca, own] = [address.certificate, address.identity].map((text) => text && inLines(text));
  // Of a text with both, OpenSSL reads the part that it needs.
  return { ssl: { ...(ca && { ca }), ...(own && { cert: own, key: own }), ...more } };
};

/** PEM files that were put together, the first of which had no line end. */
const inLines = (pem: string): string => pem.replaceAll('----------', '-----\n-----');

const isEncrypted = ({ certificate, identity, protection }: TargetAddress): boolean =>
  certificate !== undefined || identity !== undefined || protection === 'authorities';

/** A server may ask for the password itself, or for a hash that is as good. Without TLS, others could read it. */
const refusePlainPasswords = (client: Client, connection: TargetConnection): void => {
  const { connection: protocol } = client as unknown as { connection: NodeJS.EventEmitter };
  for (const asks of ['authenticationCleartextPassword', 'authenticationMD5Password'])
    // Before the listener of the driver, which then writes into a closed stream.
    protocol.prependListener(asks, () => connection.close(new PlainPasswordAsked()));
};

/** The server asked for the password in clear, and the connection is not encrypted. It was not sent. */
export class PlainPasswordAsked extends Error {
  override readonly name = 'PlainPasswordAsked';
  readonly code = 'PLAIN_PASSWORD';

  constructor() {
    super('the server asks for the password without encryption');
  }
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
    await target.end();
  }
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
