/**
 * Commands and events of a domain. `domain-config.ts` decides about its configuration, `domain-certificate.ts` about
 * its certificate, `domain-locations.ts` and `site-names.ts` about what they name.
 */
import { isTyped, isWildcard, type EventData, type SiteSettings } from '@quarterdeck/events';
import { command, deciderOf } from '../platform/decider';
import { DomainError, invalidField, NameNotClaimed, notFound } from '../platform/errors';
import { certificateChanges, certificateCommands } from './domain-certificate';
import { configChanges, configCommands } from './domain-config';
import { heard, RecordDnsAnswer, type DnsAnswer } from './domain-answers';
import { RecordSiteAnswer } from './domain-site-answer';
import { ChangeSiteNames } from './site-names';
import { locationChanges, locationCommands } from './domain-locations';
import {
  changesOfPresent,
  ofPresent,
  type DomainEvent,
  type DomainState,
  type LeftFiles,
  type PresentDomain,
} from './domain-state';

export type { DomainEvent, DomainOfWorkspace, DomainState, PresentDomain } from './domain-state';

type LeftAt = Pick<LeftFiles, 'serverName' | 'server'>;

/** What the operator chose to leave on the server. */
export type LeftOnServer = EventData<'DomainRemoved'>['kept'];

/** `addresses`: from DNS; they were found to be the server's. */
export class AddDomain extends command('AddDomain', { opens: true, idempotent: true })(
  (data: EventData<'DomainAdded'>, state: DomainState) => {
    if (state.is === 'unknown') return [{ type: 'DomainAdded', data }];
    if (state.is === 'present' && state.serverName === data.serverName && state.server === data.server)
      return [];
    throw new DomainError('conflict', 'domain already exists');
  },
) {}

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

/**
 * `nameClaimed`: the new name was reserved for this domain in its workspace. `leave`: its files stay on its present
 * server, which has this alias.
 */
interface Edited {
  serverName: string;
  server: string;
  nameClaimed?: true;
  leave?: { alias: string } | undefined;
}

export class EditDomain extends command('EditDomain', { idempotent: true })(
  ofPresent(({ serverName, server, nameClaimed, leave }: Edited, domain) => {
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
  }),
) {}

/** `serverName`: typed by the operator as confirmation. */
interface Removal {
  serverName?: string | undefined;
  kept: LeftOnServer;
}

export class RemoveDomain extends command('RemoveDomain')(
  ofPresent(({ serverName: typed, kept }: Removal, { serverName, config, certificate }) => {
    if (typed !== undefined && !isTyped(serverName, typed))
      throw invalidField('serverName', 'this is not the name of the domain');
    // Only what exists can be kept.
    const there = {
      config: kept.config && config !== undefined,
      certificate: kept.certificate && certificate.issued !== undefined,
    };
    return [{ type: 'DomainRemoved', data: { serverName, kept: there } }];
  }),
) {}

/** Restores the domain as it was when it was removed. Its name has to be reserved for it, and its server must exist. */
export class RestoreDomain extends command('RestoreDomain', { idempotent: true })(
  (_: object, state: DomainState) => {
    if (state.is === 'present') return [];
    if (state.is === 'unknown') throw notFound('domain');
    const { serverName, server } = state.was;
    return [{ type: 'DomainRestored', data: { serverName, server } }];
  },
) {}

export class RecordLeftRemoval extends command('RecordLeftRemoval', { idempotent: true })(
  ofPresent((data: LeftAt, { left }) =>
    left.some(isAt(data)) ? [{ type: 'DomainFilesRemoved', data }] : [],
  ),
) {}

export class ConfigureDomainAlerts extends command('ConfigureDomainAlerts', { idempotent: true })(
  ofPresent((data: EventData<'DomainAlertsConfigured'>, { thresholds }) =>
    JSON.stringify(thresholds) === JSON.stringify(data.thresholds)
      ? []
      : [{ type: 'DomainAlertsConfigured', data }],
  ),
) {}

