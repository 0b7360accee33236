/** The fields of plain nouns, as data: schemas, columns, table columns and form inputs are made from them. */

export type FieldKind = 'text' | 'paragraphs' | 'integer' | 'flag' | 'choice';

export interface Field<V> {
  readonly kind: FieldKind;
  /** Default: the field's key in words. */
  readonly label?: string;
  /** Shown below the input. */
  readonly help?: string;
  /** The most characters, or the greatest number. */
  readonly max?: number;
  readonly optional?: true;
  /** The words of a choice. */
  readonly of?: readonly string[];
  /** Holds the type alone; no field has a value here. */
  readonly is?: V;
}

/** Generic in the values, so that an editor shows `{ name: string }` and not how the fields were declared. */
export type FieldsOf<V> = { readonly [K in keyof V]: Field<V[K]> };

interface Shown {
  label?: string;
  help?: string;
}

/** One line. */
export const text = (max = 200, shown: Shown = {}): Field<string> => ({ kind: 'text', max, ...shown });
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
export const integer = (max?: number, shown: Shown = {}): Field<number> => ({
  kind: 'integer',
  ...(max === undefined ? {} : { max }),
  ...shown,
});
export const flag = (shown: Shown = {}): Field<boolean> => ({ kind: 'flag', ...shown });
export const choice = <const V extends string>(of: readonly V[], shown: Shown = {}): Field<V> => ({
  kind: 'choice',
  of,
  ...shown,
});

const spaced = (key: string): string => key.replaceAll(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
export const capital = (words: string): string => words.charAt(0).toUpperCase() + words.slice(1);

/** `optionSet` as `option set`. */
export const inWords = (key: string): string => spaced(key);

export const labelOf = (fields: Readonly<Record<string, Field<unknown>>>, key: string): string =>
  fields[key]?.label ?? capital(inWords(key));
