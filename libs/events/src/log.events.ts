/** What is recorded about the log itself. Storage format: see `servers.events.ts`. */
import { z } from 'zod';
import { defineEvent } from './define-event';

/**
 * A key of the log, encrypted under a key derived from the master key. Number 0 is the private half that signs seals,
 * each other one makes and checks the tags of events.
 */
const secret = z.object({ number: z.int().min(0), wrapped: z.string() });

export const logEvents = {
  /** The identity of this log. Events before it have no tags. `publicKey`: Ed25519, SPKI, base64. */
  LogFounded: defineEvent(z.object({ log: z.uuid(), publicKey: z.string(), secrets: z.array(secret) })),
  /** The same keys under another master key. */
  LogKeysRewrapped: defineEvent(z.object({ log: z.uuid(), secrets: z.array(secret) })),
  /** Somebody has looked at the events that this console did not write, up to that position. `count`: for the first time. */
  ForeignEventsAcknowledged: defineEvent(z.object({ upTo: z.string(), count: z.int(), reason: z.string() })),
  /**
   * So far the log was this: the hash of the chain at that position. Noted elsewhere too, it proves what came before.
   * `signature` is that of the log with this id, over what docs/audit.md says.
   */
  LogSealed: defineEvent(
    z.object({
      position: z.string(),
      hash: z.string(),
      log: z.uuid().optional(),
      signature: z.string().optional(),
    }),
  ),
  /** Nothing is recorded after it: the log goes on at this address, which is shown without credentials. */
  LogMoved: defineEvent(z.object({ to: z.string() })),
  /**
   * From here on the log is written here. Everything before was copied from where it was, and compared: so far it was
   * this, and the seals of the log at its earlier places, where positions were others, are proven by this one.
   */
  LogArrived: defineEvent(
    z.object({
      at: z.string(),
      position: z.string(),
      hash: z.string(),
      log: z.uuid(),
      signature: z.string(),
    }),
  ),
};

/** There is one log in a log, hence one stream about it. */
export const LOG_STREAM = 'log-00000000-0000-7000-8000-000000000000';
