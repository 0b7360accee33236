import type { Choices } from '../choice';
import type { Draft } from './values';

interface Asked {
  name: string;
  label: string;
  help?: string;
  /** Whether it is asked for, by what is in the others beside it. What is not asked for is not sent. */
  when?: (draft: Draft) => boolean;
}

/** One input. */
export interface InputField extends Asked {
  type: 'text' | 'number' | 'textarea' | 'secret' | 'select' | 'checkbox' | 'reference';
  placeholder?: string;
  optional?: boolean;
  rows?: number;
  options?: readonly { value: string | number; label: string }[];
  /** What a reference is chosen from. Its value is an id. */
  from?: Choices;
  /** A select whose values are words even when they look like numbers. */
  numeric?: false;
  mono?: boolean;
  /** Half a row: two such fields stand side by side. */
  half?: boolean;
  /** A secret that is already there: it is never shown, this is. */
  stored?: { fingerprint?: string; setAt?: string };
  autoComplete?: string;
  /** Takes the focus when the form opens: for a form that takes the place of the button that opened it. */
  autoFocus?: boolean;
}

/** A nested object. */
export interface GroupField extends Asked {
  type: 'group';
  fields: readonly Field[];
}

/** Any number of nested objects. */
export interface ListField extends Asked {
  type: 'list';
  /** Fields of one row. */
  fields: readonly Field[];
  /** Names one row: "Upstream". */
  row: string;
}

export type Field = InputField | GroupField | ListField;
