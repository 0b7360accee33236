/** What the calls below `/auth` have in common. */
import { toUSVString } from 'node:util';
import type { Definition } from './definition';
import type { RateLimit } from './rate-limit';
import { ApiRefusal, wrongField } from './refusal';
import type { StoredUser } from './user-entrance';
import type { UserStore } from './user-store';

export interface AccountRequest {
  readonly method: string;
  readonly path: string;
  readonly body: () => Promise<unknown>;
  /** A body that a browser sends from a page of another site. */
  readonly form: () => Promise<URLSearchParams>;
  readonly authorization: string | undefined;
  /** Address. */
  readonly caller: string;
}

/** `value`: undefined with 204 and 303. `location`: where a browser goes on, with 303. */
export interface AccountAnswer {
  readonly status: 200 | 201 | 204 | 303;
  readonly value?: object;
  readonly location?: string;
}

export interface Handled {
  readonly asked: AccountRequest;
  readonly definition: Definition;
  readonly store: UserStore;
}

type Fields = Readonly<Record<string, unknown>>;

const MAX_EMAIL = 254;
const EMAIL = /^[^\s@\p{Cc}]+@[^\s@\p{Cc}]+\.[^\s@\p{Cc}]+$/u;

/** @throws ApiRefusal 429 */
export const limit = (of: RateLimit, who: string): void => {
  const retryAfter = of.take(who);
  if (retryAfter > 0)
    throw new ApiRefusal(429, 'too many attempts: wait before the next one', { retryAfter });
};

/** @throws ApiRefusal 400 */
export const fieldsOf = (body: unknown, names: readonly string[]): Fields => {
  if (typeof body !== 'object' || body === null || Array.isArray(body))
    throw wrongField('body', `an object with ${names.join(' and ')} is expected`);
  const unknown = Object.keys(body).find((name) => !names.includes(name));
  if (unknown !== undefined)
    throw wrongField(`body.${unknown.slice(0, 100)}`, `this field is not known: send ${names.join(' and ')}`);
  return body as Fields;
};

/** In the form that is stored: upper and lower case are the same. @returns undefined if it is none */
export const storedEmail = (email: unknown): string | undefined => {
  const given = typeof email === 'string' ? email.normalize('NFC').trim().toLowerCase() : '';
  return given.length > MAX_EMAIL || !EMAIL.test(given) || toUSVString(given) !== given ? undefined : given;
};

/** What users see of themselves. */
export const shown = ({ id, email, permission, tenant, addedAt }: StoredUser): object => ({
  id,
  email,
  permission,
  tenant,
  addedAt,
});
