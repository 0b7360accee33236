/**
 * What can happen to a domain, its locations, its DNS and its web-server configuration: one stream a domain. Its
 * certificate is in the same stream, by the events of `certificates.events.ts`.
 *
 * Storage format: see `servers.events.ts`.
 */
import { z } from 'zod';
import { defineEvent } from './define-event';

export const siteOptions = z.object({ docker: z.boolean(), ssl: z.boolean(), gzip: z.boolean() });

/** A proxy pass. What is absent was not asked for. */
export const location = z.object({
  id: z.uuid(),
  /** The path, or the pattern of a `regex`. */
  location: z.string(),
  match: z.enum(['prefix', 'exact', 'regex']),
  /** Where requests are passed to; with `isRedirect` where they are sent. */
  url: z.string().optional(),
  /** The package that answers there. */
  deployLog: z.uuid().optional(),
  /** 1 dev, 2 test, 3 prod. */
  env: z.int().optional(),
  isRedirect: z.boolean().optional(),
  redirectCode: z.int().optional(),
  is404: z.boolean().optional(),
  /** The folder on the server whose files are served. */
  volumes: z.string().optional(),
  isCorsEnabled: z.boolean().optional(),
  /** In seconds. */
  timeout: z.int().optional(),
  websocket: z.boolean().optional(),
});

const address = z.object({ address: z.string(), family: z.int() });

const configText = { text: z.string(), sha256: z.string() };

export const domainEvents = {
  DomainAdded: defineEvent(
    z.object({
      /** In ASCII, lower case, without the last dot. */
      serverName: z.string(),
      server: z.uuid(),
      /** What DNS answered then: the address of the server. */
      addresses: z.array(address),
    }),
  ),
  DomainRenamed: defineEvent(z.object({ serverName: z.string() })),
  /** To another server of the workspace. What lies on the old one stays there until it is removed. */
  DomainMoved: defineEvent(z.object({ server: z.uuid() })),
  DomainRemoved: defineEvent(
    z.object({
      serverName: z.string(),
      /** What was left on the server by choice. */
      kept: z.object({ config: z.boolean(), certificate: z.boolean() }),
    }),
  ),
  /** It is there again as it was when it was removed, with what was left on the server. */
  DomainRestored: defineEvent(z.object({ serverName: z.string(), server: z.uuid() })),
  /** Days before the end of the certificate at which an alert is raised; `null`: those of the workspace. */
  DomainAlertsConfigured: defineEvent(z.object({ thresholds: z.array(z.int()).nullable() })),
  LocationAdded: defineEvent(z.object({ location })),
  LocationRevised: defineEvent(z.object({ location })),
  LocationRemoved: defineEvent(z.object({ id: z.uuid(), location: z.string() })),
  /** Recorded when the answer changes, not at every look-up. */
  DnsAnswerChanged: defineEvent(
    z.object({
      outcome: z.enum(['found', 'none', 'failed']),
      addresses: z.array(address),
      /** The addresses are those of the server. */
      pointsHere: z.boolean(),
      /** Why the look-up failed, as code and in words. */
      code: z.string().optional(),
      reason: z.string().optional(),
    }),
  ),
  /** It is live: tested and reloaded by the server's own nginx. */
  SiteConfigApplied: defineEvent(
    z.object({
      ...configText,
      options: siteOptions,
      /** Where it lies on the server. */
      file: z.string(),
      /** Of the earlier text that was put back, rather than made from the locations. */
      restored: z.string().optional(),
    }),
  ),
  /** The file on the server is another than the one that was applied; `found` is absent when it is gone. */
  SiteConfigDrifted: defineEvent(z.object({ found: z.object(configText).optional() })),
  /** It is again as it was applied, without our doing. */
  SiteConfigReturned: defineEvent(z.object({ sha256: z.string() })),
  /** An operator took what was found on the server as what ought to be there. */
  SiteConfigAdopted: defineEvent(z.object(configText)),
  SiteConfigRemoved: defineEvent(z.object({ file: z.string() })),
};
