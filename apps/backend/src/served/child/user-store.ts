/** The users of an API and their sessions, in tables of the product's own database that are made for the first user. */
import { createHash, randomBytes, randomUUID } from 'node:crypto';
import type { Permission } from '@quarterdeck/api';
import { USER_SESSIONS, USERS, userTables } from '@quarterdeck/data-model';
import type { Connection, Connections } from './connections';

export interface StoredUser {
  readonly id: string;
  readonly email: string;
  readonly permission: Permission;
  /** Whose rows they see, in a product with tenants. */
  readonly tenant: string | null;
  /** ISO 8601 */
  readonly addedAt: string;
}

export interface UserWithPassword extends StoredUser {
  /** In PHC string format. */
  readonly passwordHash: string | null;
}

interface Session {
  readonly token: string;
  /** ISO 8601 */
  readonly expiresAt: string;
}

const SESSION_MS = 30 * 24 * 3_600_000;
/** Of one user. With more, the oldest ends. */
const MAX_SESSIONS = 20;
const LISTED = 'id, email, permission, tenant, added_at as "addedAt"';

const tokenOf = (): string => `u_${randomBytes(32).toString('base64url')}`;
export const isSessionToken = (token: string): boolean => /^u_[\w-]{43}$/.test(token);
const hashOf = (token: string): string => createHash('sha256').update(token).digest('hex');

const codeOf = (error: unknown): string => String((error as { code?: unknown } | null)?.code);
const isMissing = (error: unknown): boolean => ['42P01', 'ER_NO_SUCH_TABLE'].includes(codeOf(error));
const isTaken = (error: unknown): boolean => ['23505', 'ER_DUP_ENTRY'].includes(codeOf(error));

type Ask = (text: string, values?: readonly unknown[]) => ReturnType<Connection['ask']>;

export class UserStore {
  constructor(
    private readonly connections: Connections,
    private readonly instance: string,
  ) {}

  /** @returns false if the address is taken */
  async add(email: string, passwordHash: string, permission: Permission): Promise<boolean> {
    const insert = (): Promise<unknown> =>
      this.use((ask) =>
        ask(
          `insert into ${USERS} (id, instance, email, password_hash, permission, added_at) values (?, ?, ?, ?, ?, ?)`,
          [randomUUID(), this.instance, email, passwordHash, permission, now()],
        ),
      );
    try {
      await insert().catch(async (error: unknown) => {
        if (!isMissing(error)) throw error;
        await this.makeTables();
        await insert();
      });
      return true;
    } catch (error) {
      if (isTaken(error)) return false;
      throw error;
    }
  }

  async byEmail(email: string): Promise<UserWithPassword | undefined> {
    const rows = await this.rows<UserWithPassword>(
      `select ${LISTED}, password_hash as "passwordHash" from ${USERS} where instance = ? and email = ?`,
      [this.instance, email],
    );
    return rows[0];
  }

  /** @returns undefined if the session has ended, or the account is locked */
  async bySession(token: string): Promise<StoredUser | undefined> {
    const rows = await this.rows<StoredUser>(
      `select ${LISTED} from ${USERS} where instance = ? and locked_at is null and id =
         (select user_id from ${USER_SESSIONS} where token_hash = ? and expires_at > ?)`,
      [this.instance, hashOf(token), now()],
    );
    return rows[0];
  }

  /** @returns the token, which is stored only as a hash; undefined if the account is locked, or has another password by now */
  async begin({ id: user, passwordHash }: UserWithPassword): Promise<Session | undefined> {
    const token = tokenOf();
    const expiresAt = now(SESSION_MS);
    return this.within(async (ask) => {
      // The row of the user first: a lock, a new password and other sessions wait here.
      const { changed } = await ask(
        `update ${USERS} set signed_in_at = ? where id = ? and password_hash = ? and locked_at is null`,
        [now(), user, passwordHash],
      );
      if (changed === 0) return undefined;
      await ask(`delete from ${USER_SESSIONS} where user_id = ? and expires_at <= ?`, [user, now()]);
      const { rows } = await ask(
        `select token_hash as "hash" from ${USER_SESSIONS} where user_id = ? order by added_at desc, token_hash`,
        [user],
      );
      for (const { hash } of rows.slice(MAX_SESSIONS - 1))
        await ask(`delete from ${USER_SESSIONS} where token_hash = ?`, [hash]);
      await ask(
        `insert into ${USER_SESSIONS} (token_hash, user_id, added_at, expires_at) values (?, ?, ?, ?)`,
        [hashOf(token), user, now(), expiresAt],
      );
      return { token, expiresAt };
    });
  }

  async end(token: string): Promise<void> {
    await this.rows(`delete from ${USER_SESSIONS} where token_hash = ?`, [hashOf(token)]);
  }

  /** Ends all sessions but the one that asks for it. */
  async setPassword(user: string, passwordHash: string, token: string): Promise<void> {
    await this.within(async (ask) => {
      await ask(`update ${USERS} set password_hash = ? where id = ?`, [passwordHash, user]);
      await ask(`delete from ${USER_SESSIONS} where user_id = ? and token_hash <> ?`, [user, hashOf(token)]);
    });
  }

  /** Empty as long as the tables do not exist. */
  private async rows<T>(text: string, values: readonly unknown[]): Promise<T[]> {
    try {
      return (await this.use((ask) => ask(text, values))).rows as T[];
    } catch (error) {
      if (isMissing(error)) return [];
      throw error;
    }
  }

  private async makeTables(): Promise<void> {
    const { dialect } = this.connections;
    await this.within(async (ask) => {
      // Two processes may begin at once, and PostgreSQL would refuse one of them.
      if (dialect === 'postgresql')
        await ask(`select pg_advisory_xact_lock(hashtext('quarterdeck:${USERS}'))`);
      for (const statement of userTables(dialect)) await ask(statement);
    });
  }

  private use<T>(work: (ask: Ask) => Promise<T>): Promise<T> {
    return this.connections.use((connection) => work(this.asked(connection)));
  }

  private within<T>(work: (ask: Ask) => Promise<T>): Promise<T> {
    return this.connections.within((connection) => work(this.asked(connection)));
  }

  /** Statements have `?` for each value. */
  private asked(connection: Connection): Ask {
    return (text, values) => connection.ask(placed(text, this.connections.dialect), values);
  }
}

/** @param later milliseconds */
const now = (later = 0): string => new Date(Date.now() + later).toISOString();

const placed = (text: string, dialect: Connections['dialect']): string => {
  if (dialect === 'mysql') return text.replaceAll(/as "(\w+)"/g, 'as `$1`');
  let at = 0;
  return text.replaceAll('?', () => `$${(at += 1)}`);
};
