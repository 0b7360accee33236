/**
 * Scripts that a workspace keeps to run on its servers. Each is a stream; adding and each revision is one version,
 * counted from 1, and a run names the version that it ran.
 *
 * Storage format: see `servers.events.ts`.
 */
import { z } from 'zod';
import { defineEvent } from './define-event';

const content = {
  /** POSIX sh. No secrets: whoever may read history may read it. */
  body: z.string(),
  /** It changes something on the server: one such run a server at a time. */
  changes: z.boolean(),
  timeoutSeconds: z.int(),
};

export const scriptEvents = {
  ScriptAdded: defineEvent(z.object({ name: z.string(), ...content })),
  ScriptRevised: defineEvent(z.object(content)),
  ScriptRenamed: defineEvent(z.object({ name: z.string() })),
  ScriptRemoved: defineEvent(z.object({ name: z.string() })),
  /** It is there again with all its versions, as it was when it was removed. */
  ScriptRestored: defineEvent(z.object({ name: z.string() })),
};
