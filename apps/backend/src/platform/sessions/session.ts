/** Who is asking, and what every command carries with it. */
import type { Role } from '@quarterdeck/events';
import { v5 as uuidv5, v7 as uuidv7 } from 'uuid';

export interface Session {
  /** Hash of the cookie's value: a name for the session that opens nothing. */
  id: string;
  person: string;
  workspace: string;
  workspaceName: string;
  role: Role;
}

/** Made at the edge, so that what is behind it knows neither clock nor chance. */
export interface CommandMeta {
  actor: string;
  workspace: string;
  correlationId: string;
  causationId: string;
  /** ISO instant at which the command came in. */
  at: string;
  commandId: string;
  /** The caller sent an Idempotency-Key: `commandId` is made from it, and event ids are to be made from `commandId`. */
  keyed?: true;
}

/** For what the console does by itself (`system`) or at the command line (`cli`). */
export const ownMeta = (actor: string, workspace: string, correlationId: string = uuidv7()): CommandMeta => {
  const commandId = uuidv7();
  return { actor, workspace, correlationId, causationId: commandId, at: new Date().toISOString(), commandId };
};

/** Known from the command alone when the caller may repeat it, so that the repetition speaks of the same thing. */
export const idFor = (what: string, { keyed, commandId }: CommandMeta): string =>
  keyed ? uuidv5(what, commandId) : uuidv7();

declare module 'fastify' {
  interface FastifyRequest {
    session?: Session;
    /** Named in the answer's header, in every log line and in every event of the request. */
    correlationId: string;
    commandId?: string;
  }
}

const order: Record<Role, number> = { member: 1, admin: 2, superadmin: 3 };

export const mayActAs = (role: Role, least: Role): boolean => order[role] >= order[least];

/** A superadmin is an admin too, and the console asks for either word. */
export const permissionsOf = (role: Role): string[] =>
  role === 'superadmin' ? ['admin', 'superadmin'] : role === 'admin' ? ['admin'] : [];
