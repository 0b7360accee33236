/** What the rest of the back end does with sessions. */
import type { Role } from '@quarterdeck/events';
import type { ClientBase } from 'pg';
import type { NewSession, Session } from './session';

/** How a session was started. */
export interface Opening {
  /** `link`, `invitation`, or the provider. */
  via: string;
  /** The user agent of the browser. */
  userAgent?: string | undefined;
  /** Goes before the name of the cookie, and is a part of what opens the session. */
  prefix?: string;
}

/** An open session of a person, as `list` returns it. */
export interface OpenSession {
  id: string;
  ref: string;
  via: string;
  userAgent?: string;
  /** When the second factor was last given. */
  provedAt?: Date;
  startedAt: Date;
  lastUsedAt: Date;
  endsWhenIdleAt: Date;
  endsAt: Date;
}

export interface Sessions {
  /** The session that the secret opens; `undefined` if there is none (any more). Needs no query while it is cached. */
  load(secret: string | undefined): Promise<Session | undefined>;
  /** In the transaction of `client`, if given. @returns the cookie's value */
  open(session: NewSession, how: Opening, client?: ClientBase): Promise<string>;
  /** A person's open sessions, most recently used first. */
  list(person: string): Promise<OpenSession[]>;
  revoke(id: string): Promise<void>;
  /** Revokes all sessions of the person. */
  revokeAllOf(person: string): Promise<void>;
  /** The second factor was given in the session just now. */
  prove(id: string): Promise<void>;
  /** Revokes the sessions of a person in which the second factor was not given. */
  revokeUnprovedOf(person: string): Promise<void>;
  /** The same for everybody in the workspace. */
  revokeUnprovedIn(workspace: string): Promise<void>;
  /** Revokes all sessions in the workspace but those of superadmins. */
  revokeAllIn(workspace: string): Promise<void>;
  /** Drops the cached session, so that it is read again. */
  forget(id: string): void;
  /** Drops all cached sessions of the person, who was removed. */
  dismiss(person: string): void;
  /** Number of open sessions by person. */
  countByPerson(workspace: string): Promise<Map<string, number>>;
  /**
   * The new role counts in every process once the transaction of `client` has ended. The caller then has to `forget`
   * the sessions in this process.
   * @returns their ids
   */
  changeRole(person: string, role: Role, client: ClientBase): Promise<string[]>;
  /** Calls back for every session that was revoked or expired, in any process. */
  onRevoked(listener: (id: string) => void): () => void;
}
