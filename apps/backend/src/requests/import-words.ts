/** What all imports of requests share. Pure. */
import {
  identifiesCaller,
  looksLikeSecret,
  refusedHeader,
  request as saved,
  requestMethods,
} from '@quarterdeck/events';
import { DomainError, invalidField } from '../platform/errors';

export interface ImportedParam {
  name: string;
  location: number;
  dataType: number;
  isOptional: boolean;
  value: string;
}

export interface ImportedRequest {
  name: string;
  method: string;
  host: string;
  url: string;
  description: string;
  body: string;
  params: ImportedParam[];
}

export interface Imported {
  requests: ImportedRequest[];
  notes: string[];
}

type Method = (typeof requestMethods)[number];

/** What the call that imports accepts. */
export interface AcceptedImport {
  requests: (ImportedRequest & { method: Method })[];
  notes: string[];
}

const isMethod = (method: string): method is Method => (requestMethods as readonly string[]).includes(method);

const HEADERS = 2;
const MAX_BODY = 20_000;
const MAX_VALUE = 4000;
const MAX_PARAMS = 50;
const MAX_HOST = 300;
const MAX_PATH = 2000;
const MAX_NOTES = 50;
const MAX_NAME = 200;

export const refuseImport = (msg: string): DomainError => invalidField('text', msg);

export const shortened = (text: string, max: number): string =>
  text.length > max ? `${text.slice(0, max - 1)}…` : text;

/** @throws DomainError if it is no address */
export const splitAddress = (address: string): { host: string; url: string; query: [string, string][] } => {
  const whole = /^https?:\/\//i.test(address) ? address : `http://${address}`;
  if (!URL.canParse(whole)) throw refuseImport(`${shortened(address, 100)} is no address`);
  const { protocol, host, pathname, searchParams, username, password } = new URL(whole);
  if (username !== '' || password !== '')
    throw refuseImport(
      'the address contains a user name or a password: send them in a header, from a secret',
    );
  return { host: `${protocol}//${host}`, url: pathname, query: [...searchParams] };
};

/** A name that a secret can have: `Authorization` as `authorization`. */
const secretNamed = (name: string): string => name.toLowerCase().replaceAll(/[^a-z0-9_]+/g, '_');

type Tell = (note: string) => void;

/** Without headers that the console sets itself, and with the names of secrets in place of credentials. */
const acceptedParam = (param: ImportedParam, tell: Tell): ImportedParam[] => {
  const { name, location, value } = param;
  const short = shortened(name, 50);
  const why = location === HEADERS ? refusedHeader(name) : undefined;
  if (why !== undefined || name.length > MAX_NAME) {
    tell(`${short} is left out: ${why ?? `its name has more than ${MAX_NAME} characters`}.`);
    return [];
  }
  const isSecret = identifiesCaller(name) || looksLikeSecret({ key: name, value });
  if (value !== '' && !value.includes('{{') && isSecret) {
    const secret = secretNamed(name);
    tell(`${short} is taken from the secret ${secret}: add it under Secrets. Its value was not imported.`);
    return [{ ...param, value: `${/^bearer /i.test(value) ? 'Bearer ' : ''}{{secret.${secret}}}` }];
  }
  if (value.length <= MAX_VALUE) return [param];
  tell(`The value of ${short} is left out: it has more than ${MAX_VALUE} characters.`);
  return [{ ...param, value: '' }];
};

/** Why a field could not be saved. */
const refusedField = (field: 'host' | 'url' | 'body', value: string, max: number): string | undefined => {
  if (value.length > max) return `it has more than ${max} characters`;
  return value === '' ? undefined : saved.fields[field].refuses?.(value, {});
};

const accepted = (request: ImportedRequest, tell: Tell): AcceptedImport['requests'] => {
  const { name, method, host, url, body } = request;
  const leftOut = (what: string, why: string): void => tell(`${what} ${name} is left out: ${why}.`);
  if (!isMethod(method)) throw refuseImport(`the method ${shortened(method, 20)} cannot be sent from here`);
  const params = request.params.flatMap((param) => acceptedParam(param, tell));
  const why =
    refusedField('host', host, MAX_HOST) ??
    refusedField('url', url, MAX_PATH) ??
    (params.length > MAX_PARAMS ? `it has more than ${MAX_PARAMS} parameters` : undefined);
  if (why !== undefined) {
    leftOut('The request', why);
    return [];
  }
  const noBody = refusedField('body', body, MAX_BODY);
  if (noBody !== undefined) leftOut('The body of', noBody);
  return [{ ...request, method, params, body: noBody === undefined ? body : '' }];
};

/**
 * What the preview shows and the import accepts. What could not be saved is left out, with a note. Credentials must not
 * get into the history.
 */
export const acceptable = ({ requests, notes }: Imported): AcceptedImport => {
  const told = new Set(notes);
  const found = requests.flatMap((request) => accepted(request, (note) => told.add(note)));
  const all = [...told];
  if (found.length === 0) throw refuseImport(all.at(-1) ?? 'this describes no request');
  const shown = all.slice(0, MAX_NOTES);
  if (all.length > MAX_NOTES) shown.push(`There are ${all.length - MAX_NOTES} more notes like these.`);
  return { requests: found, notes: shown };
};
