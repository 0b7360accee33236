/**
 * Events about a domain, its locations, its DNS and its web-server configuration: one stream per domain. Events about
 * its certificate (`certificates.events.ts`) are in the same stream.
 *
 * Storage format: see `servers.events.ts`.
 */
import { z } from 'zod';
import { defineEvent } from '@quarterdeck/log';
import { address } from './servers.events';
import { locationSettings, siteSettings, storedFields } from './site-settings';

export const siteOptions = z.object({ docker: z.boolean(), ssl: z.boolean(), gzip: z.boolean() });

/** A proxy pass. Fields that the operator left empty are absent. */
export const location = z.object({
  id: z.uuid(),
  /** The path, or the pattern of a `regex` location. */
  location: z.string(),
  match: z.enum(['prefix', 'exact', 'regex']),
  /** Upstream address; with `isRedirect` the redirect target. */
  url: z.string().optional(),
  /** The package behind this location. */
  deployLog: z.uuid().optional(),
  /** The service that the location leads to. */
  service: z.uuid().optional(),
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
  ...storedFields(locationSettings),
});

/** Settings of a whole site. What is absent has its default. */
export const settingsOfSite = z.object(storedFields(siteSettings));

/**
 * Who answers for a site. `answers`: ours, proved. `unproven`: something answers, and the live file cannot prove that it is
 * ours. `502`: ours, and the app behind it does not answer.
 */
export const siteAnswers = [
  'answers',
  'unproven',
  'another',
  '502',
  'silent',
  'tlsGone',
  'nginxStopped',
] as const;

/** Another name of a site. `redirects`: to the main name, with path and query. */
const siteName = z.object({ name: z.string(), does: z.enum(['serves', 'redirects']) });

/** Where a name points, as DNS answered. */
const pointing = {
  outcome: z.enum(['found', 'none', 'failed']),
  addresses: z.array(address),
  /** The addresses match the server's. */
  pointsHere: z.boolean(),
  /** The addresses that are not the server's. Absent if there is none, and in older answers. */
  elsewhere: z.array(address).optional(),
  /** Why the look-up failed: code and message. */
  code: z.string().optional(),
  reason: z.string().optional(),
};

const configText = { text: z.string(), sha256: z.string() };

export const domainEvents = {
  DomainAdded: defineEvent(
    z.object({
      /** In ASCII, lower case, without the last dot. */
      serverName: z.string(),
      server: z.uuid(),
      /** Address of the server, as DNS answered at that time. */
      addresses: z.array(address),
    }),
  ),
  DomainRenamed: defineEvent(z.object({ serverName: z.string() })),
  /** Moved to another server of the workspace. The files on the old server stay until they are removed. */
  DomainMoved: defineEvent(z.object({ server: z.uuid() })),
  /**
   * What an operator chose to leave on the server when the domain was renamed or moved away: the server may be gone.
   * Recorded before that.
   */
  DomainFilesAbandoned: defineEvent(
    z.object({
      serverName: z.string(),
      server: z.uuid(),
      alias: z.string(),
      config: z.boolean(),
      certificate: z.boolean(),
    }),
  ),
  /** The domain has that name and that server again, so its files there count again. */
  DomainFilesReturned: defineEvent(z.object({ serverName: z.string(), server: z.uuid() })),
  /** A run has removed them, or their server was removed. */
  DomainFilesRemoved: defineEvent(z.object({ serverName: z.string(), server: z.uuid() })),
  DomainRemoved: defineEvent(
    z.object({
      serverName: z.string(),
      /** What the operator chose to leave on the server. */
      kept: z.object({ config: z.boolean(), certificate: z.boolean() }),
    }),
  ),
  /** The domain was restored to its state at removal, including the parts that were left on the server. */
  DomainRestored: defineEvent(z.object({ serverName: z.string(), server: z.uuid() })),
  /** Days before expiry of the certificate at which an alert is raised. `null`: those of the workspace. */
  DomainAlertsConfigured: defineEvent(z.object({ thresholds: z.array(z.int()).nullable() })),
  /** All settings of the site, as they are from now on. */
  SiteSettingsChanged: defineEvent(z.object({ settings: settingsOfSite })),
  /** All other names of the site, as they are from now on. */
  SiteNamesChanged: defineEvent(z.object({ names: z.array(siteName) })),
  LocationAdded: defineEvent(z.object({ location })),
  LocationRevised: defineEvent(z.object({ location })),
  LocationRemoved: defineEvent(z.object({ id: z.uuid(), location: z.string() })),
  /** Recorded when the answer changes, not after every look-up. */
  DnsAnswerChanged: defineEvent(
    z.object({
      ...pointing,
      /** The same of the other names of the site. Absent if it has none. */
      names: z.array(z.object({ name: z.string(), ...pointing })).optional(),
    }),
  ),
  /** The configuration is live: nginx on the server has tested and loaded it. */
  SiteConfigApplied: defineEvent(
    z.object({
      ...configText,
      options: siteOptions,
      /** Path on the server. */
      file: z.string(),
      /** SHA-256 of the earlier text that was restored. Absent if the text was generated from the locations. */
      restored: z.string().optional(),
    }),
  ),
  /** The file on the server differs from the applied one. `found` is absent if the file is gone. */
  SiteConfigDrifted: defineEvent(z.object({ found: z.object(configText).optional() })),
  /** The file matches the applied one again, without any action of the console. */
  SiteConfigReturned: defineEvent(z.object({ sha256: z.string() })),
  /** An operator accepted the file on the server as the correct one. */
  SiteConfigAdopted: defineEvent(z.object(configText)),
  SiteConfigRemoved: defineEvent(z.object({ file: z.string() })),
  /** Recorded when the state changes, not after every look at the site. */
  SiteAnswerChanged: defineEvent(
    z.object({
      is: z.enum(siteAnswers),
      /** What was seen, such as the status or the reason of the failure. */
      says: z.string(),
    }),
  ),
};
