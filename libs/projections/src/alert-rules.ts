/** What a rule covers, and when it tells. The same functions serve what is told and what a rule would have told. Pure. */
import {
  alertCauses,
  type alertRule,
  type AlertCause,
  type CauseWord,
  type ValuesOf,
} from '@quarterdeck/events';
import { z } from 'zod';
import { isAtLeast, severities } from './alert-severity';
import { silenceOf, weeklySilence, putOff, type MaintenanceFields, type Silence } from './alert-silence';

export type RuleFields = ValuesOf<typeof alertRule>;

/** What an alert is about, and where that is. */
export interface Covered {
  about: AlertCause;
  threshold?: number | undefined;
  subject: { kind: string; id: string };
  /** The server, directly or through a site or a service. */
  server?: string | null;
  /** The product of a service. */
  product?: string | null;
}

type Placed = Pick<RuleFields, 'servers' | 'sites' | 'products'>;

const isWithin = ({ servers, sites, products }: Placed, { subject, server, product }: Covered): boolean =>
  servers.length + sites.length + products.length === 0 ||
  (typeof server === 'string' && servers.includes(server)) ||
  sites.includes(subject.id) ||
  products.includes(subject.id) ||
  (typeof product === 'string' && products.includes(product));

export const isCovered = (
  rule: Placed & Pick<RuleFields, 'causes' | 'leastSeverity'>,
  covered: Covered,
): boolean => {
  const { causes, leastSeverity } = rule;
  if (causes.length > 0 && !causes.some((word) => alertCauses[word as CauseWord] === covered.about))
    return false;
  return isAtLeast(covered, leastSeverity) && isWithin(rule, covered);
};

/** An attacker could otherwise hide behind a window of maintenance. */
const NEVER_PUT_OFF: ReadonlySet<AlertCause> = new Set(['foreignEvents', 'logCut']);

const isInMaintenance = (window: Placed, covered: Covered): boolean =>
  !NEVER_PUT_OFF.has(covered.about) && isWithin(window, covered);

/** A window of maintenance, as it is asked again and again. */
export interface MaintenanceTimes extends Placed {
  id: string;
  name: string;
  workspace: string;
  silence: Silence;
}

export const maintenanceTimesOf = (
  window: MaintenanceFields & Pick<MaintenanceTimes, 'id' | 'workspace'>,
): MaintenanceTimes => ({ ...window, silence: silenceOf(window) });

/** The window of maintenance in which something begins. */
export const maintenanceAt = (
  windows: readonly MaintenanceTimes[],
  covered: Covered,
  at: string,
): MaintenanceTimes | undefined =>
  windows.find((window) => isInMaintenance(window, covered) && window.silence(Date.parse(at)) !== undefined);

/** The first time from `at` on that is in no window of maintenance; undefined if that does not come. */
export const putOffBy = (
  windows: readonly MaintenanceTimes[],
  covered: Covered,
  at: number,
): number | undefined => putOff(at, silencesOf(windows, covered));

const silencesOf = (windows: readonly MaintenanceTimes[], covered: Covered): Silence[] =>
  windows.filter((window) => isInMaintenance(window, covered)).map(({ silence }) => silence);

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

/** After how long something is told, how often again, and when not. */
export interface Telling extends Pick<RuleFields, 'holdsMinutes' | 'repeatHours'> {
  silences?: readonly Silence[];
}
interface Span {
  since: string;
  until?: string | undefined;
}

/** What no rule covers is told at once, and once. */
const AT_ONCE: Telling = { holdsMinutes: 0, repeatHours: 0 };

/** How something is told by a rule, or without one. Quiet hours put off what is below the most severe. */
export const tellingOf = (
  rule: (Pick<RuleFields, 'quietHours'> & Telling) | undefined,
  covered: Covered,
  windows: readonly MaintenanceTimes[],
): Telling => {
  const quiet = isAtLeast(covered, 'critical') ? null : (rule?.quietHours ?? null);
  const silences = silencesOf(windows, covered);
  return {
    ...(rule ?? AT_ONCE),
    silences: quiet === null ? silences : [...silences, weeklySilence(quiet)],
  };
};

