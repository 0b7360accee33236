/** The connections of a served API to its database: a few, each with limits of time that the engine itself keeps. */
import { createHash } from 'node:crypto';
import { sessionOf } from '@quarterdeck/api';
import {
  areScalars,
  isLost,
  openTarget,
  socketTo,
  type Answered,
  type Repeated,
  type Target,
  type TargetAddress,
} from '../../databases/connections.program';
import { busy } from './refusal';

/** What the console tells a child about its database. */
export type DatabaseAccess = Omit<TargetAddress, 'connect'> & {
  /** An address that the console has judged. The child connects to it instead of the host. */
  readonly address?: string;
  /** A Unix socket of the console, which leads to the host through a server. The child connects to it instead. */
  readonly socket?: string;
};

export interface DatabaseLimits {
  /** Connections at once. */
  readonly most: number;
  /** Of one statement. */
  readonly statementMs: number;
  /** Requests that wait for a connection. */
  readonly mostWaiting: number;
  readonly waitMs: number;
}

export const DATABASE_LIMITS: DatabaseLimits = {
  most: 10,
  statementMs: 5000,
  mostWaiting: 200,
  waitMs: 3000,
};

const CONNECT_MS = 3000;
/** After the engine's own limit, the connection is closed. */
const GRACE_MS = 2000;
const IDLE_MS = 30_000;
/** How long after a failed connection all requests are refused without another attempt. */
const PAUSE_MS = 250;
const SNAPSHOT = {
  postgresql: ['start transaction isolation level repeatable read, read only'],
  // Sessions have read committed, in which a snapshot is ignored and each statement sees a state of its own.
  mysql: [
    'set transaction isolation level repeatable read',
    'start transaction with consistent snapshot, read only',
  ],
} as const;
/** Prepared statements of one connection. */
const MAX_PREPARED = 500;

export interface Question {
  /** `$1`, `$2` in PostgreSQL and `?` in MySQL. */
  readonly text: string;
  /** Texts, numbers, flags or null. */
  readonly values: readonly unknown[];
}

export interface Connection {
  ask(text: string, values?: readonly unknown[]): Promise<Answered>;
}

export interface SharedConnection extends Connection {
  /**
   * As one transaction, with one writing.
   * @returns undefined: they cannot be asked so
   */
  together(asked: readonly Question[]): Promise<readonly Answered[]> | undefined;
}

interface Open extends SharedConnection {
  readonly target: Target;
  idleSince: number;
  /** Statements that were answered to those who borrowed it. */
  answered: number;
  /** It may still be within a transaction. */
  isSpoilt: boolean;
}

/** The conversation ended because an answer was too large or came too late. */
const isClosedFor = (error: unknown): boolean =>
  /^(ANSWER_TOO_LARGE|ETIMEDOUT)$/.test(String((error as { code?: unknown } | null)?.code));

export const away = () => busy('the database of this API cannot be reached at the moment', 2);

export class Connections {
  private readonly idle: Open[] = [];
  private readonly waiting: { take: (open: Open) => void; fail: (error: unknown) => void }[] = [];
  private readonly sweeping = setInterval(() => this.sweep(), IDLE_MS / 2).unref();
  private opened = 0;
  private failedAt = -Infinity;
  private isAway = false;
  private isClosed = false;

  /** @param onAway called with the first failure to reach the database after it was reached */
  constructor(
    private readonly access: DatabaseAccess,
    private readonly limits: DatabaseLimits = DATABASE_LIMITS,
    private readonly onAway: (error: unknown) => void = () => undefined,
  ) {}

  get dialect(): TargetAddress['dialect'] {
    return this.access.dialect;
  }

  /**
   * The work is done again if the connection had been lost before its first statement.
   *
   * @throws ApiRefusal 503, and what the work throws
   */
  use<T>(work: (connection: Connection) => Promise<T>): Promise<T> {
    return this.lend(work);
  }

  /**
   * The work is one statement that writes, and a transaction by itself. It is never done again: it may have been carried
   * out by a connection that was lost before it answered.
   */
  once<T>(work: (connection: Connection) => Promise<T>): Promise<T> {
    return this.lend(work, false);
  }

  /** The work asks for several requests. It is never done again. */
  share<T>(work: (connection: SharedConnection) => Promise<T>): Promise<T> {
    return this.lend(work, false);
  }

  private async lend<T>(work: (connection: Open) => Promise<T>, isRepeatable = true): Promise<T> {
    const open = await this.take();
    const before = open.answered;
    let isUsable = true;
    try {
      return await work(open);
    } catch (error) {
      const isGone = isLost(error);
      isUsable = !isGone && !isClosedFor(error) && !open.isSpoilt;
      if (!isGone) throw error;
      // The others were probably lost together with it.
      for (const one of this.idle.splice(0)) this.drop(one);
      // A connection that nobody has used yet was not lost while it waited.
      if (!isRepeatable || before === 0 || open.answered > before) throw away();
    } finally {
      if (isUsable) this.give(open);
      else this.drop(open);
    }
    return this.lend(work);
  }

  /** The work is a transaction. */
  within<T>(work: (connection: Connection) => Promise<T>): Promise<T> {
    return this.transaction(['begin'], work);
  }

  /** The work is a transaction that sees one state of the database. The database refuses its writes. */
  reading<T>(work: (connection: Connection) => Promise<T>): Promise<T> {
    return this.transaction(SNAPSHOT[this.dialect], work);
  }

