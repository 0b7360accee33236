/** Who asks. The one place that knows how somebody proves it: with the token of the instance, or of a session. */
import { createHash, timingSafeEqual } from 'node:crypto';
import type { Permission } from '@quarterdeck/api';
import type { Definition } from './definition';
import { ApiRefusal } from './refusal';
import { isSessionToken, type UserStore } from './user-store';

export interface ApiUser {
  readonly id: string;
  readonly permission: Permission;
  /** Of a user who has signed in. */
  readonly email?: string | undefined;
  /** Whose rows they see, in a product with tenants. */
  readonly tenant?: string | undefined;
}

/** @returns the token @throws ApiRefusal 401 if it is none */
export const bearerIn = (authorization: string): string => {
  const [, token] = /^Bearer ([\w.~+/-]{8,500}=*)$/i.exec(authorization) ?? [];
  if (token === undefined) throw wrongToken();
  return token;
};

/** Whether it is that of the instance. */
export const isOfInstance = (token: string, { tokenHash }: Pick<Definition, 'tokenHash'>): boolean =>
  tokenHash !== undefined && isHashOf(token, tokenHash);

/**
 * @returns undefined: nobody has signed in
 * @throws ApiRefusal 401 for a token that is wrong, or a session that has ended
 */
export const userOf = async (
  authorization: string | undefined,
  definition: Definition,
  store: Pick<UserStore, 'bySession'>,
): Promise<ApiUser | undefined> => {
  if (authorization === undefined) return undefined;
  const token = bearerIn(authorization);
  if (isOfInstance(token, definition)) return { id: 'app', permission: 'app' };
  // Any other text is not worth a question to the database.
  const user = isSessionToken(token) ? await store.bySession(token) : undefined;
  if (!user) throw wrongToken();
  const { id, email, permission, tenant } = user;
  return { id, email, permission, ...(tenant !== null && { tenant }) };
};

const wrongToken = (): ApiRefusal =>
  new ApiRefusal(401, 'this token is not accepted: send `Authorization: Bearer …` with a valid one');

/** A request of the console has it instead of a token. Elsewhere than on the Unix socket, it means nothing. */
export const ACTS_AS = 'x-acts-as';

/** @param permission one, or `nobody` */
export const actingAs = (permission: string): ApiUser | undefined =>
  permission === 'nobody' ? undefined : { id: 'console', permission: permission as Permission };

/** @throws ApiRefusal 401 or 403 */
export const checkPermission = (user: ApiUser | undefined, permissions: readonly Permission[]): void => {
  if (permissions.length === 0) return;
  const needed = permissions.join(' or ');
  if (!user)
    throw new ApiRefusal(401, `this needs the permission ${needed}: send \`Authorization: Bearer …\``);
  if (!permissions.includes(user.permission))
    throw new ApiRefusal(403, `this needs the permission ${needed}, and you have ${user.permission}`);
};

const isHashOf = (token: string, hash: string): boolean => {
  const given = createHash('sha256').update(token).digest();
  const known = Buffer.from(hash, 'hex');
  return known.length === given.length && timingSafeEqual(given, known);
};