const sameSettings = (a: SiteSettings, b: SiteSettings): boolean =>
  (Object.keys({ ...a, ...b }) as (keyof SiteSettings)[]).every((name) => a[name] === b[name]);

/** All settings of the site, as they are to be. */
export class ChangeSiteSettings extends command('ChangeSiteSettings', { idempotent: true })(
  ofPresent((data: EventData<'SiteSettingsChanged'>, { settings = {} }) =>
    sameSettings(settings, data.settings) ? [] : [{ type: 'SiteSettingsChanged', data }],
  ),
) {}

/** As many as the read model keeps. */
const MAX_LEFT = 10;

const withoutLeft = ({ left }: PresentDomain, where: LeftAt): LeftFiles[] =>
  left.filter((one) => !isAt(where)(one));

const leftBehind = (domain: PresentDomain, kept: LeftOnServer): PresentDomain => ({
  ...domain,
  answer: undefined,
  ...(kept.config ? {} : { config: undefined, drift: undefined }),
  ...(kept.certificate ? {} : { certificate: { ...domain.certificate, issued: undefined } }),
});

/** Only these events conflict with an operator's edit. All others do not affect it. */
const takenFrom: Partial<Record<string, readonly DomainEvent['type'][]>> = {
  EditDomain: ['DomainRenamed', 'DomainMoved'],
  ConfigureDomainAlerts: ['DomainAlertsConfigured'],
  ChangeSiteSettings: ['SiteSettingsChanged'],
  ChangeSiteNames: ['SiteNamesChanged', 'DomainRenamed'],
  ReviseLocation: ['LocationRevised', 'LocationRemoved'],
};

export const domainsDecider = deciderOf<DomainState, DomainEvent>()({
  category: 'domain',
  initial: { is: 'unknown' },
  commands: [
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
  ],
  clashes: (type, { type: given }) => takenFrom[given]?.includes(type) ?? false,
  evolve: {
    DomainAdded: (_, { serverName, server, addresses }) => {
      const dns: DnsAnswer = { outcome: 'found', addresses, pointsHere: true };
      const nothing = { names: [], locations: [], certificate: {}, thresholds: null, left: [] };
      return { is: 'present', serverName, server, dns, ...nothing };
    },
    DomainRemoved: (state, { kept }) =>
      state.is === 'present' ? { is: 'removed', was: leftBehind(state, kept) } : state,
    DomainRestored: (state) => (state.is === 'removed' ? state.was : state),
    ...changesOfPresent({
      // The certificate was served under the old name.
      DomainRenamed: ({ certificate }, { serverName }) => ({
        serverName,
        answer: undefined,
        certificate: { ...certificate, served: undefined },
      }),
      DomainMoved: (_, { server }) => ({ server, answer: undefined }),
      DomainAlertsConfigured: (_, data) => data,
      SiteSettingsChanged: (_, data) => data,
      SiteNamesChanged: (_, data) => data,
      DomainFilesAbandoned: ({ serverName, server, config, certificate, left }) => ({
        config: undefined,
        drift: undefined,
        certificate: { ...certificate, issued: undefined },
        left: [{ serverName, server, config, issued: certificate.issued }, ...left].slice(0, MAX_LEFT),
      }),
      DomainFilesReturned: (domain, data) => {
        const { config, issued } = domain.left.find(isAt(data)) ?? {};
        return {
          left: withoutLeft(domain, data),
          ...(config && { config }),
          certificate: { ...domain.certificate, ...(issued && { issued }) },
        };
      },
      DomainFilesRemoved: (domain, data) => ({ left: withoutLeft(domain, data) }),
      DnsAnswerChanged: ({ dns }, answer) => ({ dns: heard(dns, answer) }),
      SiteAnswerChanged: (_, { is }) => ({ answer: is }),
      ...locationChanges,
      ...configChanges,
      ...certificateChanges,
    }),
  },
});

export type DomainCommand = InstanceType<(typeof domainsDecider)['commands'][number]>;
