/** What all imports of requests share. Pure. */
import { looksLikeSecret, refusedHeader, requestMethods } from '@quarterdeck/events';
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
const CREDENTIALS = /^(?:proxy-)?authorization$|^cookie$|api-?key|token|secret/i;

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

/**
 * What the preview shows and the import accepts: without headers that the console sets itself, and with the names of
 * secrets in place of credentials, which must not get into the history.
 */
export const acceptable = ({ requests, notes }: Imported): AcceptedImport => {
  const told = new Set(notes);
  return {
    requests: requests.map((request) => {
      const { method } = request;
      if (!isMethod(method))
        throw refuseImport(`the method ${shortened(method, 20)} cannot be sent from here`);
      if (request.body.length > MAX_BODY) throw refuseImport(`a body has more than ${MAX_BODY} characters`);
      if (request.params.length > MAX_PARAMS)
        throw refuseImport(`${request.name} has more than ${MAX_PARAMS} parameters`);
      const params = request.params.flatMap((param): ImportedParam[] => {
        const { name, location, value } = param;
        if (location === HEADERS && refusedHeader(name) !== undefined) {
          told.add(`The header ${shortened(name, 50)} is left out: the console sets it.`);
          return [];
        }
        if (
          value !== '' &&
          !value.includes('{{') &&
          (CREDENTIALS.test(name) || looksLikeSecret({ key: name, value }))
        ) {
          const secret = secretNamed(name);
          told.add(
            `${name} is taken from the secret ${secret}: add it under Secrets. Its value was not imported.`,
          );
          return [{ ...param, value: `${/^bearer /i.test(value) ? 'Bearer ' : ''}{{secret.${secret}}}` }];
        }
        return [{ ...param, value: value.length > MAX_VALUE ? '' : value }];
      });
      return { ...request, method, params };
    }),
    notes: [...told],
  };
};
