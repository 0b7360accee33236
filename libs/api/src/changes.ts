/** Which changes of a definition break its callers. */
import type { ApiModel } from './api-model';
import type { Endpoint } from './endpoint';
import { answerShape, bodySchema, parametersIn, type ParameterShape, type Schema } from './shapes';

export interface ApiChange {
  readonly isBreaking: boolean;
  /** `GET /orders/:id` */
  readonly endpoint: string;
  /** One sentence, without a full stop. */
  readonly message: string;
}

export interface Definition {
  /** Those without problems. */
  readonly endpoints: readonly Endpoint[];
  readonly unserved?: readonly UnservedEndpoint[];
  readonly model: ApiModel;
}

/** One that has a problem with the model. */
export interface UnservedEndpoint extends Pick<Endpoint, 'method' | 'path'> {
  readonly reason: string;
}

/** Parameters are told apart by their place, not by their name. */
type Route = Pick<Endpoint, 'method' | 'path'>;
const routeOf = ({ method, path }: Route): string => `${method} ${path.replaceAll(/:[A-Za-z]\w*/g, ':')}`;
const nameOf = ({ method, path }: Route): string => `${method} ${path}`;

export function changesBetween(before: Definition, after: Definition): ApiChange[] {
  const [was, is] = [before, after].map(
    ({ endpoints }) => new Map(endpoints.map((one) => [routeOf(one), one])),
  );
  const [wasUnserved, isUnserved] = [before, after].map(
    ({ unserved = [] }) => new Map(unserved.map((one) => [routeOf(one), one.reason])),
  );
  const changes: ApiChange[] = [];
  for (const [route, endpoint] of was ?? []) {
    const now = is?.get(route);
    if (!now) {
      const reason = isUnserved?.get(route);
      const message = reason === undefined ? 'it is removed' : `it cannot be served any more: ${reason}`;
      changes.push({ isBreaking: true, endpoint: nameOf(endpoint), message });
    } else
      for (const [isBreaking, message] of endpointChanges([endpoint, before.model], [now, after.model]))
        changes.push({ isBreaking, endpoint: nameOf(now), message });
  }
  for (const [route, endpoint] of is ?? [])
    if (!was?.has(route)) {
      const message = wasUnserved?.has(route) ? 'it can be served again' : 'it is new';
      changes.push({ isBreaking: false, endpoint: nameOf(endpoint), message });
    }
  return changes;
}

type Difference = readonly [isBreaking: boolean, message: string];
type Side = readonly [Endpoint, ApiModel];

function endpointChanges([was, wasModel]: Side, [is, isModel]: Side): Difference[] {
  const found: Difference[] = [];
  const [before, after] = [was.statusOut ?? 200, is.statusOut ?? 200];
  if (before !== after) found.push([true, `it answers ${after} instead of ${before}`]);
  found.push(...permissionChanges(was.permissions ?? [], is.permissions ?? []));
  found.push(...parameterChanges(parametersIn(was, wasModel), parametersIn(is, isModel)));
  const [oldBody, newBody] = [bodySchema(was), bodySchema(is)];
  if (oldBody && newBody) found.push(...requestChanges(oldBody, newBody, 'body'));
  found.push(...answerChanges(answerShape(was, wasModel), answerShape(is, isModel), 'the answer'));
  return found;
}

function permissionChanges(was: readonly string[], is: readonly string[]): Difference[] {
  if (was.length === 0 && is.length > 0)
    return [[true, `callers have to be signed in as ${is.join(' or ')}`]];
  if (was.length > 0 && is.length === 0) return [[false, 'everybody may call it']];
  return [
    ...was
      .filter((one) => !is.includes(one))
      .map((one): Difference => [true, `${one} may not call it any more`]),
    ...is.filter((one) => !was.includes(one)).map((one): Difference => [false, `${one} may call it`]),
  ];
}

function parameterChanges(was: Map<string, ParameterShape>, is: Map<string, ParameterShape>): Difference[] {
  const found: Difference[] = [];
  for (const [place, { isRequired, schema }] of is) {
    if (place.startsWith('params.')) continue;
    const before = was.get(place);
    if (!before) found.push([isRequired, `${place} is ${isRequired ? 'required' : 'accepted'}`]);
    else {
      if (isRequired && !before.isRequired) found.push([true, `${place} is required`]);
      found.push(...requestChanges(before.schema, schema, place));
    }
  }
  for (const place of was.keys())
    if (!is.has(place) && place.startsWith('query.')) found.push([true, `${place} has no effect any more`]);
  return found;
}

