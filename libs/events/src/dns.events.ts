/**
 * Events about DNS records that the console wrote into a zone: one stream per name. The DNS answers for a domain are in
 * the domain's stream.
 *
 * Storage format: see `servers.events.ts`.
 */
import { z } from 'zod';
import { defineEvent } from '@quarterdeck/log';

const record = { name: z.string(), address: z.string(), zone: z.string(), provider: z.string() };

export const dnsEvents = {
  /** Recorded before the zone is changed. If no result follows, the record may exist all the same. */
  DnsRecordRequested: defineEvent(
    z.object({
      ...record,
      /** The existing address that this record replaces. */
      replaces: z.string().optional(),
    }),
  ),
  DnsRecordAdded: defineEvent(
    z.object({
      ...record,
      /** The address that the record had before. */
      replaced: z.string().optional(),
    }),
  ),
  /** The provider's error, or that it did not answer. Without an answer nobody knows whether the record exists. */
  DnsRecordFailed: defineEvent(z.object({ ...record, reason: z.string() })),
};
