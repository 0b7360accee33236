/** Who asks. The one place that knows how somebody proves it; so far, with the token of the instance. */
import { createHash, timingSafeEqual } from 'node:crypto';
import type { Permission } from '@quarterdeck/api';
import type { Definition } from './definition';
import { ApiRefusal } from './refusal';

export interface ApiUser {
  readonly id: string;
  readonly permission: Permission;
  /** Whose rows they see, in a product with tenants. */
  readonly tenant?: string | undefined;
}

/**
 * @returns undefined: nobody has signed in
 * @throws ApiRefusal 401 for a token that is wrong
 */
export const userOf = (
  authorization: string | undefined,
  { tokenHash }: Pick<Definition, 'tokenHash'>,
): ApiUser | undefined => {
  if (authorization === undefined) return undefined;
  const [, token] = /^Bearer ([\w.~+/-]{8,500}=*)$/i.exec(authorization) ?? [];
  if (token !== undefined && tokenHash !== undefined && isHashOf(token, tokenHash))
    return { id: 'app', permission: 'app' };
  throw new ApiRefusal(401, 'this token is not accepted: send `Authorization: Bearer …` with a valid one');
};

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
