/**
 * Events about the saved scripts of a workspace: one stream per script. Adding a script and each revision create a new
 * version, counted from 1. A run records the version that it ran.
 *
 * Storage format: see `servers.events.ts`.
 */
import { z } from 'zod';
import { defineEvent } from './define-event';

const content = {
  /** POSIX sh. It must contain no secrets: everybody who may read the history can read it. */
  body: z.string(),
  /** The script changes something on the server, so at most one such run works on a server at a time. */
  changes: z.boolean(),
  timeoutSeconds: z.int(),
};

export const scriptEvents = {
  ScriptAdded: defineEvent(z.object({ name: z.string(), ...content })),
  ScriptRevised: defineEvent(z.object(content)),
  ScriptRenamed: defineEvent(z.object({ name: z.string() })),
  ScriptRemoved: defineEvent(z.object({ name: z.string() })),
  /** The script was restored with all its versions, in its state at removal. */
  ScriptRestored: defineEvent(z.object({ name: z.string() })),
};
