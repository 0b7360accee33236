/** Opens sessions of users, and links accounts of services to them. Runs within the caller's transaction. */
import { createHash, randomBytes, randomUUID } from 'node:crypto';
import type { Permission } from '@quarterdeck/api';
import { USER_IDENTITIES, USER_RESETS, USER_SESSIONS, USERS } from '@quarterdeck/data-model';
import type { Connection } from './connections';

export interface StoredUser {
  readonly id: string;
  readonly email: string;
  readonly permission: Permission;
  /** Whose rows they see, in a product with tenants. */
  readonly tenant: string | null;
  /** ISO 8601 */
  readonly addedAt: string;
}

/** Somebody whom a service has identified. */
export interface Identified {
  readonly service: string;
  /** SHA-256 of what the service calls the account. */
  readonly account: string;
  /** One that the service has verified, as it is stored. */
  readonly email?: string | undefined;
  /** Whether a new user may be made. */
  readonly mayAdd: boolean;
}

/** `unverified`: nobody has this account yet, and it has no address to find or add a user with. */
type Refused = 'locked' | 'unverified' | 'unknown';

export type Entered = (Session & { readonly user: StoredUser }) | Refused;

export interface Session {
  readonly token: string;
  /** ISO 8601 */
  readonly expiresAt: string;
}

const SESSION_MS = 30 * 24 * 3_600_000;
/** Of one user. With more, the oldest ends. */
const MAX_SESSIONS = 20;
export const LISTED = 'id, email, permission, tenant, added_at as "addedAt"';

export const tokenOf = (kind: 'u' | 'r'): string => `${kind}_${randomBytes(32).toString('base64url')}`;
export const hashOf = (token: string): string => createHash('sha256').update(token).digest('hex');

export type Ask = (text: string, values?: readonly unknown[]) => ReturnType<Connection['ask']>;

export const entered = async (
  ask: Ask,
  instance: string,
  { service, account, email, mayAdd }: Identified,
): Promise<Entered> => {
  const identity = hashOf(`${instance}\n${service}\n${account}`);
  const linked = await ask(
    `select ${LISTED} from ${USERS} where instance = ? and id =
       (select user_id from ${USER_IDENTITIES} where identity = ?)`,
    [instance, identity],
  );
  let [user] = linked.rows as unknown as (StoredUser | undefined)[];
  if (!user) {
    if (email === undefined) return 'unverified';
    const byEmail = async (): Promise<StoredUser | undefined> => {
      const { rows } = await ask(`select ${LISTED} from ${USERS} where instance = ? and email = ?`, [
        instance,
        email,
      ]);
      return rows[0] as StoredUser | undefined;
    };
    user = await byEmail();
    if (!user && !mayAdd) return 'unknown';
    if (user) {
      if (!(await isOpen(ask, user.id))) return 'locked';
      await takeOver(ask, user.id);
    } else {
      await ask(`insert into ${USERS} (id, instance, email, permission, added_at) values (?, ?, ?, ?, ?)`, [
        randomUUID(),
        instance,
        email,
        'app',
        now(),
      ]);
      user = await byEmail();
    }
    if (!user) return 'unknown';
    await ask(`insert into ${USER_IDENTITIES} (identity, user_id, service, added_at) values (?, ?, ?, ?)`, [
      identity,
      user.id,
      service,
      now(),
    ]);
  }
  const { changed } = await ask(`update ${USERS} set signed_in_at = ? where id = ? and locked_at is null`, [
    now(),
    user.id,
  ]);
  return changed === 0 ? 'locked' : { ...(await openSession(ask, user.id)), user };
};

/** Unless a service has shown before that the address is theirs. */
const takeOver = async (ask: Ask, user: string): Promise<void> => {
  const { rows } = await ask(`select identity from ${USER_IDENTITIES} where user_id = ?`, [user]);
  if (rows.length > 0) return;
  await ask(`update ${USERS} set password_hash = null where id = ?`, [user]);
  await ask(`delete from ${USER_SESSIONS} where user_id = ?`, [user]);
  await ask(`delete from ${USER_RESETS} where user_id = ?`, [user]);
};

/** Locks the row of the user, which others change only one after the other. @returns false if the account is locked */
export const isOpen = async (ask: Ask, user: string): Promise<boolean> => {
  const { rows } = await ask(`select id from ${USERS} where id = ? and locked_at is null for update`, [user]);
  return rows.length > 0;
};

/** Within a transaction that holds the row of the user. */
export const openSession = async (ask: Ask, user: string): Promise<Session> => {
  const token = tokenOf('u');
  const expiresAt = now(SESSION_MS);
  await ask(`delete from ${USER_SESSIONS} where user_id = ? and expires_at <= ?`, [user, now()]);
  const { rows } = await ask(
    `select token_hash as "hash" from ${USER_SESSIONS} where user_id = ? order by added_at desc, token_hash`,
    [user],
  );
  for (const { hash } of rows.slice(MAX_SESSIONS - 1))
    await ask(`delete from ${USER_SESSIONS} where token_hash = ?`, [hash]);
  await ask(`insert into ${USER_SESSIONS} (token_hash, user_id, added_at, expires_at) values (?, ?, ?, ?)`, [
    hashOf(token),
    user,
    now(),
    expiresAt,
  ]);
  return { token, expiresAt };
};

/** @param later milliseconds */
export const now = (later = 0): string => new Date(Date.now() + later).toISOString();
