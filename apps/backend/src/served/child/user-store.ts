/** The users of an API and their sessions, in tables of the product's own database that are made for the first user. */
import { randomUUID } from 'node:crypto';
import type { Permission } from '@quarterdeck/api';
import { USER_RESETS, USER_SESSIONS, USERS, userTables } from '@quarterdeck/data-model';
import type { Connection, Connections } from './connections';
import {
  entered,
  hashOf,
  isOpen,
  LISTED,
  now,
  openSession,
  tokenOf,
  type Ask,
  type Entered,
  type Identified,
  type Session,
  type StoredUser,
} from './user-entrance';

export interface UserWithPassword extends StoredUser {
  /** In PHC string format. */
  readonly passwordHash: string | null;
}

/** A user as operators see them. */
interface ListedUser extends Omit<StoredUser, 'permission'> {
  /** Whatever the row has. */
  readonly permission: string;
  /** ISO 8601, null: never */
  readonly signedInAt: string | null;
  /** ISO 8601, null: they are not locked */
  readonly lockedAt: string | null;
  /** Open ones. */
  readonly sessions: number;
}

/** What an operator changes. */
export type UserChange =
  | { readonly is: 'lock' | 'unlock' | 'signOut' | 'delete' }
  | { readonly is: 'permit'; readonly permission: Permission };

/** Where users are: the connections of a served API, or one of the console. */
export type UserDatabase = Pick<Connections, 'dialect' | 'use' | 'within'>;

/** How long the code for a new password is valid. */
export const RESET_MINUTES = 30;
export const isSessionToken = (token: string): boolean => /^u_[\w-]{43}$/.test(token);
export const isResetToken = (token: string): boolean => /^r_[\w-]{43}$/.test(token);
const codeOf = (error: unknown): string => String((error as { code?: unknown } | null)?.code);
const isMissing = (error: unknown): boolean => ['42P01', 'ER_NO_SUCH_TABLE'].includes(codeOf(error));
const isTaken = (error: unknown): boolean => ['23505', 'ER_DUP_ENTRY'].includes(codeOf(error));

export class UserStore {
  constructor(
    private readonly connections: UserDatabase,
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
      await this.withTables(insert);
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
    return this.within(async (ask) => {
      // The row of the user first: a lock, a new password and other sessions wait here.
      const { changed } = await ask(
        `update ${USERS} set signed_in_at = ? where id = ? and password_hash = ? and locked_at is null`,
        [now(), user, passwordHash],
      );
      return changed === 0 ? undefined : openSession(ask, user);
    });
  }

  /**
   * Begins a session of whoever a service has identified: of the user who has that account, or the one with its address. The
   * service has verified that address and this API has not, so whoever signed up with it loses password and sessions.
   */
  async enter(identified: Identified): Promise<Entered> {
    const once = (): Promise<Entered> =>
      this.withTables(() => this.within((ask) => entered(ask, this.instance, identified)));
    try {
      return await once();
    } catch (error) {
      // Another sign-in of the same account was faster.
      if (!isTaken(error)) throw error;
      return once();
    }
  }

  async end(token: string): Promise<void> {
    await this.rows(`delete from ${USER_SESSIONS} where token_hash = ?`, [hashOf(token)]);
  }

  /** Ends all sessions but the one that asks for it. A code for a new password is void. */
  async setPassword(user: string, passwordHash: string, token: string): Promise<void> {
    await this.withTables(() =>
      this.within(async (ask) => {
        await ask(`update ${USERS} set password_hash = ? where id = ?`, [passwordHash, user]);
        await ask(`delete from ${USER_RESETS} where user_id = ?`, [user]);
        await ask(`delete from ${USER_SESSIONS} where user_id = ? and token_hash <> ?`, [
          user,
          hashOf(token),
        ]);
      }),
    );
  }

  /**
   * @returns a code that sets a new password once, which is stored only as a hash; one of before is void. Undefined if the
   * account is locked
   */
  async beginReset(user: string): Promise<string | undefined> {
    const token = tokenOf('r');
    return this.withTables(() =>
      this.within(async (ask) => {
        // Two requests at once wait here for each other.
        if (!(await isOpen(ask, user))) return undefined;
        await ask(`delete from ${USER_RESETS} where user_id = ?`, [user]);
        await ask(`insert into ${USER_RESETS} (token_hash, user_id, expires_at) values (?, ?, ?)`, [
          hashOf(token),
          user,
          now(RESET_MINUTES * 60_000),
        ]);
        return token;
      }),
    );
  }

