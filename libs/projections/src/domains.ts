/** The domains of a workspace: where they point, what is served under them, and by which certificate. */
import { streamParts, type EventData, type LoggedEvent, type Position } from '@quarterdeck/events';
import { defineProjection } from './define-projection';

type Location = EventData<'LocationAdded'>['location'];
export type LocationView = Omit<Location, 'deployLog'> & { deployLog?: { id: string } };
export type SiteOptions = EventData<'SiteConfigApplied'>['options'];
export type CertificateFacts = EventData<'CertificateIssued'>;

interface Seen {
  at: string;
}

export type DnsAnswer = EventData<'DnsAnswerChanged'> & Seen;

/** A configuration that was live once; its text is in the event at `position`. */
export interface AppliedConfig extends Seen {
  sha256: string;
  options: SiteOptions;
  file: string;
  by: string;
  /** The run that applied it; absent when it was adopted. */
  run?: string;
  restored?: string;
  position: Position;
}

export type CertificateView = CertificateFacts & Seen & { run: string; renewals: number };
export type ServedView = EventData<'CertificateServed'> & Seen;
export type CertificateRefusal = EventData<'CertificateRefused'> & Seen;

export interface DomainView {
  id: string;
  uuid: string;
  workspace: string;
  serverName: string;
  /** Alias and host are joined when read: a domain's own stream does not know them. */
  server: { id: string; alias?: string; host?: string };
  /** `server.id` again, where a query can find it. */
  serverId: string;
  locations: LocationView[];
  /** Again, where a query can find them. */
  locationIds: string[];
  deployLogs: string[];
  dns: DnsAnswer;
  /** Earlier answers, the newest first. */
  dnsHistory: DnsAnswer[];
  /** What is live, as far as we know. */
  config?: AppliedConfig & { text: string };
  /** Earlier ones too, the newest first. */
  configs: AppliedConfig[];
  /** The file on the server is not the one that was applied. */
  drift?: EventData<'SiteConfigDrifted'> & Seen;
  certificate?: CertificateView;
  served?: ServedView;
  /** Issued and renewed, the newest first: what the CA allows is counted from here. */
  issuances: (Seen & { names: string[]; renewed: boolean })[];
  /** The newest first. */
  refusals: CertificateRefusal[];
  /** Of its own; absent: those of the workspace. */
  thresholds?: number[];
  addedAt: string;
  addedBy: string;
  changedAt: string;
  changedBy: string;
  /** Then nobody is shown it, until it is put back. */
  removedAt?: string;
  revision: number;
  position: Position;
}

/** A domain as lists show it: without texts and what was before. */
export type DomainRow = Omit<
  DomainView,
  'config' | 'configs' | 'drift' | 'dnsHistory' | 'issuances' | 'refusals'
> & {
  config?: AppliedConfig;
  drift?: Seen & { sha256?: string };
};

const covers = (names: readonly string[], serverName: string): boolean => {
  const wildcard = serverName.replace(/^[^.]+/, '*');
  return names.some((name) => [serverName, wildcard].includes(name.toLowerCase()));
};

/**
 * What visitors see counts before what was issued: a renewed certificate that is not served helps nobody. What is
 * served for another name is another site's, which the server shows for want of a better one.
 */
export const certificateOf = ({
  serverName,
  served,
  certificate,
}: Pick<DomainView, 'serverName' | 'served' | 'certificate'>):
  | Pick<CertificateView, 'serial' | 'notAfter'>
  | undefined => (served?.served && covers(served.served.names, serverName) ? served.served : certificate);

/** What a view remembers of each kind; everything is in the history. */
const REMEMBERED = 50;

const before = <T>(newest: T, others: readonly T[]): T[] => [newest, ...others].slice(0, REMEMBERED);

/** What an operator changed: these events say who changed the domain last, the others only what was seen of it. */
const edits = new Set<LoggedEvent['type']>([
  'DomainRenamed',
  'DomainMoved',
  'DomainAlertsConfigured',
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
    // What was shown over TLS was shown under the other name.
    case 'DomainRenamed':
      return { serverName: event.data.serverName, served: undefined };
    case 'DomainMoved':
      return { server: { id: event.data.server }, serverId: event.data.server };
    // What was not left on the server is not there when the domain is put back.
    case 'DomainRemoved':
      return {
        removedAt: at,
        ...(event.data.kept.config ? {} : { config: undefined, drift: undefined }),
        ...(event.data.kept.certificate ? {} : { certificate: undefined }),
      };
    case 'DomainRestored':
      return { removedAt: undefined };
    case 'DomainAlertsConfigured':
      return { thresholds: event.data.thresholds ?? undefined };
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
    // The run is what set the event in motion.
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
      return { config: undefined, drift: undefined };
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
  version: 4,
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
  keys: (event) => {
    const { category, id } = streamParts(event.stream);
    return category === 'domain' ? [id] : [];
  },
  evolve: (view, event, key) => {
    if (event.type === 'DomainAdded') return added(key, event);
    if (!view) return undefined;
    const { at, actor } = event.meta;
    const by = edits.has(event.type) ? { changedAt: at, changedBy: actor } : {};
    const place = { revision: event.revision, position: event.position };
    return { ...view, ...changes(view, event), ...by, ...place };
  },
});
