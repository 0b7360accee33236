/** What a domain looks like: where it points, what it serves, and which certificates it uses. */
import { catalogue } from '@quarterdeck/events/catalogue';
import { z } from 'zod';
import type { Lifetime } from './lifetime';

const location = catalogue.LocationAdded.schema.shape.location;
export type Location = z.infer<typeof location>;
const pointer = z.strictObject({ id: z.string() }).optional();
export const locationView = location
  .omit({ deployLog: true, service: true })
  .extend({ deployLog: pointer, service: pointer });
export type LocationView = z.infer<typeof locationView>;
export const siteOptions = catalogue.SiteConfigApplied.schema.shape.options;
export type SiteOptions = z.infer<typeof siteOptions>;
export const certificateFacts = catalogue.CertificateIssued.schema;
export type CertificateFacts = z.infer<typeof certificateFacts>;

const seen = z.strictObject({
  at: z.string(),
});

export const dnsAnswer = catalogue.DnsAnswerChanged.schema.extend(seen.shape);
export type DnsAnswer = z.infer<typeof dnsAnswer>;

export const siteAnswer = catalogue.SiteAnswerChanged.schema.extend(seen.shape);
export type SiteAnswer = z.infer<typeof siteAnswer>;

/** A configuration that was live at some time. Its text is in the event at `position`. */
export const appliedConfig = seen.extend({
  sha256: z.string(),
  options: siteOptions,
  file: z.string(),
  by: z.string(),
  /** The run that applied it. Absent if it was adopted. */
  run: z.string().optional(),
  restored: z.string().optional(),
  position: z.string(),
});
export interface AppliedConfig extends z.infer<typeof appliedConfig> {}

export const certificateView = certificateFacts.extend(seen.shape).extend({
  run: z.string(),
  renewals: z.number(),
});
export type CertificateView = z.infer<typeof certificateView>;
export const servedView = catalogue.CertificateServed.schema.extend(seen.shape);
/** `wasted`: the authority took the order, but the domain got no certificate from it. */
export const certificateRefusal = catalogue.CertificateRefused.schema
  .extend(seen.shape)
  .extend({ wasted: z.literal(true).optional() });

/** Files that nobody removed when the domain left a server. They count again if it comes back. */
export const leftFiles = seen.extend({
  serverName: z.string(),
  server: z.strictObject({ id: z.string(), alias: z.string() }),
  config: appliedConfig.extend({ text: z.string() }).optional(),
  certificate: certificateView.optional(),
});
export type LeftFiles = z.infer<typeof leftFiles>;

export const domainView = z
  .strictObject({
    id: z.string(),
    uuid: z.string(),
    workspace: z.string(),
    serverName: z.string(),
    /** Alias and host are joined when the domain is read: its own stream does not contain them. */
    server: z.strictObject({
      id: z.string(),
      alias: z.string().optional(),
      host: z.string().optional(),
    }),
    /** `server.id` again, as a column for queries. */
    serverId: z.string(),
    locations: z.array(locationView),
    /** Settings of the whole site. Absent if they were never changed. */
    settings: catalogue.SiteSettingsChanged.schema.shape.settings.optional(),
    /** Other names of the site. Absent if there is none. */
    names: catalogue.SiteNamesChanged.schema.shape.names.optional(),
    /** Copies, as columns for queries. */
    locationIds: z.array(z.string()),
    deployLogs: z.array(z.string()),
    /** Ids of the services that its locations are linked to. */
    serviceIds: z.array(z.string()),
    dns: dnsAnswer,
    /** Earlier answers, newest first. */
    dnsHistory: z.array(dnsAnswer),
    /** The names that have led to the server. Absent if none has. */
    led: z.array(z.string()).optional(),
    /** Those of them that lead elsewhere, or nowhere, and since when. */
    away: seen.extend({ names: z.array(z.string()) }).optional(),
    /** The live configuration, as far as the console knows. */
    config: appliedConfig
      .extend({
        text: z.string(),
      })
      .optional(),
    /** The live and earlier configurations, newest first. */
    configs: z.array(appliedConfig),
    /** The file on the server differs from the applied one. */
    drift: catalogue.SiteConfigDrifted.schema.extend(seen.shape).optional(),
    /** How many lines of the live configuration differ from the generated one. Computed on read; absent if none. */
    pending: z.number().optional(),
    /** Who answers for the site, since it last changed. Absent until the site was looked at. */
    answer: siteAnswer.optional(),
    /** When the site was last looked at. Joined when the domain is read. */
    lookedAt: z.string().optional(),
    /** When the site was last asked for its certificate. Joined when the domain is read. */
    certificateLookedAt: z.string().optional(),
    certificate: certificateView.optional(),
    /** What the domain left on earlier servers, newest first. */
    left: z.array(leftFiles).optional(),
    served: servedView.optional(),
    /** Issued and renewed certificates, newest first. The limits of the CA are counted from here. */
    issuances: z.array(
      seen.extend({
        names: z.array(z.string()),
        renewed: z.boolean(),
      }),
    ),
    /** Newest first. */
    refusals: z.array(certificateRefusal),
    /** The domain's own thresholds. Absent: those of the workspace. */
    thresholds: z.array(z.number()).optional(),
    addedAt: z.string(),
    addedBy: z.string(),
    changedAt: z.string(),
    changedBy: z.string(),
    /** If set, the domain is hidden until it is restored. */
    removedAt: z.string().optional(),
    revision: z.number(),
    position: z.string(),
  })
  .meta({ id: 'Domain' });
export interface DomainView extends z.infer<typeof domainView> {}

/** A domain in a list: without texts and earlier states. */
export const domainRow = domainView
  .omit({
    config: true,
    configs: true,
    drift: true,
    dnsHistory: true,
    led: true,
    away: true,
    lookedAt: true,
    certificateLookedAt: true,
    issuances: true,
    refusals: true,
    left: true,
  })
  .extend({
    config: appliedConfig.optional(),
    drift: seen
      .extend({
        sha256: z.string().optional(),
      })
      .optional(),
  });
export type DomainRow = z.infer<typeof domainRow>;

/** Whether a certificate for these names also covers this name. */
export const covers = (names: readonly string[], serverName: string): boolean => {
  const wildcard = serverName.replace(/^[^.]+/, '*');
  return names.some((name) => [serverName, wildcard].includes(name.toLowerCase()));
};

/**
 * The served certificate takes precedence over the issued one, because a renewed certificate has no effect until it is
 * served. A served certificate for another name belongs to another site: the default site of the server.
 */
export const certificateOf = ({
  serverName,
  served,
  certificate,
}: Pick<DomainView, 'serverName' | 'served' | 'certificate'>):
  | (Pick<CertificateView, 'serial' | 'notAfter' | 'names'> & Lifetime)
  | undefined => (served?.served && covers(served.served.names, serverName) ? served.served : certificate);

/** All names of a site, the main one first. */
export const namesOfSite = ({
  serverName,
  names = [],
}: {
  serverName: string;
  names?: readonly { name: string }[] | undefined;
}): string[] => [serverName, ...names.map(({ name }) => name)];

/** The other names of the site that its certificate is not for. Empty if there is no certificate. */
export const lackedNames = ({
  names = [],
  ...domain
}: Pick<DomainView, 'serverName' | 'names' | 'served' | 'certificate'>): string[] => {
  const certificate = names.length > 0 ? certificateOf(domain) : undefined;
  return certificate ? names.map(({ name }) => name).filter((name) => !covers(certificate.names, name)) : [];
};
