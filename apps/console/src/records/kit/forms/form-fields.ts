/** Converts the fields of a plain noun for forms. Pure. */
import { labelOf, type Field as NounField, type PlainNoun } from '@quarterdeck/events';
import type { Choices } from '../../../ui/choice';
import { valueAt, type Draft } from '../../../ui/form/values';
import type { Field } from '../../../ui/ResourceForm';
import { sameValue } from '../../../ui/same-value';
import type { Values } from '../record-fields';

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
  (fields: PlainNoun['fields'], [other, ...wanted]: NonNullable<NounField<unknown>['when']>) =>
  (draft: Draft): boolean => {
    const field = fields[other];
    const typed = valueAt(draft, field && isBoxed(field) ? `${other}.id` : other);
    return wanted.some((value) => typed === value || typed === String(value));
  };

/**
 * @param targets choices for references, by field
 * @param stored secrets that an edit may keep
 */
export const formFieldsOf = (
  { fields }: Pick<PlainNoun, 'fields'>,
  targets: Readonly<Record<string, Choices>> = {},
  stored: readonly string[] = [],
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
    const isKept = stored.includes(name);
    const isSeveral = kind === 'json' && (known.length > 0 || field.to !== undefined);
    const words = known.map((label, at) =>
      kind === 'choice' ? { value: label, label: field.words?.[label] ?? label } : { value: at + 1, label },
    );
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
        ...((optional || isKept || isSeveral) && { optional: true }),
        ...(isKept && { stored: {} }),
        ...((kind === 'paragraphs' || field.lines) && { rows: 4 }),
        ...(kind === 'code' && { rows: 16, mono: true }),
        ...((inputs[kind] === 'select' || (isSeveral && known.length > 0)) && { options: words }),
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

/** For fields that repeat: the value of the last of these rows that has one. */
export const repeatedOf = ({ fields }: Pick<PlainNoun, 'fields'>, rows: readonly Values[]): Values =>
  Object.fromEntries(
    Object.entries(fields).flatMap(([key, { repeats }]) =>
      repeats === undefined ? [] : [[key, rows.findLast((row) => row[key] != null)?.[key] ?? repeats]],
    ),
  );

export const sameValues = (noun: Pick<PlainNoun, 'fields'>, a: Values, b: Values): boolean =>
  Object.keys(noun.fields).every((key) => sameValue(a[key], b[key]));
