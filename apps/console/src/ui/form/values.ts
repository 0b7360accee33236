/**
 * Converts form input (drafts) to values to send, and back. A field's name is its path: `webhook.url` is in a nested
 * object, `resolvers.0` in an array. Pure.
 */
import { get, set } from 'react-hook-form';
import type { z } from 'zod';
import { instantOfInput } from '../local-time';
import { isObject, sameValue } from '../same-value';
import { expectedNumber } from './expected-number';
import type { Field, GroupField, InputField } from './fields';
import { jsonIn, noJsonIn } from './json-text';

/** A list is an array of drafts, a nested object is a draft. */
export type DraftValue = string | boolean | Draft | readonly Draft[];
export interface Draft {
  [name: string]: DraftValue | undefined;
}
export type Values = Record<string, unknown>;

const NUMBER = /^-?\d+(\.\d+)?$/;

const draftIn = (value: DraftValue | undefined): Draft => (isObject(value) ? (value as Draft) : {});
const rowsIn = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

/** Empty input becomes undefined, as does an invalid number. A checkbox becomes true or false. */
export const parseInput = (field: InputField, typed: DraftValue | undefined): unknown => {
  if (field.type === 'checkbox') return typed === true;
  if (typeof typed !== 'string') return undefined;
  if (typed === '') return field.sendsEmpty ? '' : undefined;
  if (field.type === 'json') return jsonIn(typed);
  if (field.type === 'time') return instantOfInput(typed);
  if (field.type === 'number') return NUMBER.test(typed.trim()) ? Number(typed) : undefined;
  // A select's value can be a numeric id: `2` is one, `02` is text.
  if (field.type === 'select')
    return /^(0|-?[1-9]\d*)$/.test(typed) && field.numeric !== false ? Number(typed) : typed;
  return typed;
};

const parseField = (field: Field, typed: DraftValue | undefined): unknown => {
  switch (field.type) {
    case 'group':
      return groupIn(field, parseDraft(field.fields, draftIn(typed)));
    case 'list':
      return rowsIn(typed).map((row) => parseDraft(field.fields, row as Draft));
    default:
      return parseInput(field, typed);
  }
};

/** An optional group without any input is none. */
const groupIn = ({ optional }: GroupField, values: Values): Values | null =>
  optional && Object.values(values).every(isUnset) ? null : values;

const isUnset = (value: unknown): boolean => value === false || (Array.isArray(value) && value.length === 0);

export const valueAt = (draft: Draft, name: string): DraftValue | undefined =>
  get(draft, name) as DraftValue | undefined;

/** Values of the fields that apply; see `askedFor`. */
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
    case 'json':
      return value === undefined || value === null ? '' : JSON.stringify(value, null, 2);
    // A stored secret is never shown, so it is never put into the form.
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

/** The fields whose `when` condition holds for the draft. */
export const askedFor = (fields: readonly Field[], draft: Draft): readonly Field[] =>
  fields.filter(({ when }) => when?.(draft) ?? true);

/**
 * Messages for what is no number or no JSON. The schema would see `undefined` and say "required".
 * @param schema of the form: it knows which numbers are accepted
 */
export const unreadable = (
  fields: readonly Field[],
  draft: Draft,
  schema?: z.ZodType,
  path = '',
): Record<string, string> =>
  Object.assign(
    {},
    ...askedFor(fields, draft).map((field): Record<string, string> => {
      const name = path + field.name;
      const typed = valueAt(draft, field.name);
      if (field.type === 'group') return unreadable(field.fields, draftIn(typed), schema, `${name}.`);
      if (field.type === 'list')
        return Object.assign(
          {},
          ...rowsIn(typed).map((row, at) => unreadable(field.fields, row as Draft, schema, `${name}.${at}.`)),
        ) as Record<string, string>;
      if (typeof typed !== 'string' || typed === '') return {};
      if (field.type === 'json')
        return jsonIn(typed) === undefined ? { [name]: noJsonIn(typed, '{"name": "value"}') } : {};
      if (field.type !== 'number') return {};
      return NUMBER.test(typed.trim()) ? {} : { [name]: field.expected ?? expectedNumber(schema, name) };
    }),
  ) as Record<string, string>;

/** Whether the form has a field for a message about this path. */
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
 * The fields in which the operator's draft and the current version differ, among those that apply to either. A value
 * that the current version lacks counts as empty, as in a form that opens with it.
 */
export const differences = (all: readonly Field[], draft: Draft, current: Values): Difference[] => {
  const theirs = draftOf(all, current);
  // If two fields have the same name, the one shown in the form wins.
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

/** What both have changed since the form began, each in another way, and what only the current version has changed. */
export interface Conflict {
  readonly contested: readonly Difference[];
  readonly theirsAlone: readonly Difference[];
}

/** @param base what the form began with */
export const conflictOf = (
  fields: readonly Field[],
  { draft, base, current }: { draft: Draft; base: Draft; current: Values },
): Conflict => {
  const found = differences(fields, draft, current);
  const isAtBase = (field: Field, value: DraftValue): boolean =>
    sameValue(valueAt(base, field.name) ?? '', value);
  return {
    contested: found.filter(({ field, mine, theirs }) => !isAtBase(field, mine) && !isAtBase(field, theirs)),
    theirsAlone: found.filter(({ field, mine }) => isAtBase(field, mine)),
  };
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

/** A form value as text, for the comparison of two versions. */
export const valueInWords = (field: Field, value: DraftValue | undefined): string => {
  if (field.type === 'group') return namedWords(field.fields, draftIn(value));
  if (field.type !== 'list') return inWords(field, value);
  const rows = rowsIn(value).map((row) => namedWords(field.fields, row as Draft));
  return rows.length === 0 ? '(none)' : rows.join('; ');
};
