/** Events about the log itself. Storage format: see `servers.events.ts`. */
import { z } from 'zod';
import { defineEvent } from './define-event';

/**
 * A key of the log, encrypted under a key derived from the master key. Number 0 is the private key that signs seals.
 * Every other number is a key that makes and checks the tags of events.
 */
const secret = z.object({ number: z.int().min(0), wrapped: z.string() });

export const logEvents = {
  /** The identity of this log. Events before it have no tags. `publicKey`: Ed25519, SPKI, base64. */
  LogFounded: defineEvent(z.object({ log: z.uuid(), publicKey: z.string(), secrets: z.array(secret) })),
  /** The same keys, encrypted under another master key. */
  LogKeysRewrapped: defineEvent(z.object({ log: z.uuid(), secrets: z.array(secret) })),
  /**
   * Somebody has reviewed the events up to that position that this console did not write. `count`: how many were new.
   */
  ForeignEventsAcknowledged: defineEvent(z.object({ upTo: z.string(), count: z.int(), reason: z.string() })),
  /**
   * Hash of the chain at that position. A copy kept elsewhere proves all earlier events. `signature` is made by the log
   * with this id, as docs/audit.md describes.
   */
  LogSealed: defineEvent(
    z.object({
      position: z.string(),
      hash: z.string(),
      log: z.uuid().optional(),
      signature: z.string().optional(),
    }),
  ),
  /** The last event of a log that has moved. `to`: the new address without credentials. */
  LogMoved: defineEvent(z.object({ to: z.string() })),
  /**
   * The log is written here from now on. All events before this one were copied from the earlier place and compared.
   * Positions differ between places, so this seal also vouches for the seals of the earlier places.
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

/** A log has exactly one stream about itself. */
export const LOG_STREAM = 'log-00000000-0000-7000-8000-000000000000';
