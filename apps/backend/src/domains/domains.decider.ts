/**
 * Commands and events of a domain. `domain-config.ts` decides about its configuration, `domain-certificate.ts` about
 * its certificate.
 */
import { isTyped, isWildcard, type EventData, type EventsOf, type SiteSettings } from '@quarterdeck/events';
import type { certificateEvents, domainEvents } from '@quarterdeck/events/catalogue';
import { command, type CommandOf, type Decider } from '../platform/decider';
import { DomainError, invalidField, NameNotClaimed, notFound } from '../platform/errors';
import {
  certificateCommands,
  decideCertificate,
  evolveCertificate,
  type CertificateState,
} from './domain-certificate';
import { configCommands, decideConfig, evolveConfig, type ConfigState } from './domain-config';
import { heard, recordAnswer, RecordDnsAnswer, type DnsAnswer, type HeardDns } from './domain-answers';
import { recordSiteAnswer, RecordSiteAnswer, type SiteAnswer } from './domain-site-answer';
import { ChangeSiteNames, changeNames, type SiteName } from './site-names';
import { decideLocations, evolveLocations, locationCommands, type Location } from './domain-locations';

export type DomainEvent = EventsOf<typeof domainEvents> | EventsOf<typeof certificateEvents>;

export interface PresentDomain extends ConfigState {
  is: 'present';
  serverName: string;
  server: string;
  /** Other names of the site. */
  names: readonly SiteName[];
  locations: readonly Location[];
  dns: HeardDns;
  certificate: CertificateState;
  thresholds: readonly number[] | null;
  /** Absent if they were never changed. */
  settings?: SiteSettings;
  /** Newest first. */
  left: readonly LeftFiles[];
  /** Who answered for the site at the last change of that. */
  answer?: SiteAnswer['is'];
}

/** What the domain left on a server under an earlier name, or on an earlier server. */
interface LeftFiles {
  serverName: string;
  server: string;
  config?: ConfigState['config'];
  issued?: CertificateState['issued'];
}
type LeftAt = Pick<LeftFiles, 'serverName' | 'server'>;

export type DomainOfWorkspace = PresentDomain & { id: string };
/** What the operator chose to leave on the server. */
export type LeftOnServer = EventData<'DomainRemoved'>['kept'];
/** `was`: the state before the removal, with what was left on the server. */
export type DomainState = { is: 'unknown' } | { is: 'removed'; was: PresentDomain } | PresentDomain;

/** `addresses`: from DNS; they were found to be the server's. */
export class AddDomain extends command('AddDomain', { opens: true, idempotent: true })<
  EventData<'DomainAdded'>
>() {}
/**
 * `nameClaimed`: the new name was reserved for this domain in its workspace. `leave`: its files stay on its present
 * server, which has this alias.
 */
export class EditDomain extends command('EditDomain', { idempotent: true })<{
  serverName: string;
  server: string;
  nameClaimed?: true;
  leave?: { alias: string } | undefined;
}>() {}
export class RecordLeftRemoval extends command('RecordLeftRemoval', { idempotent: true })<LeftAt>() {}
export class ConfigureDomainAlerts extends command('ConfigureDomainAlerts', { idempotent: true })<
  EventData<'DomainAlertsConfigured'>
>() {}
/** All settings of the site, as they are to be. */
export class ChangeSiteSettings extends command('ChangeSiteSettings', { idempotent: true })<
  EventData<'SiteSettingsChanged'>
>() {}
/** `serverName`: typed by the operator as confirmation. */
export class RemoveDomain extends command('RemoveDomain')<{
  serverName?: string | undefined;
  kept: LeftOnServer;
}>() {}

/** Restores the domain as it was when it was removed. Its name has to be reserved for it, and its server must exist. */
export class RestoreDomain extends command('RestoreDomain', { idempotent: true })<object>() {}

const domainCommands = [
  AddDomain,
  EditDomain,
  ConfigureDomainAlerts,
  ChangeSiteSettings,
  ChangeSiteNames,
  RemoveDomain,
  RestoreDomain,
  RecordLeftRemoval,
  RecordDnsAnswer,
  RecordSiteAnswer,
  ...locationCommands,
  ...configCommands,
  ...certificateCommands,
];
export type DomainCommand = CommandOf<typeof domainCommands>;

const add = ({ data }: AddDomain, state: DomainState): DomainEvent[] => {
  if (state.is === 'unknown') return [{ type: 'DomainAdded', data }];
  if (state.is === 'present' && state.serverName === data.serverName && state.server === data.server)
    return [];
  throw new DomainError('conflict', 'domain already exists');
};