const iso = (ms: number): string => new Date(ms).toISOString();

/** Its moments up to `end`, and the next one: the first, and the repetitions. What is put off to the same time is one. */
const momentsUpTo = (
  { holdsMinutes, repeatHours, silences = [] }: Telling,
  since: string,
  end: number,
): { first?: number | undefined; repeated: number[]; next?: number | undefined } => {
  const begin = Date.parse(since) + holdsMinutes * MINUTE_MS;
  const first = putOff(begin, silences);
  if (first === undefined) return { repeated: [] };
  if (first > end) return { next: first, repeated: [] };
  if (repeatHours === 0) return { first, repeated: [] };
  const every = repeatHours * HOUR_MS;
  const count = Math.floor((end - begin) / every) + 1;
  const later = Array.from({ length: count }, (_, nth) => begin + (nth + 1) * every);
  const all = [...new Set(later.flatMap((at) => putOff(at, silences) ?? []))].filter((at) => at > first);
  return { first, repeated: all.filter((at) => at <= end), next: all.find((at) => at > end) };
};

/** When the rule tells of a crossing, up to `now`: first, and then again and again while it lasts. */
export const momentsOf = (rule: Telling, { since, until }: Span, now: Date): string[] => {
  const end = until === undefined ? now.getTime() : Math.min(Date.parse(until) - 1, now.getTime());
  const { first, repeated } = momentsUpTo(rule, since, end);
  return first === undefined ? [] : [first, ...repeated].map(iso);
};

/**
 * Of an open alert, for one channel.
 * @param told the moment that the channel was last told
 * @returns the moment that is due, and the next one
 */
export const dueOf = (
  rules: readonly Telling[],
  { since, told }: { since: string; told?: string | undefined },
  now: Date,
): { due?: string; next?: string } => {
  const all = rules.map((rule) => momentsUpTo(rule, since, now.getTime()));
  const past = all
    .flatMap(({ first, repeated }) => {
      // Another rule has told it before.
      if (told !== undefined) return repeated.filter((at) => at > Date.parse(told));
      return first === undefined ? [] : [first];
    })
    .toSorted((a, b) => a - b);
  // After a pause, what was missed is told once.
  const due = told === undefined ? past[0] : past.at(-1);
  const next = all
    .flatMap(({ first, next: later }) => {
      if (later === undefined) return [];
      return first === undefined && told !== undefined ? [] : [later];
    })
    .toSorted((a, b) => a - b)[0];
  return { ...(due !== undefined && { due: iso(due) }), ...(next !== undefined && { next: iso(next) }) };
};

export const triedMoment = z
  .strictObject({
    at: z.string(),
    about: z.string(),
    severity: z.enum(severities),
    subject: z.strictObject({ kind: z.string(), id: z.string(), name: z.string() }),
    says: z.string(),
    since: z.string(),
    /** Absent while it lasts. */
    until: z.string().optional(),
    /** It told of the same crossing before. */
    again: z.literal(true).optional(),
  })
  .meta({ id: 'TriedMoment' });
export interface TriedMoment extends z.infer<typeof triedMoment> {}

export const triedRule = z
  .strictObject({
    from: z.string(),
    to: z.string(),
    /** How often the rule would have told, also if fewer moments are listed. */
    count: z.int(),
    /** The newest ones, oldest first. */
    moments: z.array(triedMoment),
    /** How many crossings it covers, which include those that did not last long enough. */
    crossings: z.int(),
    /** How many probes and events were looked at. */
    looked: z.int(),
    /** There was more than one trial looks at. */
    isPartial: z.literal(true).optional(),
  })
  .meta({ id: 'TriedRule' });
export interface TriedRule extends z.infer<typeof triedRule> {}
