/**
 * Every long piece of work is a run, with a stream of its own. Its output is not in events: it is stored in chunks in a
 * table. The event that ends a step has the size and the SHA-256 of the step's output.
 *
 * Storage format: see `servers.events.ts`.
 */
import { z } from 'zod';
import { defineEvent } from '@quarterdeck/log';

/** `kind`: that of the run, which decides what the step is called. Absent in events of earlier versions. */
const stepName = { step: z.string(), kind: z.string().optional() };
const step = { ...stepName, attempt: z.int() };

export const runEvents = {
  RunRequested: defineEvent(
    z.object({
      /** Kind of work, such as `command` for one of the ten fixed commands; `commands.ts` has their labels. */
      kind: z.string(),
      /** What the run works on, with its name at the time. A run over many servers (`fleet`) is its own subject. */
      subject: z.object({ kind: z.string(), id: z.uuid(), name: z.string() }),
      /** Parameters of this kind of run, such as `{ cmdType: 2 }`. No secrets. */
      input: z.record(z.string(), z.json()),
      /** The server that the run works on, if that is not the subject itself. */
      server: z.object({ id: z.uuid(), name: z.string() }).optional(),
      /** The run that this run is a part of. */
      parent: z.uuid().optional(),
      /** The run waits in line for its server, at most this long. Absent: it holds its server already, or needs none. */
      waitMs: z.int().optional(),
    }),
  ),
  RunStepStarted: defineEvent(z.object(step)),
  RunStepFinished: defineEvent(
    z.object({
      ...step,
      outcome: z.enum(['succeeded', 'failed', 'timedOut', 'lost', 'cancelled']),
      /** Absent if the command returned none: lost connection, time-out, signal. */
      exitCode: z.int().optional(),
      signal: z.string().optional(),
      durationMs: z.int(),
      output: z.object({ bytes: z.int(), sha256: z.string() }),
      /** Results of the step as names and values: `{ distribution: 'debian' }`. */
      report: z.record(z.string(), z.string()).optional(),
    }),
  ),
  /** Somebody asked to cancel the run. It counts as cancelled only when the server confirms it. */
  RunCancelRequested: defineEvent(z.object({})),
  /**
   * A failed or interrupted run continues: this step and all later ones run again. `waitMs`: as in the request.
   */
  RunRetried: defineEvent(z.object({ ...stepName, waitMs: z.int().optional() })),
  RunSucceeded: defineEvent(z.object({ durationMs: z.int() })),
  RunFailed: defineEvent(z.object({ durationMs: z.int(), code: z.string(), reason: z.string() })),
  /** The process that followed the run died, so the end is unknown. Nothing runs a second time by itself. */
  RunInterrupted: defineEvent(z.object({ reason: z.string() })),
  RunCancelled: defineEvent(z.object({ durationMs: z.int(), reason: z.string() })),
  /**
   * The output of the steps was deleted `days` after the end of the run, as the workspace had chosen. Sizes and hashes
   * stay.
   */
  RunOutputRemoved: defineEvent(z.object({ days: z.int(), bytes: z.int() })),
};
