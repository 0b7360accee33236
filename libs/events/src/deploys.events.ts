/**
 * Packages that were pulled onto a server: the deploy log.
 *
 * Storage format: see `servers.events.ts`.
 */
import { z } from 'zod';
import { defineEvent } from './define-event';

const what = { server: z.uuid(), cdUrl: z.string(), slug: z.string() };

export const deployEvents = {
  DeploySucceeded: defineEvent(
    z.object({ ...what, version: z.string(), service: z.uuid().optional(), durationMs: z.int() }),
  ),
  DeployFailed: defineEvent(z.object({ ...what, reason: z.string(), status: z.int().optional() })),
  DeployLogRemoved: defineEvent(z.object({ slug: z.string() })),
};
