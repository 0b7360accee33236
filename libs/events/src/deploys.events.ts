/**
 * Packages that were pulled onto a server: the deploy log.
 *
 * Storage format: see `servers.events.ts`.
 */
import { z } from 'zod';
import { defineEvent } from './define-event';
import { looksSecret, shownAddress } from './shown-address';

const what = {
  server: z.uuid(),
  /** See `shownAddress`. */
  cdUrl: z.string(),
  /** The whole of it, in the vault; absent: `cdUrl` is the whole, or version 1 recorded it. */
  address: z.object({ ref: z.uuid() }).optional(),
  slug: z.string(),
};

/** Version 1 had the whole address, and its last part as the name where nobody gave one. */
const withShownAddress = (data: unknown): unknown => {
  const { cdUrl, slug, ...rest } = data as { cdUrl?: string; slug: string };
  return {
    ...rest,
    ...(cdUrl === undefined ? {} : { cdUrl: shownAddress(cdUrl) }),
    slug: looksSecret(slug) ? '…' : slug,
  };
};

export const deployEvents = {
  /** Before its address is asked: one that has no end may have deployed all the same. */
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
