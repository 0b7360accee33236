/** The differences between two views of one record, field by field, in words for operators. Pure. */
import { z } from 'zod';

export const difference = z.strictObject({
  /** Label of the field: `Key fingerprint`, `Location /api/: timeout`. */
  field: z.string(),
  /** Absent if the record did not exist before. */
  before: z.string().optional(),
  /** Absent if the record does not exist any more. */
  after: z.string().optional(),
});
export interface Difference extends z.infer<typeof difference> {}

/**
 * Fields that are not shown: where and when the record was changed, which is part of the event, and references to
 * secrets, which mean nothing to an operator.
 */
const BOOKKEEPING = new Set([
  'ref',
  'id',
  'uuid',
  'workspace',
  'revision',
  'position',
  'version',
  'search',
  // Copies that exist only as columns for queries.
  'locationIds',
  'deployLogs',
  'serviceIds',
  'variableIds',
  'serviceId',
  'serverId',
  'servedAt',
  // Earlier states, whose entries move with every event. The present state is in other fields.
  'configs',
  'dnsHistory',
  'issuances',
  'refusals',
  'registeredAt',
  'registeredBy',
  'addedAt',
  'addedBy',
  'changedAt',
  'changedBy',
  'joinedAt',
  'raisedAt',
]);

const CAPITALS = new Map(
  ['DNS', 'SSL', 'URL', 'TLS', 'CA', 'IP', 'CORS', 'SHA256', 'ID'].map((word) => [word.toLowerCase(), word]),
);
const MAX_CHARACTERS = 4_000;

const wordsOf = (name: string): string =>
  name
    .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
    .split(' ')
    .map((word) => CAPITALS.get(word.toLowerCase()) ?? (/^[A-Z][a-z]/.test(word) ? word.toLowerCase() : word))
    .join(' ')
    .replace(/ (ms|seconds|bytes)$/, ' in $1');

const capital = (words: string): string => words.charAt(0).toUpperCase() + words.slice(1);

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The name of a list entry for readers: its path, its name or its index. */
const nameOf = (entry: Record<string, unknown>, index: number): string => {
  const { location, name, step, address } = entry;
  const named = [location, name, step, address].find((value) => typeof value === 'string');
  return typeof named === 'string' ? named : String(index + 1);
};

const inWords = (value: unknown): string => {
  if (value === null) return 'none';
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  if (Array.isArray(value)) return value.length === 0 ? 'none' : value.map(inWords).join(', ');
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  return text.length > MAX_CHARACTERS ? `${text.slice(0, MAX_CHARACTERS)}…` : text;
};

type Fields = Map<string, string>;

const collect = (value: unknown, field: string, into: Fields): void => {
  if (value === undefined) return;
  if (Array.isArray(value) && value.some(isObject)) {
    for (const [index, entry] of value.entries())
      collect(entry, `${field} ${isObject(entry) ? nameOf(entry, index) : index + 1}:`, into);
    return;
  }
  if (!isObject(value)) {
    into.set(capital(field), inWords(value));
    return;
  }
  for (const [key, part] of Object.entries(value))
    if (!BOOKKEEPING.has(key)) collect(part, `${field} ${wordsOf(key)}`.trim(), into);
};

/** Every field of a view or of event data, with its value in words. */
export const fieldsInWords = (of: object | undefined): Fields => {
  const fields: Fields = new Map();
  collect(of, '', fields);
  return fields;
};

/** An empty list needs no line if the other side shows its entries. */
const hasEntries = (field: string, fields: Fields): boolean =>
  [...fields.keys()].some((other) => other.startsWith(`${field} `) && other.includes(':'));

/** In the order of the later view, with removed fields last. Empty if both are equal. */
export const differences = (before: object | undefined, after: object | undefined): Difference[] => {
  const [was, is] = [fieldsInWords(before), fieldsInWords(after)];
  return [...new Set([...is.keys(), ...was.keys()])]
    .filter((field) => was.get(field) !== is.get(field))
    .filter((field) => !hasEntries(field, was.has(field) ? is : was))
    .map((field) => {
      const [from, to] = [was.get(field), is.get(field)];
      return { field, ...(from !== undefined && { before: from }), ...(to !== undefined && { after: to }) };
    });
};
