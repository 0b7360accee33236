/** Storage format: see `servers.events.ts`. */
import { z } from 'zod';
import { defineEvent } from './define-event';

export const sealEvents = {
  /** So far the log was this: the hash of the chain at that position. Noted elsewhere too, it proves what came before. */
  LogSealed: defineEvent(z.object({ position: z.string(), hash: z.string() })),
};

/** There is one log, hence one stream of seals. */
export const SEAL_STREAM = 'log-00000000-0000-7000-8000-000000000000';
