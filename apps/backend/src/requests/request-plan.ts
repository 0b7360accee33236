/**
 * What a saved request sends: its parameters, inputs and variables put together. Secrets, and values that come from
 * earlier answers, stay names until it is sent, because the plan is recorded. Pure.
 */
import {
  emptyBodyMethods,
  refusedHeader,
  requestDataTypes,
  requestMethods,
  SECRET_PREFIX,
  type request,
  type requestParam,
} from '@quarterdeck/events';
import type { ViewOf } from '@quarterdeck/projections';
import { DomainError, invalidField } from '../platform/errors';

export type RequestView = ViewOf<typeof request>;
export type ParamView = ViewOf<typeof requestParam>;

type DataType = (typeof requestDataTypes)[number];
type Pair = [name: string, template: string];

export interface RequestPlan {
  method: string;
  host: string;
  path: string;
  query: Pair[];
  headers: Pair[];
  text?: string;
  json?: [name: string, type: DataType, template: string][];
}

/** Where the value of a name comes from: an earlier answer, which is read when the request is sent. */
export interface Taken {
  run: string;
  location: 'Payload' | 'Headers';
  source: string;
}

interface Values {
  inputs: ReadonlyMap<string, string>;
  variables: ReadonlyMap<string, string>;
  secrets: ReadonlySet<string>;
  taken: ReadonlySet<string>;
}

const NAMES = /\{\{\s*([\w.-]+)\s*\}\}/g;

export const namesIn = (template: string): string[] =>
  [...template.matchAll(NAMES)].map(([, name = '']) => name);

export const filledIn = (template: string, valueOf: (name: string) => string): string =>
  template.replaceAll(NAMES, (_, name: string) => valueOf(name));

const isLater = (name: string, { secrets, taken }: Values): boolean =>
  name.startsWith(SECRET_PREFIX) ? secrets.has(name.slice(SECRET_PREFIX.length)) : taken.has(name);

/** Fills in what is known now. @throws DomainError that names the field with an unknown name */
const resolved = (field: string, template: string, values: Values): string => {
  const once = (text: string): string =>
    filledIn(text, (name) => {
      if (isLater(name, values)) return `{{${name}}}`;
      const value = values.inputs.get(name) ?? values.variables.get(name);
      if (value !== undefined) return value;
      const what = name.startsWith(SECRET_PREFIX)
        ? `secret ${name.slice(SECRET_PREFIX.length)}`
        : `variable ${name}`;
      throw invalidField(field, `there is no ${what} in this environment`);
    });
  // An input or a variable may name others, but those not again.
  return once(once(template));
};

const wrong: Record<DataType, (value: string) => string | undefined> = {
  String: () => undefined,
  Number: (value) => (/^-?\d+$/.test(value) ? undefined : 'a whole number is expected'),
  Decimal: (value) =>
    /^-?\d+(\.\d+)?$/.test(value) ? undefined : 'a decimal number is expected, such as 12.50',
  Array: (value) => (isJson(value, '[') ? undefined : 'a JSON array is expected, such as [1, 2]'),
  Object: (value) => (isJson(value, '{') ? undefined : 'a JSON object is expected, such as {"open": true}'),
};

const isJson = (text: string, begins: string): boolean => {
  try {
    JSON.parse(text);
    return text.trim().startsWith(begins);
  } catch {
    return false;
  }
};

const typeOf = ({ dataType }: ParamView): DataType => requestDataTypes[dataType.id - 1] ?? 'String';

