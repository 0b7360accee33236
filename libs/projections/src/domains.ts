/** The domains of a workspace: where they point, what they serve, and which certificates they use. */
import type { LoggedEvent } from '@quarterdeck/events';
import { catalogue } from '@quarterdeck/events/catalogue';
import { z } from 'zod';
import { defineProjection, rowPerStream } from './define-projection';
import type { Lifetime } from './lifetime';

const location = catalogue.LocationAdded.schema.shape.location;
type Location = z.infer<typeof location>;
export const locationView = location.omit({ deployLog: true }).extend({
  deployLog: z
    .strictObject({
      id: z.string(),
    })
    .optional(),
});
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
export type ServedView = z.infer<typeof servedView>;
/** `wasted`: the authority took the order, but the domain got no certificate from it. */
export const certificateRefusal = catalogue.CertificateRefused.schema
  .extend(seen.shape)
  .extend({ wasted: z.literal(true).optional() });
export type CertificateRefusal = z.infer<typeof certificateRefusal>;

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
    /** Copies, as columns for queries. */
    locationIds: z.array(z.string()),
    deployLogs: z.array(z.string()),
    dns: dnsAnswer,
    /** Earlier answers, newest first. */
    dnsHistory: z.array(dnsAnswer),
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
    lookedAt: true,
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
  | (Pick<CertificateView, 'serial' | 'notAfter'> & Lifetime)
  | undefined => (served?.served && covers(served.served.names, serverName) ? served.served : certificate);

/** How many entries of each kind a view keeps. The history has all of them. */
const REMEMBERED = 50;
/** They contain whole configurations. */
const LEFT = 10;

export const isLeftAt =
  ({ serverName, server }: { serverName: string; server: string }) =>
  (one: Pick<LeftFiles, 'serverName' | 'server'>): boolean =>
    one.serverName === serverName && one.server.id === server;

const before = <T>(newest: T, others: readonly T[]): T[] => [newest, ...others].slice(0, REMEMBERED);

/** Edits by operators. Only these events change who edited the domain last. All others only record observations. */
const edits = new Set<LoggedEvent['type']>([
  'DomainRenamed',
  'DomainMoved',
  'DomainAlertsConfigured',
  'SiteSettingsChanged',
  'LocationAdded',
  'LocationRevised',
  'LocationRemoved',
  'SiteConfigAdopted',
  'DomainRestored',
]);

const shown = ({ deployLog, ...location }: Location): LocationView => ({
  ...location,
  ...(deployLog !== undefined && { deployLog: { id: deployLog } }),
});

const withLocations = (locations: LocationView[]): Partial<DomainView> => ({
  locations,
  locationIds: locations.map(({ id }) => id),
  deployLogs: locations.flatMap(({ deployLog }) => deployLog?.id ?? []),
});

const withoutLeft = (
  view: DomainView,
  where: { serverName: string; server: string },
): Partial<DomainView> => ({
  left: view.left?.filter((one) => !isLeftAt(where)(one)),
});

const applied = (
  view: DomainView,
  { text, ...config }: AppliedConfig & { text: string },
): Partial<DomainView> => ({
  config: { ...config, text },
  configs: before(config, view.configs),
  drift: undefined,
});

