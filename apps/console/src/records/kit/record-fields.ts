/** Converts the fields of a plain noun for forms, tables and facts. Pure. */
import { labelOf, shownOf, type Field as NounField, type PlainNoun } from '@quarterdeck/events';
import { plainColumns, shownValue, type PlainRecord } from '@quarterdeck/projections';
import type { ReactNode } from 'react';
import type { Choices } from '../../ui/choice';
import type { Column } from '../../ui/DataTable';
import { sameValue, valueAt, type Draft } from '../../ui/form/values';
import type { Field } from '../../ui/ResourceForm';

export type View = PlainRecord & Readonly<Record<string, unknown>>;
export type Values = Readonly<Record<string, unknown>>;

/** The ids of the parent records by category: `{ product: id, entity: id }`. */
export type Parents = Readonly<Record<string, string>>;

/** Custom rendering of fields, in the table and in the facts. */
export type Cells = Readonly<Record<string, (view: View) => ReactNode>>;

/** The part of a call's input that names the parent. */
export const inParent = ({ within }: Pick<PlainNoun, 'within'>, parents: Parents | undefined): object =>
  within === undefined ? {} : { [within]: { id: parents?.[within] } };

/** @param at where the record opens, below its detail page */
export const detailPath = (base: string, id: string, at: string | undefined): string =>
  [base, id, 'detail', ...(at === undefined ? [] : [at])].join('/');

const inputs = {
  text: 'text',
  paragraphs: 'textarea',
  code: 'textarea',
  integer: 'number',
  flag: 'checkbox',
  choice: 'select',
  enumeration: 'select',
  reference: 'reference',
  secret: 'secret',
  json: 'json',
} as const;

/** Whether the value is sent as `{ id }`, and so has this path in a form. */
const isBoxed = ({ kind, boxed }: NounField<unknown>): boolean => kind === 'reference' || boxed === true;

const isDraftOf =
  (fields: PlainNoun['fields'], [other, wanted]: readonly [string, number | boolean]) =>
  (draft: Draft): boolean => {
    const field = fields[other];
    const typed = valueAt(draft, field && isBoxed(field) ? `${other}.id` : other);
    return typed === wanted || typed === String(wanted);
  };

/**
 * @param targets choices for references, by field
 * @param of `edited` for an edit form, where a stored secret may be kept
 */
export const formFieldsOf = (
  { fields }: Pick<PlainNoun, 'fields'>,
  targets: Readonly<Record<string, Choices>> = {},
  of: 'new' | 'edited' = 'new',
): readonly Field[] =>
  Object.entries(fields).flatMap(([name, field]): Field[] => {
    const { kind, help, placeholder, half, optional, of: known = [], when, timeIn } = field;
    if (kind === 'order' || field.hidden) return [];
    const asked = when && { when: isDraftOf(fields, when) };
    if (kind === 'group')
      return [
        {
          name,
          label: labelOf(fields, name),
          type: 'group',
          ...(help !== undefined && { help }),
          ...((optional ?? when) && { optional: true }),
          fields: formFieldsOf({ fields: field.fields ?? {} }),
          ...asked,
        },
      ];
    const isKept = kind === 'secret' && of === 'edited';
    const words = known.map((label, at) => ({ value: kind === 'choice' ? label : at + 1, label }));
    const from = targets[name];
    return [
      {
        name: isBoxed(field) ? `${name}.id` : name,
        label: labelOf(fields, name),
        type: timeIn ? 'time' : inputs[kind],
        ...(timeIn && { timeIn }),
        ...(help !== undefined && { help }),
        ...(placeholder !== undefined && { placeholder }),
        ...(half && { half }),
        ...((optional || isKept) && { optional: true }),
        ...(isKept && { stored: {} }),
        ...(kind === 'paragraphs' && { rows: 4 }),
        ...(kind === 'code' && { rows: 16, mono: true }),
        ...(inputs[kind] === 'select' && { options: words }),
        ...(from && { from }),
        ...(kind === 'choice' && { numeric: false as const }),
        ...asked,
      },
    ];
  });

/** Initial values of the form that adds a record. */
export const initialOf = ({ fields }: Pick<PlainNoun, 'fields'>): Values =>
  Object.fromEntries(
    Object.entries(fields).flatMap(([key, { since, omitted, initial = omitted ?? since?.value }]) =>
      initial === undefined ? [] : [[key, initial]],
    ),
  );

/** For fields that count: the number after the largest one in these rows. */
export const nextOf = ({ fields }: Pick<PlainNoun, 'fields'>, rows: readonly Values[]): Values =>
  Object.fromEntries(
    Object.entries(fields).flatMap(([key, { counts }]) =>
      counts ? [[key, Math.max(0, ...rows.map((row) => Number(row[key]))) + 1]] : [],
    ),
  );

/** The editable fields without secrets. */
export const valuesOf = ({ fields }: Pick<PlainNoun, 'fields'>, view: Values): Values =>
  Object.fromEntries(
    Object.entries(fields).flatMap(([key, { kind }]) => (kind === 'secret' ? [] : [[key, view[key]]])),
  );

export const sameValues = (noun: Pick<PlainNoun, 'fields'>, a: Values, b: Values): boolean =>
  Object.keys(noun.fields).every((key) => sameValue(a[key], b[key]));

export const nameIn = ({ named }: Pick<PlainNoun, 'named'>, view: Values): string => String(view[named]);

/** The one or two fields that a card on a narrow screen shows below the name, before the last change. */
export type OnCard = readonly [string, string?];

const PRIORITIES = [1, 2, 3] as const;

/** One column for each field, the name first. */
export const columnsOf = (noun: PlainNoun, cells: Cells = {}, onCard?: OnCard): readonly Column<View>[] => {
  const all = plainColumns(noun).filter(({ id }) => id in shownOf(noun));
  const ranked = [all[0]?.id, ...(onCard ?? [all[1]?.id])];
  return all.map((column) => {
    const cell = cells[column.id];
    const priority = PRIORITIES[ranked.indexOf(column.id)];
    return {
      ...column,
      header: labelOf(shownOf(noun), column.id),
      ...(cell && { cell: (view: View) => cell(view) ?? shownValue(noun, column.id, view) }),
      ...(priority && { priority }),
      ...(shownOf(noun)[column.id]?.kind === 'integer' && { align: 'right' as const }),
      ...(shownOf(noun)[column.id]?.onDemand && { onDemand: true as const }),
    };
  });
};
