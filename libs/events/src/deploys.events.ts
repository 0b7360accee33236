/**
 * Packages that were pulled onto a server: the deploy log.
 *
 * Storage format: see `servers.events.ts`.
 */
import { z } from 'zod';
import { defineEvent } from './define-event';

const what = { server: z.uuid(), cdUrl: z.string(), slug: z.string() };

export const deployEvents = {
  /** Before its address is asked: one that has no end may have deployed all the same. */
  DeployRequested: defineEvent(z.object(what)),
  DeploySucceeded: defineEvent(
    z.object({ ...what, version: z.string(), service: z.uuid().optional(), durationMs: z.int() }),
  ),
  DeployFailed: defineEvent(z.object({ ...what, reason: z.string(), status: z.int().optional() })),
  DeployLogRemoved: defineEvent(z.object({ slug: z.string() })),
};
