/** Explains a refusal by GitHub in a sentence that says what to do. Pure. */
import { DomainError } from '../platform/errors';

/** A refusal as the client reports it. Header names are in lower case. */
export interface HostRefusal {
  status: number;
  message: string;
  headers: Readonly<Record<string, string | number | undefined>>;
}

export interface About {
  /** `acme/shop` */
  what: string;
  /** A scope without which GitHub refuses the call, whatever reason it gives. */
  scope?: string;
}

const upstream = (msg: string, code: string, data?: Record<string, string>): DomainError =>
  new DomainError('upstream', msg, data, { code });

export const isLimited = ({ status, message, headers }: HostRefusal): boolean =>
  status === 429 ||
  (status === 403 &&
    (String(headers['x-ratelimit-remaining']) === '0' ||
      headers['retry-after'] !== undefined ||
      /secondary rate/i.test(message)));

/** Seconds until GitHub accepts calls again. */
export const waitOf = ({ headers }: HostRefusal, now: number): number => {
  const after = Number(headers['retry-after']);
  const reset = Number(headers['x-ratelimit-reset']) - now / 1000;
  const told = after > 0 ? after : String(headers['x-ratelimit-remaining']) === '0' ? reset : 60;
  return Math.max(1, Math.ceil(told > 0 ? told : 60));
};

/** ` (0 of 5000 calls are left until 12:30 UTC)` */
const leftIn = ({ headers }: HostRefusal): string => {
  const [limit, remaining, reset] = ['limit', 'remaining', 'reset'].map(
    (name) => headers[`x-ratelimit-${name}`],
  );
  if (limit === undefined || String(remaining) !== '0' || !(Number(reset) > 0)) return '';
  const until = new Date(Number(reset) * 1000).toISOString().slice(11, 16);
  return ` (0 of ${limit} calls are left until ${until} UTC)`;
};

const lacksScope = ({ headers }: HostRefusal, scope: string | undefined): boolean => {
  const scopes = headers['x-oauth-scopes'];
  if (scope === undefined || scopes === undefined) return false;
  const has = String(scopes)
    .split(',')
    .map((one) => one.trim());
  return !has.some((one) => one === scope || one === scope.replace(/^read:/, 'write:'));
};

const TOKEN = 'Store another one in your profile settings.';

export const explained = (refusal: HostRefusal, { what, scope }: About, now: number): DomainError => {
  const { status, message, headers } = refusal;
  if (status === 401)
    return upstream(
      `The source host does not accept your token: it has expired, was revoked or was mistyped. ${TOKEN}`,
      'token',
    );
  if (isLimited(refusal)) {
    const seconds = waitOf(refusal, now);
    return new DomainError(
      'tooMany',
      `The source host takes no more calls with your token for now${leftIn(refusal)}: please try again in ${seconds} s.`,
      undefined,
      { retryAfter: seconds, code: 'limit' },
    );
  }
  const sso = /url=(https:\/\/[^\s;,]+)/.exec(String(headers['x-github-sso'] ?? ''))?.[1];
  if (status === 403 && sso !== undefined)
    return upstream(
      `The organization demands single sign-on: authorize your token for it at ${sso}`,
      'singleSignOn',
    );
  if ((status === 403 || status === 404) && lacksScope(refusal, scope))
    return upstream(`Your token lacks the scope ${scope}, which ${what} needs. ${TOKEN}`, 'scope');
  if (status === 403)
    return upstream(`The source host refuses your token for ${what}: ${message}`, 'forbidden');
  if (status === 404)
    return new DomainError(
      'unprocessable',
      `${what} could not be found at the source host, or your token may not see it`,
      undefined,
      { code: 'unknown' },
    );
  if (status >= 500)
    return upstream(`The source host failed with status ${status}: please try again`, 'failing');
  return upstream(`The source host refused ${what}: ${message}`, 'refused');
};