const changes = (view: DomainView, event: LoggedEvent): Partial<DomainView> => {
  const { at, actor: by, causationId } = event.meta;
  const { position } = event;
  switch (event.type) {
    // The certificate was served under the old name.
    case 'DomainRenamed':
      return { serverName: event.data.serverName, served: undefined, answer: undefined };
    case 'DomainMoved':
      return { server: { id: event.data.server }, serverId: event.data.server, answer: undefined };
    case 'DomainFilesAbandoned': {
      const { serverName, server: id, alias } = event.data;
      const { config, certificate } = view;
      const files = { at, serverName, server: { id, alias }, ...(config && { config }) };
      const newest = { ...files, ...(certificate && { certificate }) };
      return {
        ...{ config: undefined, drift: undefined, certificate: undefined },
        left: [newest, ...(view.left ?? [])].slice(0, LEFT),
      };
    }
    case 'DomainFilesReturned': {
      const found = view.left?.find(isLeftAt(event.data));
      return { config: found?.config, certificate: found?.certificate, ...withoutLeft(view, event.data) };
    }
    case 'DomainFilesRemoved':
      return withoutLeft(view, event.data);
    // Parts that were deleted from the server are also absent after a restore.
    case 'DomainRemoved':
      return {
        removedAt: at,
        ...(event.data.kept.config ? {} : { config: undefined, drift: undefined }),
        answer: undefined,
        ...(event.data.kept.certificate ? {} : { certificate: undefined }),
      };
    case 'DomainRestored':
      return { removedAt: undefined };
    case 'DomainAlertsConfigured':
      return { thresholds: event.data.thresholds ?? undefined };
    case 'SiteSettingsChanged':
      return { settings: event.data.settings };
    case 'LocationAdded':
      return withLocations([...view.locations, shown(event.data.location)]);
    case 'LocationRevised': {
      const location = shown(event.data.location);
      return withLocations(view.locations.map((known) => (known.id === location.id ? location : known)));
    }
    case 'LocationRemoved':
      return withLocations(view.locations.filter(({ id }) => id !== event.data.id));
    case 'DnsAnswerChanged':
      return { dns: { ...event.data, at }, dnsHistory: before(view.dns, view.dnsHistory) };
    // The causation id of the event is the run.
    case 'SiteConfigApplied':
      return applied(view, { ...event.data, at, by, run: causationId, position });
    case 'SiteConfigAdopted': {
      const { options, file } = view.config ?? { options: noOptions, file: '' };
      return applied(view, { ...event.data, options, file, at, by, position });
    }
    case 'SiteConfigDrifted':
      return { drift: { ...event.data, at } };
    case 'SiteConfigReturned':
      return { drift: undefined };
    case 'SiteConfigRemoved':
      return { config: undefined, drift: undefined, answer: undefined };
    case 'SiteAnswerChanged':
      return { answer: { ...event.data, at } };
    case 'CertificateIssued':
      return {
        certificate: { ...event.data, at, run: causationId, renewals: 0 },
        issuances: before({ at, names: event.data.names, renewed: false }, view.issuances),
      };
    case 'CertificateRenewed': {
      const { previous: _, ...facts } = event.data;
      const renewals = (view.certificate?.renewals ?? 0) + 1;
      return {
        certificate: { ...facts, at, run: causationId, renewals },
        issuances: before({ at, names: facts.names, renewed: true }, view.issuances),
      };
    }
    case 'CertificateRefused':
      return { refusals: before({ ...event.data, at }, view.refusals) };
    case 'CertificateOrderWasted': {
      const { detail, names } = event.data;
      return { refusals: before({ detail, names, wasted: true, at }, view.refusals) };
    }
    case 'CertificateRemoved':
      return { certificate: undefined };
    case 'CertificateServed':
      return { served: { ...event.data, at } };
    default:
      return {};
  }
};

const noOptions: SiteOptions = { docker: false, ssl: false, gzip: false };

const added = (id: string, event: Extract<LoggedEvent, { type: 'DomainAdded' }>): DomainView => {
  const { at, actor, workspace } = event.meta;
  const { serverName, server, addresses } = event.data;
  return {
    id,
    uuid: id,
    workspace,
    serverName,
    server: { id: server },
    serverId: server,
    locations: [],
    locationIds: [],
    deployLogs: [],
    dns: { outcome: 'found', addresses, pointsHere: true, at },
    dnsHistory: [],
    configs: [],
    issuances: [],
    refusals: [],
    addedAt: at,
    addedBy: actor,
    changedAt: at,
    changedBy: actor,
    revision: event.revision,
    position: event.position,
  };
};

export const domains = defineProjection<DomainView>({
  name: 'domains',
  version: 5,
  columns: {
    serverName: 'text',
    serverId: 'text',
    locationIds: 'text[]',
    deployLogs: 'text[]',
    removedAt: 'timestamptz',
  },
  hiddenBy: 'removedAt',
  indexes: [
    '(workspace, "serverName")',
    '(workspace, "serverId")',
    'using gin ("locationIds")',
    'using gin ("deployLogs")',
  ],
  ...rowPerStream('domain'),
  evolve: (view, event, key) => {
    if (event.type === 'DomainAdded') return added(key, event);
    if (!view) return undefined;
    const { at, actor } = event.meta;
    const by = edits.has(event.type) ? { changedAt: at, changedBy: actor } : {};
    const place = { revision: event.revision, position: event.position };
    return { ...view, ...changes(view, event), ...by, ...place };
  },
});
