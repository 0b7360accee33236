/** What goes over the wire: a plan with the secrets and the values of earlier answers filled in. Pure. */
import { refusedHeader } from '@quarterdeck/events';
import { DomainError } from '../platform/errors';
import type { Pair, RequestPlan } from './request-plan';
import { type DataType, filledIn, wrong } from './request-values';

export interface ReadyRequest {
  method: string;
  url: URL;
  headers: Pair[];
  body?: string;
}

const jsonOf = (type: DataType, value: string): string => {
  const why = wrong[type](value);
  if (why !== undefined) throw new DomainError('unprocessable', why);
  return type === 'String' ? JSON.stringify(value) : value;
};

/** @param valueOf secrets and values of earlier answers, by name @throws DomainError */
export const readyOf = (plan: RequestPlan, valueOf: (name: string) => string): ReadyRequest => {
  const filled = (template: string): string => filledIn(template, valueOf);
  const url = addressOf(plan, valueOf);
  const headers = plan.headers.map(([name, value]): Pair => [name, sendable(name, filled(value))]);
  const body =
    plan.text === undefined
      ? plan.json &&
        `{${plan.json.map(([name, type, value]) => `${JSON.stringify(name)}:${jsonOf(type, filled(value))}`).join(',')}}`
      : filled(plan.text);
  const hasType = headers.some(([name]) => name.toLowerCase() === 'content-type');
  const type = plan.json || /^\s*[[{]/.test(body ?? '') ? 'application/json' : 'text/plain; charset=utf-8';
  return {
    method: plan.method,
    url,
    headers: body === undefined || hasType ? headers : [...headers, ['content-type', type]],
    ...(body !== undefined && { body }),
  };
};

/** @throws DomainError if what was filled in would change which path of which host is called */
const addressOf = (
  { host: named, path: template, query }: RequestPlan,
  valueOf: (name: string) => string,
): URL => {
  const host = /^https?:\/\//i.test(named) ? named : `https://${named}`;
  const path = filledIn(template, (name) => encodeURIComponent(valueOf(name)));
  const whole = `${host}${path.startsWith('/') ? '' : '/'}${path}`;
  const no = (why: string): DomainError => new DomainError('unprocessable', `${named}${template} ${why}`);
  if (/[?#\\]/.test(host) || !URL.canParse(whole)) throw no('is no address that can be called');
  const url = new URL(whole);
  if (url.username !== '' || url.password !== '')
    throw new DomainError('unprocessable', 'an address with a password is not called: send it in a header');
  if (hasDots(path)) throw no('has . or .. as a part of its path, which would call another path');
  const added = new URLSearchParams(
    query.map(([name, value]): Pair => [name, filledIn(value, valueOf)]),
  ).toString();
  // The query of the path stays as it is written: others may have signed it.
  if (added !== '') url.search = url.search === '' ? added : `${url.search}&${added}`;
  return url;
};

const hasDots = (path: string): boolean =>
  (path.split('?')[0] ?? '').split(/[/\\]/).some((part) => /^(?:\.|%2e){1,2}$/i.test(part));

const sendable = (name: string, value: string): string => {
  const why = refusedHeader(name);
  if (why !== undefined) throw new DomainError('unprocessable', why);
  if (/[^\t\x20-\x7e\x80-\xff]/.test(value))
    throw new DomainError(
      'unprocessable',
      `the value of the header ${name} has line ends or other characters that no header has`,
    );
  return value;
};