const isAt =
  ({ serverName, server }: LeftAt) =>
  (one: LeftAt): boolean =>
    one.serverName === serverName && one.server === server;

const leftBy = (
  { serverName, server, config, certificate }: PresentDomain,
  alias: string,
): EventData<'DomainFilesAbandoned'> => ({
  serverName,
  server,
  alias,
  config: config !== undefined,
  certificate: certificate.issued !== undefined,
});

const edit = ({ data }: EditDomain, domain: PresentDomain): DomainEvent[] => {
  const { serverName, server, nameClaimed, leave } = data;
  if (domain.names.some(({ name }) => name === serverName))
    throw invalidField('serverName', 'this is one of its other names: remove it there first');
  const renamed = serverName !== domain.serverName;
  if (renamed && isWildcard(serverName) && domain.names.some(({ does }) => does === 'redirects'))
    throw invalidField(
      'serverName',
      `${serverName} is no address to redirect to: serve its other names, or remove them, first`,
    );
  if (renamed && !nameClaimed) throw new NameNotClaimed('domain', serverName);
  const events: DomainEvent[] = [];
  const away = serverName !== domain.serverName || server !== domain.server;
  const leftBehind = domain.config ? 'configuration' : domain.certificate.issued && 'certificate';
  if (away && leftBehind && !leave)
    throw invalidField(
      serverName === domain.serverName ? 'server' : 'serverName',
      `remove its ${leftBehind} from the server first, or leave what is there`,
    );
  if (away && leftBehind && leave)
    events.push({ type: 'DomainFilesAbandoned', data: leftBy(domain, leave.alias) });
  if (serverName !== domain.serverName) events.push({ type: 'DomainRenamed', data: { serverName } });
  if (server !== domain.server) events.push({ type: 'DomainMoved', data: { server } });
  if (away && domain.left.some(isAt({ serverName, server })))
    events.push({ type: 'DomainFilesReturned', data: { serverName, server } });
  return events;
};

const remove = ({ data }: RemoveDomain, domain: PresentDomain): DomainEvent[] => {
  const { serverName } = domain;
  if (data.serverName !== undefined && !isTyped(serverName, data.serverName))
    throw invalidField('serverName', 'this is not the name of the domain');
  // Only what exists can be kept.
  const kept = {
    config: data.kept.config && domain.config !== undefined,
    certificate: data.kept.certificate && domain.certificate.issued !== undefined,
  };
  return [{ type: 'DomainRemoved', data: { serverName, kept } }];
};

const restore = (state: DomainState): DomainEvent[] => {
  if (state.is === 'present') return [];
  if (state.is === 'unknown') throw notFound('domain');
  const { serverName, server } = state.was;
  return [{ type: 'DomainRestored', data: { serverName, server } }];
};

const sameThresholds = (a: readonly number[] | null, b: readonly number[] | null): boolean =>
  JSON.stringify(a) === JSON.stringify(b);

const sameSettings = (a: SiteSettings, b: SiteSettings): boolean =>
  (Object.keys({ ...a, ...b }) as (keyof SiteSettings)[]).every((name) => a[name] === b[name]);

const decide = (given: DomainCommand, state: DomainState): readonly DomainEvent[] => {
  if (given.type === 'AddDomain') return add(given, state);
  if (given.type === 'RestoreDomain') return restore(state);
  if (state.is !== 'present') throw notFound('domain');
  switch (given.type) {
    case 'EditDomain':
      return edit(given, state);
    case 'ConfigureDomainAlerts':
      return sameThresholds(state.thresholds, given.data.thresholds)
        ? []
        : [{ type: 'DomainAlertsConfigured', data: given.data }];
    case 'ChangeSiteSettings':
      return sameSettings(state.settings ?? {}, given.data.settings)
        ? []
        : [{ type: 'SiteSettingsChanged', data: given.data }];
    case 'ChangeSiteNames':
      return changeNames(given.data, state);
    case 'AddLocation':
    case 'ReviseLocation':
    case 'RemoveLocation':
      return decideLocations(given, state.locations);
    case 'RecordDnsAnswer':
      return recordAnswer(given.data, state);
    case 'RecordSiteAnswer':
      return recordSiteAnswer(given.data, state);
    case 'RecordAppliedConfig':
    case 'RecordFoundConfig':
    case 'AdoptConfig':
    case 'RecordConfigRemoval':
      return decideConfig(given, state);
    case 'IssueCertificate':
    case 'RefuseCertificate':
    case 'RecordWastedOrder':
    case 'RemoveCertificate':
    case 'RecordServed':
      return decideCertificate(given, state.serverName, state.certificate);
    case 'RecordLeftRemoval':
      return state.left.some(isAt(given.data)) ? [{ type: 'DomainFilesRemoved', data: given.data }] : [];
    case 'RemoveDomain':
      return remove(given, state);
  }
};

