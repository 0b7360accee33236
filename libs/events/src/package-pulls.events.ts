/**
 * The deploy log: packages that were pulled onto a server.
 *
 * Storage format: see `servers.events.ts`.
 */
import { z } from 'zod';
import { defineEvent } from '@quarterdeck/log';
import { looksSecret, shownAddress } from './shown-address';

const what = {
  server: z.uuid(),
  /** See `shownAddress`. */
  cdUrl: z.string(),
  /** The whole address, in the vault. Absent if `cdUrl` is already whole, or if version 1 recorded the event. */
  address: z.object({ ref: z.uuid() }).optional(),
  slug: z.string(),
};

/** Version 1 recorded the whole address, and used its last part as the name if nobody gave one. */
const withShownAddress = (data: unknown): unknown => {
  const { cdUrl, slug, ...rest } = data as { cdUrl?: string; slug: string };
  return {
    ...rest,
    ...(cdUrl === undefined ? {} : { cdUrl: shownAddress(cdUrl) }),
    slug: looksSecret(slug) ? '…' : slug,
  };
};

export const packagePullEvents = {
  /** Recorded before the address is called. If no result follows, the deploy may have happened all the same. */
  DeployRequested: defineEvent(z.object(what), withShownAddress),
  DeploySucceeded: defineEvent(
    z.object({ ...what, version: z.string(), service: z.uuid().optional(), durationMs: z.int() }),
    withShownAddress,
  ),
  DeployFailed: defineEvent(
    z.object({ ...what, reason: z.string(), status: z.int().optional() }),
    withShownAddress,
  ),
  DeployLogRemoved: defineEvent(z.object({ slug: z.string() }), withShownAddress),
};
