/** Turns values of events into phrases for sentences. */
import type { EventData } from './catalogue';

export const list = (words: readonly string[]): string => words.join(', ');
export const addressesOf = (found: readonly { address: string }[]): string =>
  list(found.map((a) => a.address));
export const day = (instant: string): string => instant.slice(0, 10);
export const days = (thresholds: readonly number[]): string =>
  thresholds.length === 0 ? 'never' : `${list(thresholds.map(String))} days before expiry`;
export const pathOf = ({ match, location }: EventData<'LocationAdded'>['location']): string =>
  match === 'prefix' ? location : `${location} (${match})`;

export const inDays = (count: number): string => (count === 1 ? '1 day' : `${count} days`);

/** @param sessions number of other sessions that were ended; undefined if the person ended their own */
export const ofOthers = (sessions: number | undefined): string =>
  sessions === undefined ? '' : ` of ${sessions} other ${sessions === 1 ? 'session' : 'sessions'}`;

export const credentialNames = {
  'gh-username': 'user name at the source-code host',
  'gh-token': 'token of the source-code host',
} as const;

export const invited = { link: 'link', github: 'GitHub login', email: 'e-mail' } as const;
export const readModelsOf = (name: string): string =>
  name === 'all' ? 'all read models' : `read model ${name}`;

export const seconds = (ms: number): string => `${(ms / 1000).toFixed(ms < 10_000 ? 2 : 0)} s`;

/** Continues `the site …`. */
export const answerWords = {
  answers: 'answers',
  unproven: 'answers, but is not proven to be ours',
  another: 'is answered by another site',
  '502': 'answers 502',
  silent: 'does not answer',
  tlsGone: 'does not answer over HTTPS',
  nginxStopped: 'does not answer, because nginx is stopped',
} as const;

/** `www.shop.example (redirects), shop.example.org` */
export const namesOf = (names: EventData<'SiteNamesChanged'>['names']): string =>
  list(names.map(({ name, does }) => (does === 'redirects' ? `${name} (redirects)` : name)));

/** Of one name. */
export const pointingWords = (found: Omit<EventData<'DnsAnswerChanged'>, 'names'>): string => {
  const { outcome, addresses, pointsHere, elsewhere, reason = 'no answer' } = found;
  if (outcome === 'failed') return `DNS could not be looked up: ${reason}`;
  if (outcome === 'none') return 'DNS has no address';
  const all = `DNS points to ${pointsHere ? 'its server: ' : ''}${addressesOf(addresses)}`;
  if (!elsewhere) return all;
  return addressesOf(elsewhere) === addressesOf(addresses)
    ? `${all}, which is not its server`
    : `${all}; not of its server: ${addressesOf(elsewhere)}`;
};
