/** From what is typed to what is sent, and back. Pure. */
import type { Field } from './fields';

export type Draft = Record<string, string | boolean>;
export type Values = Record<string, unknown>;

const NUMBER = /^-?\d+(\.\d+)?$/;

/** An empty input becomes undefined, numbers become numbers, text that is none becomes undefined, a checkbox is true or false. */
export const parseInput = (field: Field, typed: string | boolean | undefined): unknown => {
  if (field.type === 'checkbox') return typed === true;
  if (typeof typed !== 'string' || typed === '') return undefined;
  if (field.type === 'number') return NUMBER.test(typed.trim()) ? Number(typed) : undefined;
  // A select gives ids: `2` is one, `02` is a word.
  if (field.type === 'select')
    return /^(0|-?[1-9]\d*)$/.test(typed) && field.numeric !== false ? Number(typed) : typed;
  return typed;
};

export const parseDraft = (fields: readonly Field[], draft: Draft): Values =>
  Object.fromEntries(
    fields.flatMap((field) => {
      const value = parseInput(field, draft[field.name]);
      return value === undefined ? [] : [[field.name, value] as const];
    }),
  );

export const draftOf = (fields: readonly Field[], values: Values | undefined): Draft =>
  Object.fromEntries(
    fields.map((field) => {
      const value = values?.[field.name];
      if (field.type === 'checkbox') return [field.name, value === true];
      // A secret is never shown again, so it never stands in the form either.
      if (field.type === 'secret') return [field.name, ''];
      return [field.name, value === undefined || value === null ? '' : String(value as string | number)];
    }),
  );

export const sameDraft = (a: Draft, b: Draft): boolean =>
  Object.keys({ ...a, ...b }).every((name) => a[name] === b[name]);

/** The fields that are asked for as the others stand. */
export const askedFor = (fields: readonly Field[], draft: Draft): readonly Field[] =>
  fields.filter(({ when }) => when?.(draft) ?? true);

/** What is wrong with a number before any schema looks at it: `undefined` would read "required". */
export const notANumber = (fields: readonly Field[], draft: Draft): Record<string, string> =>
  Object.fromEntries(
    fields
      .filter((field) => field.type === 'number')
      .filter(
        ({ name }) =>
          typeof draft[name] === 'string' && draft[name] !== '' && !NUMBER.test(String(draft[name]).trim()),
      )
      .map(({ name }) => [name, 'expected type number']),
  );

export interface Difference {
  field: Field;
  mine: string | boolean;
  theirs: string | boolean;
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
    .map((field) => ({ field, mine: draft[field.name] ?? '', theirs: theirs[field.name] ?? '' }))
    .filter((difference) => difference.mine !== difference.theirs);
};
