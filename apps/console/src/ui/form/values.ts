/**
 * From what is typed to what is sent, and back. The name of a field is its path: `webhook.url` is in a nested object,
 * `resolvers.0` in an array. Pure.
 */
import { get, set } from 'react-hook-form';
import type { Field, InputField } from './fields';

/** A list is an array of drafts, a nested object is a draft. */
export type DraftValue = string | boolean | Draft | readonly Draft[];
export interface Draft {
  [name: string]: DraftValue | undefined;
}
export type Values = Record<string, unknown>;

const NUMBER = /^-?\d+(\.\d+)?$/;

const isObject = (value: unknown): value is Values =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const draftIn = (value: DraftValue | undefined): Draft => (isObject(value) ? (value as Draft) : {});
const rowsIn = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

/** An empty input becomes undefined, numbers become numbers, text that is none becomes undefined, a checkbox is true or false. */
export const parseInput = (field: InputField, typed: DraftValue | undefined): unknown => {
  if (field.type === 'checkbox') return typed === true;
  if (typeof typed !== 'string' || typed === '') return undefined;
  if (field.type === 'number') return NUMBER.test(typed.trim()) ? Number(typed) : undefined;
  // A select gives ids: `2` is one, `02` is a word.
  if (field.type === 'select')
    return /^(0|-?[1-9]\d*)$/.test(typed) && field.numeric !== false ? Number(typed) : typed;
  return typed;
};

const parseField = (field: Field, typed: DraftValue | undefined): unknown => {
  switch (field.type) {
    case 'group':
      return parseDraft(field.fields, draftIn(typed));
    case 'list':
      return rowsIn(typed).map((row) => parseDraft(field.fields, row as Draft));
    default:
      return parseInput(field, typed);
  }
};

/** The value of a field. */
export const valueAt = (draft: Draft, name: string): DraftValue | undefined =>
  get(draft, name) as DraftValue | undefined;

/** Of the fields that are asked for. */
export const parseDraft = (fields: readonly Field[], draft: Draft): Values => {
  const values: Values = {};
  for (const field of askedFor(fields, draft)) {
    const value = parseField(field, valueAt(draft, field.name));
    if (value !== undefined) set(values, field.name, value);
  }
  return values;
};

const draftOfField = (field: Field, value: unknown): DraftValue => {
  switch (field.type) {
    case 'group':
      return draftOf(field.fields, isObject(value) ? value : undefined);
    case 'list':
      return rowsIn(value).map((row) => draftOf(field.fields, row as Values));
    case 'checkbox':
      return value === true;
    // A secret is never shown again, so it is never in the form either.
    case 'secret':
      return '';
    default:
      return value === undefined || value === null ? '' : String(value as string | number);
  }
};

export const draftOf = (fields: readonly Field[], values: Values | undefined): Draft => {
  const draft: Draft = {};
  for (const field of fields) set(draft, field.name, draftOfField(field, get(values, field.name)));
  return draft;
};

export const sameValue = (a: unknown, b: unknown): boolean => {
  if (Array.isArray(a) && Array.isArray(b))
    return a.length === b.length && a.every((one, at) => sameValue(one, b[at]));
  if (isObject(a) && isObject(b))
    return Object.keys({ ...a, ...b }).every((name) => sameValue(a[name], b[name]));
  return a === b;
};

/** The fields that are asked for as the others stand. */
export const askedFor = (fields: readonly Field[], draft: Draft): readonly Field[] =>
  fields.filter(({ when }) => when?.(draft) ?? true);

/** What is wrong with a number before any schema looks at it: `undefined` would read "required". */
export const notANumber = (fields: readonly Field[], draft: Draft, path = ''): Record<string, string> =>
  Object.assign(
    {},
    ...askedFor(fields, draft).map((field): Record<string, string> => {
      const name = path + field.name;
      const typed = valueAt(draft, field.name);
      if (field.type === 'group') return notANumber(field.fields, draftIn(typed), `${name}.`);
      if (field.type === 'list')
        return Object.assign(
          {},
          ...rowsIn(typed).map((row, at) => notANumber(field.fields, row as Draft, `${name}.${at}.`)),
        ) as Record<string, string>;
      if (field.type !== 'number' || typeof typed !== 'string' || typed === '') return {};
      return NUMBER.test(typed.trim()) ? {} : { [name]: 'expected type number' };
    }),
  ) as Record<string, string>;

/** Whether a message about this path has a field to stand under. */
export const hasField = (fields: readonly Field[], draft: Draft, path: string): boolean =>
  askedFor(fields, draft).some((field) => {
    if (field.name === path) return true;
    if (!path.startsWith(`${field.name}.`)) return false;
    const rest = path.slice(field.name.length + 1);
    const inside = valueAt(draft, field.name);
    if (field.type === 'group') return hasField(field.fields, draftIn(inside), rest);
    if (field.type !== 'list') return false;
    const [row = '', ...names] = rest.split('.');
    return hasField(field.fields, draftIn(rowsIn(inside)[Number(row)] as Draft), names.join('.'));
  });

export interface Difference {
  field: Field;
  mine: DraftValue;
  theirs: DraftValue;
}

/**
 * The fields in which the operator's draft and the current state differ, among those that either of them asks for. What
 * the current state does not have is empty there, as in a form that opens with it.
 */
export const differences = (all: readonly Field[], draft: Draft, current: Values): Difference[] => {
  const theirs = draftOf(all, current);
  // Of two fields of one name, the one that stands in the form.
  const asked = new Map(
    [...askedFor(all, theirs), ...askedFor(all, draft)].map((field) => [field.name, field] as const),
  );
  return all
    .filter((field) => asked.get(field.name) === field && field.type !== 'secret')
    .map((field) => ({
      field,
      mine: valueAt(draft, field.name) ?? '',
      theirs: valueAt(theirs, field.name) ?? '',
    }))
    .filter((difference) => !sameValue(difference.mine, difference.theirs));
};

const inWords = (field: InputField, value: DraftValue | undefined): string => {
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  if (typeof value !== 'string' || value === '') return '(empty)';
  return field.options?.find((option) => String(option.value) === value)?.label ?? value;
};

const namedWords = (fields: readonly Field[], draft: Draft): string =>
  askedFor(fields, draft)
    .filter(({ type }) => type !== 'secret')
    .map((field) => `${field.label}: ${valueInWords(field, valueAt(draft, field.name))}`)
    .join(', ');

/** A value of the form to be read beside another. */
export const valueInWords = (field: Field, value: DraftValue | undefined): string => {
  if (field.type === 'group') return namedWords(field.fields, draftIn(value));
  if (field.type !== 'list') return inWords(field, value);
  const rows = rowsIn(value).map((row) => namedWords(field.fields, row as Draft));
  return rows.length === 0 ? '(none)' : rows.join('; ');
};
