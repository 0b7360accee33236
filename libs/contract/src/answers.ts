/** Answers shared by many calls. */
import { z } from 'zod';

/** The id of the changed record, under both names that the specification uses. */
export const ids = z.strictObject({ id: z.string(), uuid: z.string() }).meta({ id: 'Ids' });

/** The run that a call started. */
export const started = z.strictObject({ runId: z.string() }).meta({ id: 'Started' });

export const empty = z.strictObject({});

/** The address that the browser opens next. */
export const address = z.strictObject({ url: z.string() });

/** A workspace, in the specification's terms. */
export const instance = z.strictObject({ uuid: z.string(), name: z.string() });

/** The person who is signed in, and their role. */
export const signedIn = z
  .strictObject({
    profile: z.strictObject({
      id: z.string(),
      firstName: z.string(),
      lastName: z.string(),
      email: z.string(),
      /** `product`: set if the workspace belongs to the users of that product. */
      instance: instance.extend({ product: z.strictObject({ id: z.string() }).optional() }),
      permissions: z.array(z.string()),
      locale: z.string(),
    }),
    permissions: z.array(z.string()),
    locale: z.string(),
    instance,
    /** Until the second factor is given or set up, the session is good for nothing else. */
    lacks: z.enum(['due', 'missing']).optional(),
    /** When somebody else removed the person's second factors, until they add one. */
    secondFactorResetAt: z.string().optional(),
  })
  .meta({ id: 'SignedIn' });

export const session = signedIn.extend({ version: z.string() }).meta({ id: 'Session' });

/** Input of a GET without parameters. Query parameters are ignored. */
export const ignored = z.object({});
