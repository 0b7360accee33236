/** The fields of plain nouns, as data: schemas, columns, table columns and form inputs are made from them. */

export type FieldKind =
  | 'text'
  | 'paragraphs'
  | 'integer'
  | 'flag'
  | 'choice'
  | 'enumeration'
  | 'reference'
  | 'order'
  | 'secret';

/** A secret is in the vault. Events and views only refer to it. */
export interface Secret {
  ref: string;
}

export interface Field<V> {
  readonly kind: FieldKind;
  /** Default: the field's key in words. */
  readonly label?: string;
  /** Shown below the input. */
  readonly help?: string;
  /** The most characters, or the greatest number. */
  readonly max?: number;
  /** The smallest number. */
  readonly min?: number;
  readonly optional?: true;
  /** What the form for a new thing begins with. */
  readonly initial?: V;
  /** The words of a choice. Those of an enumeration are in the order of its ids, which begin at 1. */
  readonly of?: readonly string[];
  /** An enumeration that is sent as `{ id }`. */
  readonly boxed?: true;
  /** Category of what a reference leads to. */
  readonly to?: string;
  /** The field exists only while another one has this value, and is required then unless it is optional. */
  readonly when?: readonly [field: string, value: number];
  /** What a line has to look like, and what is said otherwise. */
  readonly form?: { readonly is: RegExp; readonly error: string };
  /**
   * The field came with this version of the event that adds the thing. Things of earlier versions, and calls that leave
   * it out, have this value.
   */
  readonly since?: { readonly version: number; readonly value: V };
  /** An edit may leave it out, although it cannot be empty, and keeps what it was. */
  readonly kept?: true;
  /** A column of lists only for those who choose it. */
  readonly onDemand?: true;
  /** Holds the type alone; no field has a value here. */
  readonly is?: V;
}

/** Generic in the values, so that an editor shows `{ name: string }` and not how the fields were declared. */
export type FieldsOf<V> = { readonly [K in keyof V]: Field<V[K]> };

interface Shown<V = never> extends Pick<Field<V>, 'since' | 'kept' | 'onDemand'> {
  label?: string;
  help?: string;
}
interface Conditional extends Shown {
  optional?: true;
  when?: readonly [field: string, value: number];
}

/** One line. */
export const text = (max = 200, shown: Shown<string> & Pick<Field<string>, 'form'> = {}): Field<string> => ({
  kind: 'text',
  max,
  ...shown,
});
/** One line that may be empty: `''`. */
export const optionalText = (max = 200, shown: Shown = {}): Field<string> => ({
  ...text(max, shown),
  optional: true,
});
/** Several lines, which may be empty: `''`. */
export const paragraphs = (max: number, shown: Shown = {}): Field<string> => ({
  kind: 'paragraphs',
  max,
  optional: true,
  ...shown,
});
export const integer = (
  max?: number,
  shown: Shown<number> & { min?: number; initial?: number } = {},
): Field<number> => ({
  kind: 'integer',
  ...(max === undefined ? {} : { max }),
  ...shown,
});
export const flag = (shown: Shown = {}): Field<boolean> => ({ kind: 'flag', ...shown });
export const choice = <const V extends string>(
  of: readonly V[],
  shown: Shown<NoInfer<V>> = {},
): Field<V> => ({
  kind: 'choice',
  of,
  ...shown,
});

/** Numeric ids with words: `enumeration(['dev', 'test', 'prod'])`. */
export const enumeration = (of: readonly string[], shown: Shown = {}): Field<number> => ({
  kind: 'enumeration',
  of,
  ...shown,
});
/** The same, sent as `{ id: 1 }`. */
export const boxedEnumeration = (of: readonly string[], shown: Shown = {}): Field<{ id: number }> => ({
  kind: 'enumeration',
  boxed: true,
  of,
  ...shown,
});
/** Leads to a thing of another noun, in the same parent if that is within one. Views have its name. `null`: none. */
export const reference = (to: string, shown: Conditional = {}): Field<{ id: string } | null> => ({
  kind: 'reference',
  to,
  ...shown,
});
/** The ids of what is within this thing, in the order that operators gave them. Newer ones follow. */
export const order = (label: string): Field<readonly string[]> => ({ kind: 'order', label, optional: true });
export const secret = (max: number, shown: Shown = {}): Field<Secret> => ({ kind: 'secret', max, ...shown });

export const capital = (words: string): string => words.charAt(0).toUpperCase() + words.slice(1);

/** `optionSet` as `option set`. */
export const inWords = (key: string): string =>
  key.replaceAll(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);

export const fieldsOfKind = (fields: Readonly<Record<string, Field<unknown>>>, kind: FieldKind) =>
  Object.entries(fields).filter(([, field]) => field.kind === kind);

export const labelOf = (fields: Readonly<Record<string, Field<unknown>>>, key: string): string =>
  fields[key]?.label ?? capital(inWords(key));
