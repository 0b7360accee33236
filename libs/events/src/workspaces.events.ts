/** Storage format: see `servers.events.ts`. */
import { z } from 'zod';
import { defineEvent } from './define-event';

export const workspaceEvents = {
  WorkspaceCreated: defineEvent(z.object({ name: z.string() })),
  /** How often servers are probed, and how many of the last probes have to fail before a server counts as unreachable. */
  HealthChecksConfigured: defineEvent(z.object({ everySeconds: z.int(), failures: z.int(), outOf: z.int() })),
};