/** The inputs that the request sends, with their templates. @throws DomainError that names the input */
const given = (params: readonly ParamView[], values: Values) => {
  const inputs = params.flatMap((param) =>
    param.inOrOut && param.input ? [{ ...param, input: param.input }] : [],
  );
  const known = new Set(inputs.map(({ input }) => input.name));
  for (const name of values.inputs.keys())
    if (!known.has(name)) throw invalidField(`inputs.${name}`, 'this request has no such input');
  return inputs.flatMap((param) => {
    const { name, paramType } = param.input;
    const field = `inputs.${name}`;
    const template = values.inputs.get(name) ?? param.value;
    if (template === '') {
      if (param.isOptional || (typeOf(param) === 'String' && values.inputs.has(name))) return [];
      throw invalidField(field, 'This field is required');
    }
    const type = typeOf(param);
    const value = resolved(field, template, values);
    const why = namesIn(value).length > 0 ? undefined : wrong[type](value);
    if (why !== undefined) throw invalidField(field, why);
    return [{ name, location: paramType.id, type, value }];
  });
};

/** @throws DomainError that names what is missing or does not fit */
export const planOf = (saved: RequestView, params: readonly ParamView[], values: Values): RequestPlan => {
  const method = requestMethods[saved.method.id - 1] ?? 'GET';
  if (saved.host === '') throw invalidField('host', 'this request has no host yet: edit it first');
  const inputs = given(params, values);
  const at = (location: number) => inputs.filter((input) => input.location === location);
  // Inputs are also names, for the path and the body.
  const withInputs = {
    ...values,
    inputs: new Map([...values.inputs, ...inputs.map(({ name, value }) => [name, value] as const)]),
  };
  const text = saved.body === '' ? undefined : resolved('body', saved.body, withInputs);
  const hasBody = !emptyBodyMethods.includes(method);
  const json = at(1).map(({ name, type, value }): [string, DataType, string] => [name, type, value]);
  return {
    method,
    host: resolved('host', saved.host, { ...withInputs, secrets: new Set(), taken: new Set() }),
    path: pathOf(saved.url, withInputs),
    query: at(3).map(({ name, value }) => [name, value]),
    headers: at(2).map(({ name, value }) => [name, value]),
    ...(hasBody && text !== undefined && { text }),
    ...(hasBody && text === undefined && json.length > 0 && { json }),
  };
};

/** Values are encoded, so none of them can change which path is called. */
const pathOf = (template: string, values: Values): string => {
  const [, whole] = /^\{\{\s*([\w.-]+)\s*\}\}/.exec(template) ?? [];
  return filledIn(template, (name) => {
    const value = resolved('url', `{{${name}}}`, values);
    // A variable at the very beginning may be a path itself.
    if (namesIn(value).length > 0 || (name === whole && value.startsWith('/'))) return value;
    return encodeURIComponent(value);
  });
};

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
  const host = /^https?:\/\//i.test(plan.host) ? plan.host : `https://${plan.host}`;
  const path = filledIn(plan.path, (name) => encodeURIComponent(valueOf(name)));
  if (!URL.canParse(`${host}${path}`))
    throw new DomainError('unprocessable', `${plan.host}${plan.path} is no address that can be called`);
  const url = new URL(`${host}${path}`);
  if (url.username !== '' || url.password !== '')
    throw new DomainError('unprocessable', 'an address with a password is not called: send it in a header');
  for (const [name, value] of plan.query) url.searchParams.append(name, filled(value));
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

/** Everything that the plan names: secrets, and values of earlier answers. */
export const laterNames = (plan: RequestPlan): string[] => [
  ...new Set(
    [
      plan.path,
      ...[...plan.query, ...plan.headers].map(([, value]) => value),
      plan.text ?? '',
      ...(plan.json ?? []).map(([, , value]) => value),
    ].flatMap(namesIn),
  ),
];

/** Whether the body contains a secret: it is then not sent to another origin. */
export const bodyHasSecret = ({ text, json = [] }: RequestPlan): boolean =>
  [text ?? '', ...json.map(([, , value]) => value)]
    .flatMap(namesIn)
    .some((name) => name.startsWith(SECRET_PREFIX));

/** Headers that go to the first origin only. */
export const ownHeaders = ({ headers }: RequestPlan): ReadonlySet<string> =>
  new Set([
    'authorization',
    'cookie',
    'proxy-authorization',
    ...headers.filter(([, value]) => namesIn(value).length > 0).map(([name]) => name.toLowerCase()),
  ]);
