/** The caller, and the meta that every command carries. */
import type { FactorLack, Role } from '@quarterdeck/events';
import { v5 as uuidv5, v7 as uuidv7 } from 'uuid';
import type { RequestContext } from '../logging';
import type { Vault } from '../tokens';
import { randomSecret } from './session-store';
import type { CommandMeta } from '../command-meta';

export type { CommandMeta };

export interface Session {
  /** Hash of the cookie's value: it identifies the session but does not open it. */
  id: string;
  person: string;
  workspace: string;
  workspaceName: string;
  role: Role;
  /** The person has a second factor. */
  hasFactor: boolean;
  /** When the second factor was last given in this session. */
  provedAt?: Date;
  /** Only calls that accept this lack accept the session. */
  lacks?: FactorLack;
}

/** What a new session needs to know. */
export type NewSession = Pick<Session, 'person' | 'workspace' | 'workspaceName' | 'role'>;

/** For the console's own actions (`system`) and the command line (`cli`). */
export const ownMeta = (actor: string, workspace: string, correlationId: string = uuidv7()): CommandMeta => {
  const commandId = uuidv7();
  return { actor, workspace, correlationId, causationId: commandId, at: new Date().toISOString(), commandId };
};

/** Derived from the command if the caller may repeat it, so that the repetition refers to the same thing. */
export const idFor = (what: string, { keyed, commandId }: Pick<CommandMeta, 'keyed' | 'commandId'>): string =>
  keyed ? uuidv5(what, commandId) : uuidv7();

/** A secret that is answered and not stored. The repetition of a command has to answer the same one. */
export const secretFor = (
  what: string,
  { keyed, commandId }: CommandMeta,
  vault: Pick<Vault, 'derived'>,
): string => (keyed ? vault.derived(`${what} ${commandId}`) : randomSecret());

declare module 'fastify' {
  interface FastifyRequest {
    session?: Session;
    /** In the answer's header, in every log line and in every event of the request. */
    correlationId: string;
    /** What each of its log lines says. */
    context: RequestContext;
    commandId?: string;
  }
}

const order: Record<Role, number> = { member: 1, admin: 2, superadmin: 3 };

export const mayActAs = (role: Role, least: Role): boolean => order[role] >= order[least];

/** A superadmin is also an admin, and the console asks for either word. */
export const permissionsOf = (role: Role): string[] =>
  role === 'superadmin' ? ['admin', 'superadmin'] : role === 'admin' ? ['admin'] : [];
