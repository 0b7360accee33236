/** The largest body that the schema of a call accepts, made from a small valid one: longer texts, lists and numbers. */
import type { z } from 'zod';
import type { Json } from './hostile';

type Path = readonly (string | number)[];

const isList = (value: Json): value is Json[] => Array.isArray(value);
const isFields = (value: Json): value is Record<string, Json> =>
  value !== null && typeof value === 'object' && !isList(value);

const at = (value: Json, path: Path): Json =>
  path.reduce<Json>((now, key) => (now as Record<string | number, Json>)[key] ?? null, value);

const replaced = (value: Json, [key, ...rest]: Path, part: Json): Json => {
  if (key === undefined) return part;
  if (isList(value)) return value.map((one, index) => (index === key ? replaced(one, rest, part) : one));
  const fields = value as Record<string, Json>;
  return { ...fields, [key]: replaced(fields[key] ?? null, rest, part) };
};

/** Paths of all parts, the outer ones last. */
const pathsOf = (value: Json, path: Path = []): Path[] => {
  const inner = isList(value)
    ? value.flatMap((one, index) => pathsOf(one, [...path, index]))
    : isFields(value)
      ? Object.entries(value).flatMap(([key, one]) => pathsOf(one, [...path, key]))
      : [];
  return [...inner, path];
};

/**
 * Longer forms of a text: of other letters, words, lines and paths, and repetitions of itself. Each makes other patterns
 * begin their search anew.
 */
export const longer: ((text: string, length: number) => string)[] = [
  (text, length) => text.padEnd(length, 'a'),
  (text, length) => text.padEnd(length, 'a.'),
  (text, length) => text.padEnd(length, 'a-'),
  (text, length) => text.padEnd(length, '/a'),
  (text, length) => text.padEnd(length, '9'),
  (text, length) => text.padEnd(length, ' x'),
  (text, length) => text.padEnd(length, '\na='),
  (text, length) => text.padEnd(length, '\n-----BEGIN PRIVATE KEY-----'),
  (text, length) => text.padEnd(length, text),
];

/** The longest text of this kind that is accepted: doubled while it is, then by halving. */
const longest = (
  accepts: (part: Json) => boolean,
  make: (length: number) => string,
  from: number,
  most: number,
): string => {
  let [fits, tooLong] = [from, from + 1];
  while (tooLong <= most && accepts(make(tooLong))) [fits, tooLong] = [tooLong, tooLong * 2];
  while (tooLong - fits > 1 + fits / 100) {
    const tried = (fits + tooLong) >> 1;
    if (accepts(make(tried))) fits = tried;
    else tooLong = tried;
  }
  return make(fits);
};

/** Bodies that are accepted, each with its texts grown in one way, and its lists. */
export const largestBodies = (
  schema: z.ZodType,
  valid: Json,
  bytes: number,
  forms: typeof longer = longer,
): Json[] => {
  const found = new Map<string, Json>();
  for (const grow of forms) {
    let body = valid;
    for (const path of pathsOf(valid)) {
      const now = at(body, path);
      const accepts = (one: Json): boolean => {
        const next = replaced(body, path, one);
        return JSON.stringify(next).length <= bytes && schema.safeParse(next).success;
      };
      if (typeof now === 'string') {
        const text = longest(accepts, (length) => grow(now, length), now.length, bytes);
        if (text.length > now.length) body = replaced(body, path, text);
      } else if (isList(now) && now.length > 0) {
        let list = now;
        for (let twice = [...list, ...list]; accepts(twice); twice = [...list, ...list]) list = twice;
        body = replaced(body, path, list);
      }
    }
    found.set(JSON.stringify(body), body);
  }
  return [...found.values()];
};

interface Changes {
  text(now: string, before: string): string;
  list?(now: Json[], before: readonly Json[]): Json[];
}

/** The body with other texts and lists where it was grown. */
const changed = (grown: Json, valid: Json, changes: Changes): Json => {
  if (typeof grown === 'string' && typeof valid === 'string')
    return grown.length > valid.length ? changes.text(grown, valid) : grown;
  if (isList(grown) && isList(valid))
    return (changes.list?.(grown, valid) ?? grown).map((one, at) =>
      changed(one, valid[at % valid.length] ?? null, changes),
    );
  if (isFields(grown) && isFields(valid))
    return Object.fromEntries(
      Object.entries(grown).map(([key, one]) => [key, changed(one, valid[key] ?? null, changes)]),
    );
  return grown;
};

/** A part of a grown body: of each text and list, this part of what was added to it. */
const partOf = (grown: Json, valid: Json, part: number): Json => {
  const length = (now: { length: number }, before: { length: number }): number =>
    Math.round(before.length + part * (now.length - before.length));
  return changed(grown, valid, {
    text: (now, before) => now.slice(0, length(now, before)),
    list: (now, before) => now.slice(0, length(now, before)),
  });
};

/** The part of a grown body that has this share of its bytes: where texts and lists both grow, bytes grow with the square. */
export const shareOf = (grown: Json, valid: Json, share: number): Json => {
  const bytes = (body: Json): number => JSON.stringify(body).length;
  const wanted = share * bytes(grown);
  let [below, above] = [0, 1];
  for (let step = 0; step < 10; step += 1) {
    const part = (below + above) / 2;
    if (bytes(partOf(grown, valid, part)) < wanted) below = part;
    else above = part;
  }
  return partOf(grown, valid, above);
};

/** Another body of the same size: names that are there already are refused before the work begins. */
export const another = (grown: Json, valid: Json, count: number): Json => {
  const end = count.toString().replaceAll(/\d/g, (digit) => 'abcdefghij'[Number(digit)] ?? '');
  return changed(grown, valid, {
    text: (now, before) =>
      now.length - end.length > before.length ? `${now.slice(0, -end.length)}${end}` : now,
  });
};