const without = <T extends object, K extends keyof T>(object: T, ...keys: K[]): Omit<T, K> => {
  const rest = { ...object };
  for (const key of keys) delete rest[key];
  return rest;
};

/** As many as the read model keeps. */
const MAX_LEFT = 10;

const withoutLeft = (domain: PresentDomain, where: LeftAt): PresentDomain => ({
  ...domain,
  left: domain.left.filter((one) => !isAt(where)(one)),
});

const asLeftBehind = (present: PresentDomain, kept: LeftOnServer): PresentDomain => {
  const domain = without(present, 'answer');
  const { issued: _, ...certificate } = domain.certificate;
  const was = kept.config ? domain : without(domain, 'config', 'drift');
  return kept.certificate ? was : { ...was, certificate };
};

const evolve = (state: DomainState, event: DomainEvent): DomainState => {
  if (event.type === 'DomainAdded') {
    const { serverName, server, addresses } = event.data;
    const dns: DnsAnswer = { outcome: 'found', addresses, pointsHere: true };
    const nothing = { names: [], locations: [], certificate: {}, thresholds: null, left: [] };
    return { is: 'present', serverName, server, dns, ...nothing };
  }
  if (event.type === 'DomainRestored') return state.is === 'removed' ? state.was : state;
  if (state.is !== 'present') return state;
  switch (event.type) {
    case 'DomainRenamed': {
      // The certificate was served under the old name.
      const { served: _, ...certificate } = state.certificate;
      return { ...without(state, 'answer'), ...event.data, certificate };
    }
    case 'DomainMoved':
      return { ...without(state, 'answer'), ...event.data };
    case 'DomainAlertsConfigured':
    case 'SiteSettingsChanged':
    case 'SiteNamesChanged':
      return { ...state, ...event.data };
    case 'DomainFilesAbandoned': {
      const { config, certificate, serverName, server } = state;
      const { issued, ...others } = certificate;
      const newest = { serverName, server, ...(config && { config }), ...(issued && { issued }) };
      const left = [newest, ...state.left].slice(0, MAX_LEFT);
      return { ...without(state, 'config', 'drift'), certificate: others, left };
    }
    case 'DomainFilesReturned': {
      const { config, issued } = state.left.find(isAt(event.data)) ?? {};
      const certificate = { ...state.certificate, ...(issued && { issued }) };
      return { ...withoutLeft(state, event.data), ...(config && { config }), certificate };
    }
    case 'DomainFilesRemoved':
      return withoutLeft(state, event.data);
    case 'LocationAdded':
    case 'LocationRevised':
    case 'LocationRemoved':
      return { ...state, locations: evolveLocations(state.locations, event) };
    case 'DnsAnswerChanged':
      return { ...state, dns: heard(state.dns, event.data) };
    case 'SiteAnswerChanged':
      return { ...state, answer: event.data.is };
    case 'SiteConfigApplied':
    case 'SiteConfigAdopted':
    case 'SiteConfigDrifted':
    case 'SiteConfigReturned':
    case 'SiteConfigRemoved': {
      const { config: _, drift: __, ...rest } = state;
      const next = { ...rest, ...evolveConfig(state, event) };
      return next.config ? next : without(next, 'answer');
    }
    case 'CertificateIssued':
    case 'CertificateRenewed':
    case 'CertificateRefused':
    case 'CertificateOrderWasted':
    case 'CertificateRemoved':
    case 'CertificateServed':
      return { ...state, certificate: evolveCertificate(state.certificate, event) };
    case 'DomainRemoved':
      return { is: 'removed', was: asLeftBehind(state, event.data.kept) };
  }
};

/** Only these events conflict with an operator's edit. All others do not affect it. */
const takenFrom: Partial<Record<DomainCommand['type'], readonly DomainEvent['type'][]>> = {
  EditDomain: ['DomainRenamed', 'DomainMoved'],
  ConfigureDomainAlerts: ['DomainAlertsConfigured'],
  ChangeSiteSettings: ['SiteSettingsChanged'],
  ChangeSiteNames: ['SiteNamesChanged', 'DomainRenamed'],
  ReviseLocation: ['LocationRevised', 'LocationRemoved'],
};

export const domainsDecider: Decider<DomainState, DomainCommand, DomainEvent> = {
  category: 'domain',
  commands: domainCommands,
  initial: { is: 'unknown' },
  decide,
  evolve,
  clashes: (type, given) => takenFrom[given.type]?.includes(type) ?? false,
};
