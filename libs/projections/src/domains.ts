/** Folds the events of domains. */
import type { LoggedEvent } from '@quarterdeck/events';
import { defineProjection, rowPerStream } from './define-projection';
import { ledBy } from './domain-verdict';
import {
  type AppliedConfig,
  type DomainView,
  type LeftFiles,
  type Location,
  type LocationView,
  type SiteOptions,
} from './domain-view';

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
  'SiteNamesChanged',
  'LocationAdded',
  'LocationRevised',
  'LocationRemoved',
  'SiteConfigAdopted',
  'DomainRestored',
]);

const shown = ({ deployLog, service, ...location }: Location): LocationView => ({
  ...location,
  ...(deployLog !== undefined && { deployLog: { id: deployLog } }),
  ...(service !== undefined && { service: { id: service } }),
});

const withLocations = (locations: LocationView[]): Partial<DomainView> => ({
  locations,
  locationIds: locations.map(({ id }) => id),
  deployLogs: locations.flatMap(({ deployLog }) => deployLog?.id ?? []),
  serviceIds: locations.flatMap(({ service }) => service?.id ?? []),
});

/** DNS was asked about names that the site has no more. */
const withNames = (view: DomainView, names: NonNullable<DomainView['names']>): Partial<DomainView> => {
  const { names: asked, ...dns } = view.dns;
  const known = asked?.filter((one) => names.some(({ name }) => name === one.name)) ?? [];
  return {
    names: names.length > 0 ? names : undefined,
    dns: known.length > 0 ? { ...dns, names: known } : dns,
  };
};

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
      return { serverName: event.data.serverName, served: undefined, answer: undefined, away: undefined };
    case 'DomainMoved':
      return {
        server: { id: event.data.server },
        serverId: event.data.server,
        answer: undefined,
        led: undefined,
        away: undefined,
      };
    case 'DomainFilesAbandoned': {
      const { serverName, server: id, alias } = event.data;
      const { config, certificate } = view;
      const files = { at, serverName, server: { id, alias }, ...(config && { config }) };
      const newest = { ...files, ...(certificate && { certificate }) };
      return {
        config: undefined,
        drift: undefined,
        certificate: undefined,
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
    case 'SiteNamesChanged':
      return withNames(view, event.data.names);
    case 'LocationAdded':
      return withLocations([...view.locations, shown(event.data.location)]);
    case 'LocationRevised': {
      const location = shown(event.data.location);
      return withLocations(view.locations.map((known) => (known.id === location.id ? location : known)));
    }
    case 'LocationRemoved':
      return withLocations(view.locations.filter(({ id }) => id !== event.data.id));
    case 'DnsAnswerChanged':
      return {
        dns: { ...event.data, at },
        dnsHistory: before(view.dns, view.dnsHistory),
        ...ledBy(view, { ...event.data, at }),
      };
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
    serviceIds: [],
    dns: { outcome: 'found', addresses, pointsHere: true, at },
    dnsHistory: [],
    led: [serverName],
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
  version: 7,
  columns: {
    serverName: 'text',
    serverId: 'text',
    locationIds: 'text[]',
    deployLogs: 'text[]',
    serviceIds: 'text[]',
    removedAt: 'timestamptz',
  },
  hiddenBy: 'removedAt',
  indexes: [
    '(workspace, "serverName")',
    '(workspace, "serverId")',
    'using gin ("locationIds")',
    'using gin ("deployLogs")',
    'using gin ("serviceIds")',
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