const typesIn = ({ type, enum: options }: Schema): readonly string[] | undefined =>
  options
    ? [
        ...new Set(
          options.map((one) => (one === null ? 'null' : typeof one === 'number' ? 'integer' : 'string')),
        ),
      ]
    : type === undefined
      ? undefined
      : [type].flat();

const wordOf = (schema: Schema): string => {
  const word = (typesIn(schema) ?? ['any JSON']).filter((one) => one !== 'null').join(' or ');
  return schema.format ?? word;
};

/** A request may say less than before: that breaks those who say it. */
function requestChanges(was: Schema, is: Schema, path: string): Difference[] {
  if (typesIn(is) === undefined)
    return typesIn(was) === undefined ? [] : [[false, `${path} may be any JSON`]];
  if (wordOf(was) !== wordOf(is))
    return [[true, `${path} has to be ${wordOf(is)} instead of ${wordOf(was)}`]];
  const found: Difference[] = [];
  const accepts = (schema: Schema): boolean => typesIn(schema)?.includes('null') === true;
  if (accepts(was) && !accepts(is)) found.push([true, `${path} cannot be empty any more`]);
  for (const [limit, unit] of [
    ['maxLength', 'characters'],
    ['maxItems', 'items'],
  ] as const)
    if (is[limit] !== undefined && is[limit] !== was[limit])
      found.push([is[limit] < (was[limit] ?? Infinity), `${path} has at most ${is[limit]} ${unit}`]);
  for (const option of was.enum ?? [])
    if (is.enum && option !== null && !is.enum.includes(option))
      found.push([true, `${path} cannot be ${option} any more`]);
  if (was.items && is.items) found.push(...requestChanges(was.items, is.items, `each item of ${path}`));
  for (const [name, field] of Object.entries(is.properties ?? {})) {
    const before = was.properties?.[name];
    const isRequired = is.required?.includes(name) === true;
    if (!before) found.push([isRequired, `${path}.${name} is ${isRequired ? 'required' : 'accepted'}`]);
    else {
      if (isRequired && !was.required?.includes(name)) found.push([true, `${path}.${name} is required`]);
      found.push(...requestChanges(before, field, `${path}.${name}`));
    }
  }
  for (const name of Object.keys(was.properties ?? {}))
    if (!is.properties?.[name]) found.push([true, `${path}.${name} is refused`]);
  return found;
}

/** An answer may say more than before, and nothing else. */
function answerChanges(was: Schema, is: Schema, path: string): Difference[] {
  if (typesIn(was) === undefined)
    return typesIn(is) === undefined ? [] : [[false, `${path} is known to be ${wordOf(is)}`]];
  if (typesIn(is) === undefined) return [[true, `${path} may be any JSON instead of ${wordOf(was)}`]];
  if (wordOf(was) !== wordOf(is)) return [[true, `${path} is ${wordOf(is)} instead of ${wordOf(was)}`]];
  const found: Difference[] = [];
  const mayBeEmpty = (schema: Schema): boolean => typesIn(schema)?.includes('null') === true;
  if (!mayBeEmpty(was) && mayBeEmpty(is)) found.push([true, `${path} may be empty`]);
  if (mayBeEmpty(was) && !mayBeEmpty(is)) found.push([false, `${path} is never empty`]);
  for (const option of is.enum ?? [])
    if (was.enum && option !== null && !was.enum.includes(option))
      found.push([true, `${path} may be ${option}`]);
  if (was.items && is.items) found.push(...answerChanges(was.items, is.items, `each item of ${path}`));
  for (const [name, field] of Object.entries(was.properties ?? {})) {
    const now = is.properties?.[name];
    if (!now) found.push([true, `${path} has no ${name} any more`]);
    else found.push(...answerChanges(field, now, `${name} of ${path}`));
  }
  for (const name of Object.keys(is.properties ?? {}))
    if (!was.properties?.[name]) found.push([false, `${path} has ${name}`]);
  return found;
}
