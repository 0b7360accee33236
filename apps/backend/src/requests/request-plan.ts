/**
 * What a saved request sends: its parameters, inputs and variables put together. Secrets, and values that come from
 * earlier answers, stay names until it is sent, because the plan is recorded. Pure.
 */
import {
  emptyBodyMethods,
  refusedParamValue,
  requestDataTypes,
  requestMethods,
  SECRET_PREFIX,
  type request,
  type requestParam,
} from '@quarterdeck/events';
import type { ViewOf } from '@quarterdeck/projections';
import { invalidField } from '../platform/errors';
import { type DataType, filledIn, namesIn, wrong } from './request-values';

export type RequestView = ViewOf<typeof request>;
export type ParamView = ViewOf<typeof requestParam>;

const [PAYLOAD, HEADERS, PARAMS] = [1, 2, 3];

export type Pair = [name: string, template: string];

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
  const whole = once(once(template));
  const deep = namesIn(whole).find((name) => !isLater(name, values));
  if (deep !== undefined)
    throw invalidField(
      field,
      `{{${deep}}} is named by a variable that another variable names: write its value there`,
    );
  return whole;
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
    const chosen = values.inputs.get(name);
    const template = chosen ?? param.value;
    // What is saved with the parameter has been judged already.
    const secret = chosen === undefined ? undefined : refusedParamValue(name, chosen);
    if (secret !== undefined) throw invalidField(field, secret);
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
  // What the path names goes there only: a DELETE should not have a body because its path has an id.
  const inPath = new Set(namesIn(saved.url));
  const at = (location: number) =>
    inputs.filter((input) => input.location === location && !inPath.has(input.name));
  // Inputs are also names, for the path and the body.
  const withInputs = {
    ...values,
    inputs: new Map([...values.inputs, ...inputs.map(({ name, value }) => [name, value] as const)]),
  };
  const text = saved.body === '' ? undefined : resolved('body', saved.body, withInputs);
  const hasBody = !emptyBodyMethods.includes(method);
  const json = at(PAYLOAD).map(({ name, type, value }): [string, DataType, string] => [name, type, value]);
  return {
    method,
    host: resolved('host', saved.host, { ...withInputs, secrets: new Set(), taken: new Set() }),
    path: pathOf(saved.url, withInputs),
    query: at(PARAMS).map(({ name, value }) => [name, value]),
    headers: inputs.filter(({ location }) => location === HEADERS).map(({ name, value }) => [name, value]),
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

/** Whether the body has a secret, or a value of an earlier answer, which may be one. It is then not sent to another origin. */
export const bodyHasSecret = ({ text, json = [] }: RequestPlan): boolean =>
  [text ?? '', ...json.map(([, , value]) => value)].some((template) => namesIn(template).length > 0);

/** Headers that go to the first origin only. */
export const ownHeaders = ({ headers }: RequestPlan): ReadonlySet<string> =>
  new Set([
    'authorization',
    'cookie',
    'proxy-authorization',
    ...headers.filter(([, value]) => namesIn(value).length > 0).map(([name]) => name.toLowerCase()),
  ]);
