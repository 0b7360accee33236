/**
 * What an authority still allows, computed from our own history before the authority has to refuse. Pure.
 *
 * Let's Encrypt uses token buckets: a certain number may be used at once, and they are returned one by one at regular
 * intervals. Orders by others for the same names are unknown here, so a 429 from the authority has the last word.
 */
import { getDomain } from 'tldts';

export interface AcmeAttempt {
  /** ISO */
  at: string;
  /** All names of the requested certificate. */
  names: readonly string[];
  /** `failed`: the validation of the names failed. `refused`: the authority refused for another reason. */
  outcome: 'issued' | 'failed' | 'refused';
  /** The names that failed. Absent: all of them. */
  failedNames?: readonly string[];
  /** Whether the order named its predecessor by renewal id. Such orders count against no limit. */
  replaces?: boolean;
  /** ISO, from the Retry-After of a 429. No order before then. */
  retryAt?: string;
  /** Where the authority counts by account, attempts of other accounts do not count. */
  account?: string;
}

export interface Limit {
  /** How many are allowed at once. */
  count: number;
  /** The time in which all of them are returned, evenly. */
  periodMs: number;
}

const HOUR_MS = 3_600_000;

export type LimitName = 'registeredDomain' | 'exactNames' | 'failures' | 'orders';

/** https://letsencrypt.org/docs/rate-limits/, August 2026 */
export const letsEncryptLimits: Record<LimitName, Limit> = {
  registeredDomain: { count: 50, periodMs: 168 * HOUR_MS },
  exactNames: { count: 5, periodMs: 168 * HOUR_MS },
  failures: { count: 5, periodMs: HOUR_MS },
  orders: { count: 300, periodMs: 3 * HOUR_MS },
};

export interface Budget {
  limit: LimitName;
  /** The subject of the count: a registered domain, the names, one name, or the account. */
  of: string;
  left: number;
  outOf: number;
  /** ISO: when the next order is allowed; absent if one is allowed now. */
  nextAt?: string;
  words: string;
}

export interface BudgetVerdict {
  allowed: boolean;
  /** ISO: when the order is allowed; absent if it is allowed now. */
  nextAt?: string;
  /** One sentence: why the order is refused, or what is left of the tightest limit. */
  words: string;
  /** The tightest first. */
  budgets: Budget[];
}

export interface BudgetQuestion {
  names: readonly string[];
  /** In any order. */
  history: readonly AcmeAttempt[];
  now: Date;
  /** Whether the order will name its predecessor by renewal id. */
  replaces?: boolean;
  account?: string;
  limits?: Record<LimitName, Limit>;
}

const normal = (name: string): string => name.toLowerCase().replace(/\.$/, '');
const setOf = (names: readonly string[]): string => [...new Set(names.map(normal))].sort().join(', ');

/**
 * The domain that was bought: `example.co.uk` of `a.b.example.co.uk`. A name without one, or an address, counts for
 * itself.
 */
export const registeredDomain = (name: string): string => {
  const host = normal(name).replace(/^\*\./, '');
  return getDomain(host, { allowPrivateDomains: true }) ?? host;
};

const registeredDomains = (names: readonly string[]): string[] => [...new Set(names.map(registeredDomain))];

/** @param uses instants in milliseconds, oldest first @returns what is left, and when the next is allowed */
const bucket = ({ count, periodMs }: Limit, uses: readonly number[], now: number) => {
  const interval = periodMs / count;
  /** When the bucket will be full again. */
  let full = -Infinity;
  for (const at of uses) full = Math.max(full, at) + interval;
  const left = Math.max(0, Math.min(count, Math.floor((now + periodMs - Math.max(full, now)) / interval)));
  return { left, nextAt: left > 0 ? undefined : full + interval - periodMs };
};

const iso = (at: number): string => new Date(at).toISOString();

/** `12 minutes`, `34 hours`, `7 days`, rounded up */
export const spanInWords = (ms: number): string => {
  const minutes = Math.max(1, Math.ceil(ms / 60_000));
  const hours = Math.ceil(minutes / 60);
  const [number, unit] =
    minutes < 120 ? [minutes, 'minute'] : hours < 72 ? [hours, 'hour'] : [Math.ceil(hours / 24), 'day'];
  return `${number} ${unit}${number === 1 ? '' : 's'}`;
};

