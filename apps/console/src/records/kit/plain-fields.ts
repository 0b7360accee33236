/** The fields of a plain noun as forms, tables and facts show them. Pure. */
import { labelOf, type PlainNoun } from '@quarterdeck/events';
import type { Kept } from '@quarterdeck/projections';
import type { Column } from '../../ui/DataTable';
import type { Field } from '../../ui/ResourceForm';

export type View = Kept & Readonly<Record<string, unknown>>;
export type Values = Readonly<Record<string, unknown>>;

const inputs = {
  text: 'text',
  paragraphs: 'textarea',
  integer: 'number',
  flag: 'checkbox',
  choice: 'select',
} as const;

export const formFieldsOf = ({ fields }: PlainNoun): readonly Field[] =>
  Object.entries(fields).map(([name, { kind, help, optional, of }]) => ({
    name,
    label: labelOf(fields, name),
    type: inputs[kind],
    ...(help !== undefined && { help }),
    ...(optional && { optional }),
    ...(kind === 'paragraphs' && { rows: 4 }),
    ...(of && { options: of.map((value) => ({ value, label: value })), numeric: false as const }),
  }));

/** Only its editable fields. */
export const valuesOf = ({ fields }: PlainNoun, view: View): Values =>
  Object.fromEntries(Object.keys(fields).map((key) => [key, view[key]]));

export const sameValues = (noun: PlainNoun, a: View, b: View): boolean =>
  Object.keys(noun.fields).every((key) => a[key] === b[key]);

export const nameIn = ({ named }: PlainNoun, view: View): string => String(view[named]);

/** A value in words; `undefined`: there is none. */
export const shownValue = ({ fields }: PlainNoun, key: string, view: View): string | undefined => {
  const value = view[key] as string | number | boolean;
  if (fields[key]?.kind === 'flag') return value ? 'yes' : 'no';
  return value === '' ? undefined : String(value);
};

/** One column for each field, the name first. */
export const columnsOf = (noun: PlainNoun): readonly Column<View>[] => {
  const keys = Object.keys(noun.fields).toSorted(
    (a, b) => Number(b === noun.named) - Number(a === noun.named),
  );
  return keys.map((key, at) => {
    const kind = noun.fields[key]?.kind;
    const filter = kind === 'integer' ? 'number' : kind === 'choice' || kind === 'flag' ? 'category' : 'text';
    return {
      id: key,
      header: labelOf(noun.fields, key),
      value: (view) => shownValue(noun, key, view),
      filter,
      ...(at < 2 && { priority: at === 0 ? 1 : 2 }),
      ...(kind === 'integer' && { align: 'right' as const }),
    };
  });
};
