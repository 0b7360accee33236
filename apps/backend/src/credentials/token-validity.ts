/** Interprets the source host's answer about a token. Pure. */
import type { TokenValidity } from '@quarterdeck/projections';

/** The specification's `repo` and `package:read` in GitHub's terms. */
export const EXPECTED_SCOPES = ['repo', 'read:packages'] as const;

/** If one scope includes another, GitHub lists only the wider one. */
const includedIn: Record<string, readonly string[]> = { 'read:packages': ['write:packages'] };

const DAY_MS = 24 * 60 * 60_000;
/** Used if GitHub does not say when to ask again. */
const RETRY_SECONDS = 5 * 60;
const LONGEST_SECONDS = 60 * 60;
/**
 * For fine-grained tokens GitHub reports the present as their expiry. So an accepted token that "expires" within this
 * time does not expire.
 */
const NOW_MS = 60_000;

/** GitHub's last answer about a token. */
export interface TokenFacts {
  accepted: boolean;
  /** `null` for a fine-grained token, whose scopes GitHub does not list. */
  scopes: string[] | null;
  /** ISO instant. */
  expiresAt: string | null;
}

export type TokenAnswer =
  | { is: 'accepted'; scopes: string[] | null; expiresAt: string | null }
  | { is: 'refused' }
  /** GitHub's answer says nothing about the token. */
  | { is: 'untold'; why: string; retrySeconds: number };

/** `2026-08-14 08:15:54 UTC`, `2026-09-05 17:55:53 +0500` */
const instantIn = (header: string | undefined): string | null => {
  const match = /^(\d{4}-\d\d-\d\d) (\d\d:\d\d:\d\d) (?:UTC|([+-]\d\d):?(\d\d))$/.exec(header?.trim() ?? '');
  if (!match) return null;
  const [, day, time, hours, minutes] = match;
  const instant = new Date(`${day}T${time}${hours === undefined ? 'Z' : `${hours}:${minutes}`}`);
  return Number.isNaN(instant.getTime()) ? null : instant.toISOString();
};

const listed = (header: string): string[] =>
  header
    .split(',')
    .map((scope) => scope.trim())
    .filter(Boolean);

export interface HostAnswer {
  status: number;
  /** Header names in lower case. */
  headers: Readonly<Record<string, string | string[] | undefined>>;
}

/** Seconds to wait before asking again. */
const patience = (header: (name: string) => string | undefined, nowMs: number): number => {
  const after = Number(header('retry-after'));
  const reset = Number(header('x-ratelimit-reset')) - nowMs / 1000;
  const told = after > 0 ? after : reset;
  return told > 0 ? Math.min(Math.ceil(told), LONGEST_SECONDS) : RETRY_SECONDS;
};

/** Reads the answer to `GET /user`, as GitHub documents it. */
export const readAnswer = ({ status, headers }: HostAnswer, nowMs: number): TokenAnswer => {
  const header = (name: string): string | undefined => {
    const value = headers[name];
    return Array.isArray(value) ? value[0] : value;
  };
  if (status === 200) {
    const scopes = header('x-oauth-scopes');
    const expiresAt = instantIn(header('github-authentication-token-expiration'));
    return {
      is: 'accepted',
      scopes: scopes === undefined ? null : listed(scopes),
      expiresAt: expiresAt !== null && Date.parse(expiresAt) > nowMs + NOW_MS ? expiresAt : null,
    };
  }
  if (status === 401) return { is: 'refused' };
  const limited =
    status === 429 ||
    (status === 403 && (header('x-ratelimit-remaining') === '0' || header('retry-after') !== undefined));
  if (limited)
    return { is: 'untold', why: 'there were too many calls', retrySeconds: patience(header, nowMs) };
  const why = status === 403 ? 'it refused to answer (status 403)' : `it answered with status ${status}`;
  return { is: 'untold', why, retrySeconds: RETRY_SECONDS };
};

/** Facts after an answer. A refusal has neither scopes nor dates, so the earlier ones stay. */
export const learned = (before: TokenFacts | undefined, answer: TokenAnswer): TokenFacts | undefined => {
  if (answer.is === 'untold') return before;
  if (answer.is === 'refused') return { scopes: null, expiresAt: null, ...before, accepted: false };
  return { accepted: true, scopes: answer.scopes, expiresAt: answer.expiresAt };
};

export interface CredentialFacts {
  username: boolean;
  token: boolean;
  facts?: TokenFacts | undefined;
  checkedAt?: string | undefined;
  /** Why the source host could not be asked at the last attempt. */
  problem?: string | undefined;
}

const suffices = (scopes: readonly string[]): boolean =>
  EXPECTED_SCOPES.every((scope) =>
    [scope, ...(includedIn[scope] ?? [])].some((wanted) => scopes.includes(wanted)),
  );

const judged = ({ accepted, scopes, expiresAt }: TokenFacts, now: number) => {
  const expired = expiresAt !== null && Date.parse(expiresAt) <= now;
  // The scopes of a refused token are not judged.
  const scopesOk = scopes === null ? null : suffices(scopes);
  const warnings = [
    ...(expired ? [`Token expired: ${expiresAt.slice(0, 10)}`] : []),
    ...(!accepted && !expired
      ? ['The source host does not accept the token: it was revoked, has expired or was mistyped.']
      : []),
    ...(scopesOk === false
      ? [
          `Scopes associated with your token (${(scopes ?? []).join(', ')}) are not sufficient. ` +
            `Expected scopes: ${EXPECTED_SCOPES.join(', ')}.`,
        ]
      : []),
  ];
  const notes =
    accepted && scopes === null
      ? [
          'This is a fine-grained token: the source host does not report its permissions. Its packages accept classic tokens only.',
        ]
      : [];
  return { dateValid: accepted && !expired, scopesOk, warnings, notes };
};

export const validityOf = (known: CredentialFacts, tokenPage: string, now: Date): TokenValidity => {
  const { facts, problem, checkedAt } = known;
  const nothing = known.token
    ? { dateValid: null, scopesOk: null, warnings: [], notes: [] }
    : { dateValid: false, scopesOk: false, warnings: ['A token was not given'], notes: [] };
  const found = known.token && facts ? judged(facts, now.getTime()) : nothing;
  const expirationDate = (known.token && facts?.expiresAt) || null;
  const left = expirationDate === null ? undefined : Date.parse(expirationDate) - now.getTime();
  return {
    scopes: (known.token && facts?.scopes) || [],
    expirationDate,
    dateValid: found.dateValid,
    scopesOk: found.scopesOk,
    expectedScopes: [...EXPECTED_SCOPES],
    ...(left === undefined ? {} : { daysLeft: Math.max(0, Math.floor(left / DAY_MS)) }),
    warnings: [
      ...(known.username ? [] : ['A username for the source host was not given']),
      ...found.warnings,
    ],
    notes: [
      ...found.notes,
      ...(known.token && problem
        ? [
            `The source host could not be reached: ${problem}. ` +
              (facts ? 'This is its last known answer.' : 'Nothing is known about the token yet.'),
          ]
        : []),
    ],
    ...(known.token && checkedAt ? { checkedAt } : {}),
    tokenPage,
  };
};
