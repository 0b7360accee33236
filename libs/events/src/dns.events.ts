/**
 * Records that the console wrote into a zone: one stream a name. What DNS answers for a domain stands with the domain.
 *
 * Storage format: see `servers.events.ts`.
 */
import { z } from 'zod';
import { defineEvent } from './define-event';

export const dnsEvents = {
  DnsRecordAdded: defineEvent(
    z.object({
      name: z.string(),
      address: z.string(),
      zone: z.string(),
      provider: z.string(),
      /** It had to be changed from another address. */
      replaced: z.string().optional(),
    }),
  ),
};
