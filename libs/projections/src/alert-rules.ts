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

type Covering = Pick<RuleFields, 'causes' | 'leastSeverity' | 'servers' | 'sites' | 'products'>;

export const isCovered = (
  rule: Covering,
  { about, threshold, subject, server, product }: Covered,
): boolean => {
  const { causes, servers, sites, products } = rule;
  if (causes.length > 0 && !causes.some((word) => alertCauses[word as CauseWord] === about)) return false;
  if (!isAtLeast({ about, threshold }, rule.leastSeverity)) return false;
  const isEverywhere = servers.length + sites.length + products.length === 0;
  return (
    isEverywhere ||
    (typeof server === 'string' && servers.includes(server)) ||
    sites.includes(subject.id) ||
    products.includes(subject.id) ||
    (typeof product === 'string' && products.includes(product))
  );
};

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

type Telling = Pick<RuleFields, 'holdsMinutes' | 'repeatHours'>;
interface Span {
  since: string;
  until?: string | undefined;
}

const iso = (ms: number): string => new Date(ms).toISOString();
const firstMs = ({ holdsMinutes }: Telling, since: string): number =>
  Date.parse(since) + holdsMinutes * MINUTE_MS;

/** When the rule tells of a crossing, up to `now`: first, and then again and again while it lasts. */
export const momentsOf = (rule: Telling, { since, until }: Span, now: Date): string[] => {
  const end = until === undefined ? now.getTime() : Math.min(Date.parse(until) - 1, now.getTime());
  const first = firstMs(rule, since);
  if (first > end) return [];
  if (rule.repeatHours === 0) return [iso(first)];
  const every = rule.repeatHours * HOUR_MS;
  return Array.from({ length: Math.floor((end - first) / every) + 1 }, (_, nth) => iso(first + nth * every));
};

/** What no rule covers is told at once, and once. */
export const AT_ONCE: Telling = { holdsMinutes: 0, repeatHours: 0 };

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
  const moments = rules.flatMap((rule) => {
    const [first = '', ...repeated] = momentsOf(rule, { since }, now);
    // Another rule has told it before.
    return told === undefined ? [first] : repeated.filter((moment) => moment > told);
  });
  const past = moments.filter((moment) => moment !== '').toSorted();
  // After a pause, what was missed is told once.
  const due = told === undefined ? past[0] : past.at(-1);
  const next = rules
    .flatMap((rule) => {
      const first = firstMs(rule, since);
      if (first > now.getTime()) return told === undefined ? [first] : [];
      if (rule.repeatHours === 0) return [];
      const every = rule.repeatHours * HOUR_MS;
      return [first + (Math.floor((now.getTime() - first) / every) + 1) * every];
    })
    .toSorted((a, b) => a - b)[0];
  return { ...(due !== undefined && { due }), ...(next !== undefined && { next: iso(next) }) };
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
