/**
 * Events about creations: work in sections that any operator carries on. The create wizard and the container flow are
 * creations. Each section is a run.
 *
 * Storage format: see `servers.events.ts`.
 */
import { z } from 'zod';
import { defineEvent } from '@quarterdeck/log';

const section = z.string();
/** A thing that a section made. `id` of a repository: that of its stream. */
export const madeThing = z.object({ kind: z.string(), id: z.string(), name: z.string() });
const made = z.array(madeThing);
const run = z.uuid();

export const creationEvents = {
  /** `name`: of what is created. `plan`: the sections in order. */
  CreationStarted: defineEvent(
    z.object({ kind: z.enum(['product', 'container']), name: z.string(), plan: z.array(section) }),
  ),
  /** What an operator entered. Secrets are in the vault: `secrets` has their references by field. */
  CreationSectionFilled: defineEvent(
    z.object({
      section,
      values: z.record(z.string(), z.json()),
      secrets: z.record(z.string(), z.object({ ref: z.string() })).optional(),
    }),
  ),
  /** `attempt`: counts from 1. A retry of the same run has the same number. */
  CreationSectionStarted: defineEvent(z.object({ section, attempt: z.int(), run })),
  CreationSectionDone: defineEvent(z.object({ section, run, made })),
  /** `made`: what exists nevertheless. */
  /** `code`: that of the run. */
  CreationSectionFailed: defineEvent(
    z.object({ section, run, reason: z.string(), code: z.string().optional(), made }),
  ),
  CreationSectionUndoStarted: defineEvent(z.object({ section, attempt: z.int(), run })),
  CreationSectionUndone: defineEvent(z.object({ section, run })),
  CreationFinished: defineEvent(z.object({})),
  /** What the sections made stays. */
  CreationAbandoned: defineEvent(z.object({})),
};
