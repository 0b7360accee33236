/** Bodies that an operator's browser would never send: almost valid ones, and malicious ones. */
import fc from 'fast-check';

export type Json = null | boolean | number | string | Json[] | { [key: string]: Json };

const deep = (depth: number): Json => (depth === 0 ? 'end' : { deeper: deep(depth - 1) });

/** Maximum number of open brackets. */
export const depthOf = (value: Json): number =>
  value !== null && typeof value === 'object' ? 1 + Math.max(0, ...Object.values(value).map(depthOf)) : 0;

/** Texts that have broken similar programs: shells, SQL, web-server configuration, terminals, encodings. */
export const hostileTexts = [
  '',
  ' ',
  '\u0000',
  'a\u0000b',
  '\ud800',
  'x\udfff',
  '$(touch /tmp/qd-canary)',
  '`id`',
  '; rm -rf /',
  "' or 1=1 --",
  '"; drop table log.events; --',
  '\n}\nserver { listen 80; }',
  '../../../etc/passwd',
  '-oProxyCommand=touch /tmp/qd-canary',
  '\u001b[2J',
  '\u202egnp.exe',
  '%00%0a',
  '{{7*7}}',
  '__proto__',
  'constructor',
  'toString',
  'null',
  'undefined',
  '999999999999999999999999',
  '1e400',
  '0190a000-0000-7000-8000-00000000000g',
  'a'.repeat(5_000),
  '🚢'.repeat(3_000),
] as const;

const values: fc.Arbitrary<Json> = fc.oneof(
  fc.constantFrom<Json[]>(
    null,
    true,
    false,
    0,
    -1,
    1,
    1.5,
    2 ** 31,
    2 ** 53,
    -(2 ** 63),
    1e308,
    [],
    {},
    [[]],
    deep(50),
  ),
  fc.constantFrom<Json[]>(...hostileTexts),
  fc.jsonValue({ maxDepth: 3 }).map((value) => value as Json),
  fc.array(fc.constantFrom<Json[]>('a', 1, null), { minLength: 0, maxLength: 1_500 }),
);

const keys = fc.oneof(
  fc.constantFrom(
    'extra',
    '__proto__',
    'constructor',
    'id',
    'data',
    'workspace',
    'revision',
    'a'.repeat(300),
    '',
  ),
  fc.string({ maxLength: 12 }),
);

interface Change {
  kind: 'drop' | 'replace' | 'add';
  at: number;
  key: string;
  value: Json;
}

const change: fc.Arbitrary<Change> = fc.record({
  kind: fc.constantFrom('drop' as const, 'replace' as const, 'replace' as const, 'add' as const),
  at: fc.nat(1_000),
  key: keys,
  value: values,
});

/** `JSON.parse` makes `__proto__` an own key, which a hostile body uses. */
const put = (object: Record<string, Json>, key: string, value: Json): void => {
  Object.defineProperty(object, key, { value, enumerable: true, configurable: true, writable: true });
};

const objectsIn = (value: Json): Record<string, Json>[] =>
  value !== null && typeof value === 'object' && !Array.isArray(value)
    ? [value, ...Object.values(value).flatMap(objectsIn)]
    : [];

const apply = (body: Json, { kind, at, key, value: one }: Change): Json => {
  // The constants are the same objects each time, and a later change may go into this one.
  const value = structuredClone(one);
  const objects = objectsIn(body);
  const target = objects[at % Math.max(objects.length, 1)];
  if (!target) return value;
  const names = Object.keys(target);
  const name = names[at % Math.max(names.length, 1)];
  if (kind === 'add') put(target, key, value);
  else if (name !== undefined && kind === 'drop') delete target[name];
  else if (name !== undefined) put(target, name, value);
  return body;
};

/** A valid body with one to three changes, or in one of ten cases a completely different value. */
export const bodiesNear = (valid: Json): fc.Arbitrary<Json> =>
  fc.oneof(
    {
      weight: 9,
      arbitrary: fc
        .array(change, { minLength: 1, maxLength: 3 })
        .map((all) => all.reduce(apply, structuredClone(valid))),
    },
    { weight: 1, arbitrary: values },
  );
