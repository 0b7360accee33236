/** What the rules of a domain see. */
import type { EventData, EventsOf, SiteSettings } from '@quarterdeck/events';
import type { certificateEvents, domainEvents } from '@quarterdeck/events/catalogue';
import type { Folds } from '../platform/decider';
import { notFound } from '../platform/errors';
import type { HeardDns } from './domain-answers';
import type { CertificateFacts, Served } from './domain-certificate';
import type { Location } from './domain-locations';
import type { SiteAnswer } from './domain-site-answer';
import type { SiteName } from './site-names';

export type DomainEvent = EventsOf<typeof domainEvents> | EventsOf<typeof certificateEvents>;

export interface PresentDomain {
  is: 'present';
  serverName: string;
  server: string;
  /** Other names of the site. */
  names: readonly SiteName[];
  locations: readonly Location[];
  dns: HeardDns;
  certificate: { issued?: CertificateFacts; served?: Served };
  thresholds: readonly number[] | null;
  /** Absent if they were never changed. */
  settings?: SiteSettings;
  config?: Pick<EventData<'SiteConfigApplied'>, 'sha256' | 'file' | 'options'>;
  /** The text that was found in place of the configuration; `''` if the file was missing. */
  drift?: { sha256: string; text?: string };
  /** Newest first. */
  left: readonly LeftFiles[];
  /** Who answered for the site at the last change of that. */
  answer?: SiteAnswer['is'];
}

/** What the domain left on a server under an earlier name, or on an earlier server. */
export interface LeftFiles {
  serverName: string;
  server: string;
  config?: PresentDomain['config'];
  issued?: CertificateFacts;
}

export type DomainOfWorkspace = PresentDomain & { id: string };
/** `was`: the state before the removal, with what was left on the server. */
export type DomainState = { is: 'unknown' } | { is: 'removed'; was: PresentDomain } | PresentDomain;

/** A rule about domains that are there. No other one is found. */
export const ofPresent =
  <D>(rule: (data: D, domain: PresentDomain) => readonly DomainEvent[]) =>
  (data: D, state: DomainState): readonly DomainEvent[] => {
    if (state.is !== 'present') throw notFound('domain');
    return rule(data, state);
  };

/** What events change in a domain that is there. */
export type Changes = Folds<PresentDomain, DomainEvent, Partial<PresentDomain>>;

export const changesOfPresent = (changes: Changes): Folds<DomainState, DomainEvent> =>
  Object.fromEntries(
    Object.entries(changes as Record<string, (domain: PresentDomain, data: never) => object>).map(
      ([type, change]) => [
        type,
        (state: DomainState, data: never) =>
          state.is === 'present' ? { ...state, ...change(state, data) } : state,
      ],
    ),
  );
