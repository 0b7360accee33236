/** Answers that many calls share. */
import { z } from 'zod';

/** What a change was about, by both names of the specification. */
export const ids = z.strictObject({ id: z.string(), uuid: z.string() }).meta({ id: 'Ids' });