  /** @returns the id; undefined if the code is wrong, used or too old, or the account is locked */
  async byReset(token: string): Promise<string | undefined> {
    const rows = await this.rows<{ id: string }>(
      `select id from ${USERS} where instance = ? and locked_at is null and id =
         (select user_id from ${USER_RESETS} where token_hash = ? and expires_at > ?)`,
      [this.instance, hashOf(token), now()],
    );
    return rows[0]?.id;
  }

  /**
   * Ends all sessions.
   * @returns false if the code has been used or the account has been locked since
   */
  async reset(user: string, passwordHash: string, token: string): Promise<boolean> {
    return this.within(async (ask) => {
      if (!(await isOpen(ask, user))) return false;
      const { changed } = await ask(`delete from ${USER_RESETS} where token_hash = ?`, [hashOf(token)]);
      if (changed === 0) return false;
      await ask(`update ${USERS} set password_hash = ? where id = ?`, [passwordHash, user]);
      await ask(`delete from ${USER_SESSIONS} where user_id = ?`, [user]);
      return true;
    });
  }

  /**
   * By e-mail address.
   * @param search a part of the address
   * @param after the address before the first one
   */
  async list(search: string, after: string, most: number): Promise<ListedUser[]> {
    const part = search.normalize('NFC').toLowerCase().replaceAll(/[!%_]/g, '!$&');
    const users = await this.rows<ListedUser>(
      `select ${LISTED}, signed_in_at as "signedInAt", locked_at as "lockedAt",
         (select count(*) from ${USER_SESSIONS} where user_id = ${USERS}.id and expires_at > ?) as "sessions"
       from ${USERS} where instance = ? and email > ? and email like ? escape '!'
       order by email limit ${most}`,
      [now(), this.instance, after, `%${part}%`],
    );
    return users.map((user) => ({ ...user, sessions: Number(user.sessions) }));
  }

  /**
   * @param within is called if the user changes, before the transaction ends: if it fails, nothing changes
   * @returns false if there is no such user
   */
  async change(id: string, change: UserChange, within: () => Promise<unknown>): Promise<boolean> {
    return this.orMissing(false, () =>
      this.within(async (ask) => {
        const { rows } = await ask(`select id from ${USERS} where instance = ? and id = ? for update`, [
          this.instance,
          id,
        ]);
        if (rows.length === 0) return false;
        let rowsChanged = 0;
        for (const [text, values] of statementsOf(change, id))
          rowsChanged += (await ask(text, values)).changed;
        if (rowsChanged > 0) await within();
        return true;
      }),
    );
  }

  /**
   * Deletes all users of the instance.
   * @param within gets their number, and is called before the transaction ends: if it fails, nothing changes
   */
  async deleteAll(within: (users: number) => Promise<unknown>): Promise<void> {
    await this.orMissing(undefined, () =>
      this.within(async (ask) => {
        const { changed } = await ask(`delete from ${USERS} where instance = ?`, [this.instance]);
        if (changed > 0) await within(changed);
      }),
    );
  }

  /** Empty as long as the tables do not exist. */
  private async rows<T>(text: string, values: readonly unknown[]): Promise<T[]> {
    return this.orMissing([], async () => (await this.use((ask) => ask(text, values))).rows as T[]);
  }

  private async orMissing<T>(missing: T, work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (error) {
      if (isMissing(error)) return missing;
      throw error;
    }
  }

  /** The work is done again after the tables were made, if one did not exist. */
  private async withTables<T>(work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (error) {
      if (!isMissing(error)) throw error;
      await this.makeTables();
      return work();
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

/** Those that find nothing to change change no row. */
const statementsOf = (change: UserChange, user: string): [text: string, values: unknown[]][] => {
  const signOut: [string, unknown[]] = [`delete from ${USER_SESSIONS} where user_id = ?`, [user]];
  switch (change.is) {
    case 'lock':
      return [
        [`update ${USERS} set locked_at = ? where id = ? and locked_at is null`, [now(), user]],
        signOut,
      ];
    case 'unlock':
      return [[`update ${USERS} set locked_at = null where id = ? and locked_at is not null`, [user]]];
    case 'signOut':
      return [signOut];
    case 'permit': {
      const { permission } = change;
      return [
        [
          `update ${USERS} set permission = ? where id = ? and permission <> ?`,
          [permission, user, permission],
        ],
      ];
    }
    case 'delete':
      return [[`delete from ${USERS} where id = ?`, [user]]];
  }
};

const placed = (text: string, dialect: Connections['dialect']): string => {
  if (dialect === 'mysql') return text.replaceAll(/as "(\w+)"/g, 'as `$1`');
  let at = 0;
  return text.replaceAll('?', () => `$${(at += 1)}`);
};
