/**
 * Every long piece of work is a run, one stream a run. Output is not here: it lies in chunks in a table, and the event
 * that ends a step holds its size and SHA-256.
 *
 * Storage format: see `servers.events.ts`.
 */
import { z } from 'zod';
import { defineEvent } from './define-event';

const step = { step: z.string(), attempt: z.int() };

export const runEvents = {
  RunRequested: defineEvent(
    z.object({
      /** What sort of work, such as `command`, one of the ten fixed commands; `commands.ts` has them in words. */
      kind: z.string(),
      /** What it works on, with the name it had then. A run over many servers (`fleet`) is its own subject. */
      subject: z.object({ kind: z.string(), id: z.uuid(), name: z.string() }),
      /** What the kind of run needs to know, such as `{ cmdType: 2 }`. No secrets. */
      input: z.record(z.string(), z.json()),
      /** Where it works, when the subject is not itself a server. */
      server: z.object({ id: z.uuid(), name: z.string() }).optional(),
      /** The run that this one is a part of. */
      parent: z.uuid().optional(),
    }),
  ),
  RunStepStarted: defineEvent(z.object(step)),
  RunStepFinished: defineEvent(
    z.object({
      ...step,
      outcome: z.enum(['succeeded', 'failed', 'timedOut', 'lost', 'cancelled']),
      /** Absent when the command left none: lost connection, time-out, signal. */
      exitCode: z.int().optional(),
      signal: z.string().optional(),
      durationMs: z.int(),
      output: z.object({ bytes: z.int(), sha256: z.string() }),
      /** What the step found, as names and values: `{ distribution: 'debian' }`. */
      report: z.record(z.string(), z.string()).optional(),
    }),
  ),
  /** Somebody wants it ended. It is cancelled when the server says so, and not before. */
  RunCancelRequested: defineEvent(z.object({})),
  /** A run that failed or was interrupted goes on: this step, and what comes behind it, is done anew. */
  RunRetried: defineEvent(z.object({ step: z.string() })),
  RunSucceeded: defineEvent(z.object({ durationMs: z.int() })),
  RunFailed: defineEvent(z.object({ durationMs: z.int(), code: z.string(), reason: z.string() })),
  /** The end was not seen: the process that followed the run died, and nothing is run a second time by itself. */
  RunInterrupted: defineEvent(z.object({ reason: z.string() })),
  RunCancelled: defineEvent(z.object({ durationMs: z.int(), reason: z.string() })),
  /** What its steps had printed by then is gone, `days` after its end, as the workspace chose; sizes and hashes stay. */
  RunOutputRemoved: defineEvent(z.object({ days: z.int(), bytes: z.int() })),
};
