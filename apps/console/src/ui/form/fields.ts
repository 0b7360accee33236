import type { Choices } from '../choice';
import type { Draft } from './values';

interface FieldBase {
  name: string;
  label: string;
  help?: string;
  /** Whether the field applies, given the other fields beside it. Otherwise it is neither shown nor sent. */
  when?: (draft: Draft) => boolean;
  /** Seldom needed: below the others, and hidden until somebody opens them or one has a value. */
  rare?: true;
}

export interface InputField extends FieldBase {
  type: 'text' | 'number' | 'textarea' | 'secret' | 'select' | 'checkbox' | 'reference' | 'json' | 'time';
  /** Of a number: said if the input is none. Default: the numbers that the schema accepts. */
  expected?: string;
  /** The instant that a text of a time tells, in milliseconds since 1970. */
  timeIn?: (text: string) => number | undefined;
  placeholder?: string;
  optional?: boolean;
  rows?: number;
  /** For a textarea: its text can also be read from a file of at most this size. */
  maxFileBytes?: number;
  /** Of a select. JSON that is an array of their labels is chosen from them. */
  options?: readonly { value: string | number; label: string }[];
  /** List that a reference is chosen from. The value is an id, or an array of ids in JSON. */
  from?: Choices;
  /** For a select whose values are text even when they look like numbers. */
  numeric?: false;
  mono?: boolean;
  /** Empty input is sent as an empty text, and not left out. */
  sendsEmpty?: true;
  /** Half the width: two such fields are side by side. */
  half?: boolean;
  /** For a secret that is already stored: shown in place of its value. */
  stored?: { fingerprint?: string; setAt?: string };
  autoComplete?: string;
  /** Takes the focus when the form opens. Default: the first field of a form that was opened. */
  autoFocus?: boolean;
}

/** A nested object. */
export interface GroupField extends FieldBase {
  type: 'group';
  /** Without any input, it is sent as `null`. */
  optional?: boolean;
  fields: readonly Field[];
}

/** Any number of nested objects. */
export interface ListField extends FieldBase {
  type: 'list';
  /** Fields of one row. */
  fields: readonly Field[];
  /** Names one row: "Upstream". */
  row: string;
}

export type Field = InputField | GroupField | ListField;

/** The fields with `autoFocus` at the first one that a person can fill in, unless another one has it. */
export const withFirstFocused = (fields: readonly Field[]): readonly Field[] => {
  if (fields.some((field) => 'autoFocus' in field && field.autoFocus)) return fields;
  const at = fields.findIndex(({ type, rare, when }) => type !== 'list' && !rare && !when);
  return fields.map((field, index) => {
    if (index !== at || field.type === 'list') return field;
    return field.type === 'group'
      ? { ...field, fields: withFirstFocused(field.fields) }
      : { ...field, autoFocus: true };
  });
};
