/** The users of a generated API, for operators. Their rows are in the database of the product. */
import { apiUser, apiUserLock, apiUserPermission, apiUsersAsked } from '@quarterdeck/events/inputs';
import { z } from 'zod';
import { ids } from './answers';
import { calls } from './call';
import { demo } from './demo';
import { byReference } from './specified';

const user = z
  .strictObject({
    id: z.string(),
    email: z.string(),
    /** `app`, `admin` or `superadmin`, if nobody has written another one into the database. */
    permission: z.string(),
    /** Whose rows they see, in a product with tenants. */
    tenant: z.string().nullable(),
    addedAt: z.string(),
    /** Null: never. */
    signedInAt: z.string().nullable(),
    /** Null: they are not locked. */
    lockedAt: z.string().nullable(),
    /** Open ones. */
    sessions: z.int().nonnegative(),
  })
  .meta({ id: 'ApiUser' });
export interface ApiUser extends z.infer<typeof user> {}

const users = z
  .strictObject({
    /** By e-mail address. */
    users: z.array(user),
    /** Send it as `after` for the page that follows. Absent: this is the last one. */
    next: z.string().optional(),
  })
  .meta({ id: 'ApiUsers' });
export interface ApiUsers extends z.infer<typeof users> {}

const theInstance = { uuid: demo.apiInstance };
const theUser = { instance: theInstance, user: { uuid: demo.apiUser } } as const;
/** Recorded with the id of the user, as a change of the instance. */
const changes = {
  specified: byReference('instance'),
  answer: ids,
  stales: 'apiInstances',
  wide: true,
  costs: 'waiting',
} as const;

export const apiUsers = calls('product/backend/user', 'admin', {
  list: {
    summary: 'The users of an instance by e-mail address, read from the database of the product',
    input: apiUsersAsked,
    example: { instance: theInstance, search: 'grace', after: 'ada@example.org', limit: 50 },
    specified: byReference('instance'),
    answer: users,
    shows: 'apiInstances',
    wide: true,
    volatile: true,
    costs: 'waiting',
  },
  lock: {
    ...changes,
    summary: 'Locks a user, which ends their sessions, or unlocks them',
    input: apiUserLock,
    example: { ...theUser, isLocked: true },
  },
  signOut: {
    ...changes,
    summary: 'Ends all sessions of a user',
    path: 'sign-out',
    input: apiUser,
    example: theUser,
  },
  permit: {
    ...changes,
    summary: 'Gives a user another permission, which counts from their next request on',
    path: 'permission',
    input: apiUserPermission,
    example: { ...theUser, permission: 'admin' },
  },
  delete: {
    ...changes,
    summary: 'Deletes a user with their sessions for good',
    input: apiUser,
    example: theUser,
  },
});