  private transaction<T>(begin: readonly string[], work: (connection: Connection) => Promise<T>): Promise<T> {
    return this.lend(async (connection) => {
      for (const statement of begin) await connection.ask(statement);
      let result: T;
      try {
        result = await work(connection);
      } catch (error) {
        // A connection that cannot roll back is closed, which rolls back too.
        if (!isLost(error))
          await connection.ask('rollback').catch(() => {
            connection.isSpoilt = true;
          });
        throw error;
      }
      await connection.ask('commit');
      return result;
    });
  }

  /** Opens a connection in advance, so that the first request does not wait for it. */
  warm(): void {
    this.open().then(
      (open) => this.give(open),
      () => undefined,
    );
  }

  async close(): Promise<void> {
    this.isClosed = true;
    clearInterval(this.sweeping);
    for (const { fail } of this.waiting.splice(0)) fail(away());
    await Promise.all(this.idle.splice(0).map(({ target }) => target.end()));
  }

  private async take(): Promise<Open> {
    for (let open = this.idle.pop(); open; open = this.idle.pop()) {
      if (!open.target.isClosed) return open;
      this.drop(open);
    }
    if (this.opened < this.limits.most) return this.open();
    if (this.waiting.length >= this.limits.mostWaiting)
      throw busy('too many requests wait for the database of this API');
    return new Promise((resolve, reject) => {
      const one = {
        take: (given: Open) => (clearTimeout(timer), resolve(given)),
        fail: (error: unknown) => (clearTimeout(timer), reject(error as Error)),
      };
      const timer = setTimeout(() => {
        this.waiting.splice(this.waiting.indexOf(one), 1);
        reject(busy('the database of this API has too much to do'));
      }, this.limits.waitMs);
      this.waiting.push(one);
    });
  }

  private async open(): Promise<Open> {
    if (this.isClosed || performance.now() - this.failedAt < PAUSE_MS) throw away();
    this.opened += 1;
    try {
      const { address, socket, ...access } = this.access;
      const at =
        socket === undefined ? { host: address ?? access.host, port: access.port } : { path: socket };
      const target = await openTarget(
        { ...access, connect: (_, withinMs) => socketTo(at, withinMs) },
        { connectMs: CONNECT_MS, lockMs: this.limits.statementMs },
      );
      await limit(target, this.limits.statementMs);
      this.isAway = false;
      return opened(target, this.limits.statementMs + GRACE_MS);
    } catch (error) {
      if (!this.isAway) this.onAway(error);
      this.isAway = true;
      this.opened -= 1;
      this.failedAt = performance.now();
      for (const { fail } of this.waiting.splice(0)) fail(away());
      throw away();
    }
  }

  private give(open: Open): void {
    const next = this.waiting.shift();
    if (next) return next.take(open);
    if (this.isClosed) return this.drop(open);
    open.idleSince = performance.now();
    this.idle.push(open);
  }

  private drop({ target }: Open): void {
    this.opened -= 1;
    target.destroy();
    // Those who wait get a new connection instead of this one.
    const next = this.waiting.shift();
    if (next) this.open().then(next.take, next.fail);
  }

  private sweep(): void {
    const before = performance.now() - IDLE_MS;
    for (const open of this.idle.filter(({ idleSince }) => idleSince < before)) {
      this.idle.splice(this.idle.indexOf(open), 1);
      this.opened -= 1;
      void open.target.end();
    }
  }
}

/** Each engine has its own word for the longest time of a statement. */
const limit = async (target: Target, ms: number): Promise<void> => {
  const session = sessionOf(target.dialect);
  if (target.dialect === 'postgresql') {
    // In one question: after its process has begun again, all callers wait for new connections.
    const limits = [`set statement_timeout = ${ms}`, `set idle_in_transaction_session_timeout = ${4 * ms}`];
    await target.query([...session, ...limits].join('; '));
    return;
  }
  for (const statement of session) await target.query(statement);
  const [row] = await target.query('select version() as version');
  await target.query(
    /mariadb/i.test(String(row?.['version']))
      ? `set session max_statement_time = ${ms / 1000}`
      : `set session max_execution_time = ${ms}`,
  );
  await target.query(`set session innodb_lock_wait_timeout = ${Math.ceil(ms / 1000)}`);
};

const isAccepted = (value: unknown): boolean =>
  value === null || typeof value !== 'object' || (Array.isArray(value) && areScalars(value));

const opened = (target: Target, withinMs: number): Open => {
  const names = new Map<string, string>();
  const nameOf = (text: string): string | undefined => {
    const known = names.get(text);
    if (known !== undefined || target.dialect === 'mysql' || names.size >= MAX_PREPARED) return known;
    const name = createHash('sha1').update(text).digest('base64url');
    names.set(text, name);
    return name;
  };
  const open: Open = {
    target,
    idleSince: 0,
    answered: 0,
    isSpoilt: false,
    ask: async (text, values = []) => {
      // mysql2 would write an object as SQL.
      if (!values.every(isAccepted)) throw new TypeError('a value of a statement is an object');
      const name = values.length > 0 ? nameOf(text) : undefined;
      const answer = await target.ask({ text, ...(name !== undefined && { name }) }, values, withinMs);
      open.answered += 1;
      return answer;
    },
    together: (asked) => {
      const all: Repeated[] = [];
      for (const { text, values } of asked) {
        const name = nameOf(text);
        if (name === undefined || !areScalars(values)) return undefined;
        all.push({ name, text, values });
      }
      open.answered += 1;
      return target.askTogether?.(all, withinMs);
    },
  };
  return open;
};
