/** In what two answers differ: first their shape, then their values. Pure. */

interface Difference {
  /** `[].name` is the name of each item, `[0].name` that of the first one. Empty: the answer itself. */
  readonly path: string;
  readonly before: string;
  readonly after: string;
}

interface Differences {
  /** Fields that only one of the answers has, and those whose types differ. */
  readonly shape: Difference[];
  /** The first value that differs, of what both have. */
  readonly value?: Difference | undefined;
}

/** Deeper values are compared as texts. */
const DEEPEST = 20;
const MAX_OF_SHAPE = 10;
const MAX_PATH = 200;
const MAX_SHOWN = 100;
const NONE = 'absent';

interface Shape {
  /** Of the values that are not null. */
  readonly types: Set<string>;
  readonly fields: Map<string, Shape>;
  /** Of lists. Undefined: none of them has an item, so nothing is known. */
  items?: Shape;
}

type Json = Readonly<Record<string, unknown>>;

const typeOf = (value: unknown): string => (Array.isArray(value) ? 'list' : typeof value);
const newShape = (): Shape => ({ types: new Set(), fields: new Map() });

/** Adds what one more value shows. */
const learn = (shape: Shape, value: unknown, levels: number): Shape => {
  if (value === null || levels === 0) return shape;
  shape.types.add(typeOf(value));
  if (Array.isArray(value))
    for (const item of value) shape.items = learn(shape.items ?? newShape(), item, levels - 1);
  else if (typeof value === 'object')
    for (const [name, field] of Object.entries(value as Json))
      shape.fields.set(name, learn(shape.fields.get(name) ?? newShape(), field, levels - 1));
  return shape;
};

const wordOf = ({ types }: Shape): string => (types.size === 0 ? 'null' : [...types].toSorted().join(' or '));

function* shapeDifferences(was: Shape, is: Shape, path: string): Generator<Difference> {
  // A value that is always null may have any type.
  if (was.types.size > 0 && is.types.size > 0 && wordOf(was) !== wordOf(is)) {
    yield { path, before: wordOf(was), after: wordOf(is) };
    return;
  }
  if (was.items && is.items) yield* shapeDifferences(was.items, is.items, `${path}[]`);
  const haveFields = was.types.has('object') && is.types.has('object');
  if (!haveFields) return;
  for (const [name, field] of was.fields) {
    const now = is.fields.get(name);
    if (now) yield* shapeDifferences(field, now, below(path, name));
    else yield { path: below(path, name), before: wordOf(field), after: NONE };
  }
  for (const [name, field] of is.fields)
    if (!was.fields.has(name)) yield { path: below(path, name), before: NONE, after: wordOf(field) };
}

const below = (path: string, name: string): string => (path === '' ? name : `${path}.${name}`);

const shown = (value: unknown): string => {
  const text = JSON.stringify(value) ?? NONE;
  return text.length <= MAX_SHOWN ? text : `${text.slice(0, MAX_SHOWN)}…`;
};

const itemsOf = ({ length }: readonly unknown[]): string => `${length} item${length === 1 ? '' : 's'}`;

/** Fields that only one of them has belong to the shape. */
const valueDifference = (was: unknown, is: unknown, path: string, levels: number): Difference | undefined => {
  if (levels > 0 && Array.isArray(was) && Array.isArray(is)) {
    for (let at = 0; at < Math.min(was.length, is.length); at += 1) {
      const found = valueDifference(was[at], is[at], `${path}[${at}]`, levels - 1);
      if (found) return found;
    }
    return was.length === is.length ? undefined : { path, before: itemsOf(was), after: itemsOf(is) };
  }
  if (levels > 0 && isObject(was) && isObject(is)) {
    for (const [name, value] of Object.entries(was)) {
      if (!Object.hasOwn(is, name)) continue;
      const found = valueDifference(value, is[name], below(path, name), levels - 1);
      if (found) return found;
    }
    return undefined;
  }
  return JSON.stringify(was) === JSON.stringify(is)
    ? undefined
    : { path, before: shown(was), after: shown(is) };
};

const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const bounded = ({ path, ...rest }: Difference): Difference => ({ path: path.slice(0, MAX_PATH), ...rest });

/** The order of fields is none of them. @param before JSON @param after JSON */
export const differencesOf = (before: string, after: string): Differences => {
  if (before === after) return { shape: [] };
  const [was, is] = [before, after].map((text) => JSON.parse(text) as unknown);
  const shape: Difference[] = [];
  for (const one of shapeDifferences(learn(newShape(), was, DEEPEST), learn(newShape(), is, DEEPEST), '')) {
    shape.push(bounded(one));
    if (shape.length === MAX_OF_SHAPE) break;
  }
  const value = valueDifference(was, is, '', DEEPEST);
  return { shape, ...(value && { value: bounded(value) }) };
};

/** Empty lists, null, and objects of nothing else say nothing about an answer. */
export const saysSomething = (json: string): boolean => hasValue(JSON.parse(json), DEEPEST);

const hasValue = (value: unknown, levels: number): boolean =>
  typeof value === 'object' && value !== null
    ? levels > 0 && Object.values(value).some((one) => hasValue(one, levels - 1))
    : value !== null;