const nouns: Record<LimitName, (of: string) => string> = {
  registeredDomain: (of) => `certificates for ${of} and the names below it`,
  exactNames: (of) => `certificates for exactly ${of}`,
  failures: (of) => `failed attempts for ${of}`,
  orders: () => 'new orders of this account',
};

export const rateBudget = ({
  names,
  history,
  now,
  replaces = false,
  account,
  limits = letsEncryptLimits,
}: BudgetQuestion): BudgetVerdict => {
  const present = now.getTime();
  const attempts = [...history].sort((a, b) => Date.parse(a.at) - Date.parse(b.at));
  const exact = setOf(names);

  const mine = (one: AcmeAttempt): boolean => one.account === account;
  const seen = new Set<string>();
  // To the authority, the same names again are a renewal: such orders count only against the exact names.
  const counted = attempts.map((one) => {
    const set = setOf(one.names);
    const renewal = one.replaces === true || seen.has(set);
    if (one.outcome === 'issued') seen.add(set);
    return { ...one, set, renewal };
  });
  const times = (which: (one: (typeof counted)[number]) => boolean): number[] =>
    counted.filter(which).map(({ at }) => Date.parse(at));

  const budget = (limit: LimitName, of: string, uses: number[]): Budget => {
    const { left, nextAt } = bucket(limits[limit], uses, present);
    const { count: outOf, periodMs } = limits[limit];
    const words =
      `${left} of ${outOf} ${nouns[limit](of)} left in ${spanInWords(periodMs)}` +
      (nextAt === undefined ? '' : `; the next in ${spanInWords(nextAt - present)}`);
    return { limit, of, left, outOf, ...(nextAt !== undefined && { nextAt: iso(nextAt) }), words };
  };

  const budgets: Budget[] = [];
  if (!replaces) {
    budgets.push(
      budget(
        'exactNames',
        exact,
        times((one) => one.outcome === 'issued' && one.replaces !== true && one.set === exact),
      ),
      ...[...new Set(names.map(normal))].map((name) =>
        budget(
          'failures',
          name,
          times(
            (one) =>
              one.outcome === 'failed' &&
              mine(one) &&
              (one.failedNames ?? one.names).map(normal).includes(name),
          ),
        ),
      ),
    );
    if (!seen.has(exact))
      budgets.push(
        ...registeredDomains(names).map((domain) =>
          budget(
            'registeredDomain',
            domain,
            times(
              (one) =>
                one.outcome === 'issued' && !one.renewal && registeredDomains(one.names).includes(domain),
            ),
          ),
        ),
        budget(
          'orders',
          account ?? 'this account',
          times((one) => mine(one) && !one.renewal),
        ),
      );
  }
  budgets.sort(
    (a, b) => (b.nextAt ?? '').localeCompare(a.nextAt ?? '') || a.left / a.outOf - b.left / b.outOf,
  );

  // A 429 names its subject only in prose, so it is applied to the requested names and everything below their domains.
  const domains = new Set(registeredDomains(names));
  const told = attempts
    .filter((one) => mine(one) && registeredDomains(one.names).some((domain) => domains.has(domain)))
    .flatMap(({ retryAt }) =>
      retryAt !== undefined && Date.parse(retryAt) > present ? [Date.parse(retryAt)] : [],
    );
  const until = Math.max(...told);

  const [tightest] = budgets;
  const nextAt = Math.max(until, tightest?.nextAt === undefined ? -Infinity : Date.parse(tightest.nextAt));
  const words =
    nextAt === until && told.length > 0
      ? `The authority asked us to wait until ${iso(until).slice(0, 16).replace('T', ' ')} UTC, another ${spanInWords(until - present)}.`
      : tightest
        ? `${tightest.words}.`
        : 'Renewals that name the certificate they replace are not limited.';
  return nextAt > present
    ? { allowed: false, nextAt: iso(nextAt), words, budgets }
    : { allowed: true, words, budgets };
};
