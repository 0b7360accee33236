/** Answers that many calls share. */
import { z } from 'zod';

/** What a change was about, by both names of the specification. */
export const ids = z.strictObject({ id: z.string(), uuid: z.string() }).meta({ id: 'Ids' });

/** The run that a call began. */
export const started = z.strictObject({ runId: z.string() }).meta({ id: 'Started' });

export const empty = z.strictObject({});

/** Where the browser goes next. */
export const address = z.strictObject({ url: z.string() });

/** A workspace, by its name in the specification. */
export const instance = z.strictObject({ uuid: z.string(), name: z.string() });

/** The person who is signed in, and their role. */
export const signedIn = z
  .strictObject({
    profile: z.strictObject({
      id: z.string(),
      firstName: z.string(),
      lastName: z.string(),
      email: z.string(),
      instance,
      permissions: z.array(z.string()),
      locale: z.string(),
    }),
    permissions: z.array(z.string()),
    locale: z.string(),
    instance,
  })
  .meta({ id: 'SignedIn' });

export const session = signedIn.extend({ version: z.string() }).meta({ id: 'Session' });

/** The input of a GET that takes nothing: what its query says all the same is ignored. */
export const ignored = z.object({});
