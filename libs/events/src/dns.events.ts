/**
 * Records that the console wrote into a zone: one stream a name. What DNS answers for a domain stands with the domain.
 *
 * Storage format: see `servers.events.ts`.
 */
import { z } from 'zod';
import { defineEvent } from './define-event';

const record = { name: z.string(), address: z.string(), zone: z.string(), provider: z.string() };

export const dnsEvents = {
  /** Before the zone is changed: one that has no end may stand there all the same. */
  DnsRecordRequested: defineEvent(
    z.object({
      ...record,
      /** What stands there and goes for it. */
      replaces: z.string().optional(),
    }),
  ),
  DnsRecordAdded: defineEvent(
    z.object({
      ...record,
      /** It had to be changed from another address. */
      replaced: z.string().optional(),
    }),
  ),
  /** What the provider answered, or that it did not: then nobody knows whether the record stands. */
  DnsRecordFailed: defineEvent(z.object({ ...record, reason: z.string() })),
};
