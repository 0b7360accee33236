/** The fields of plain nouns, as data. Schemas, columns, table columns and form inputs are derived from them. */

export type FieldKind =
  | 'text'
  | 'paragraphs'
  | 'code'
  | 'integer'
  | 'flag'
  | 'choice'
  | 'enumeration'
  | 'reference'
  | 'order'
  | 'secret'
  | 'group'
  | 'json';

/** Reference to a secret in the vault. Events and views never contain the secret itself. */
export interface Secret {
  ref: string;
}

/** A JSON Schema: it is part of the browser's first load, which contains no library for schemas. */
export type JsonSchema = Readonly<Record<string, unknown>>;

export interface Field<V> {
  readonly kind: FieldKind;
  /** Default: the field's key in words. */
  readonly label?: string;
  /** Shown below the input. */
  readonly help?: string;
  /** Example, shown in the empty input. */
  readonly placeholder?: string;
  /** A text that tells a time: forms ask for it in the reader's time zone. In milliseconds since 1970. */
  timeIn?(value: V): number | undefined;
  /** Value in examples of calls, if the one of its kind would be refused. */
  readonly example?: V;
  /** The input takes half of the form's width. */
  readonly half?: true;
  /** Maximum number of characters, largest allowed number, or maximum number of bytes of JSON. */
  readonly max?: number;
  /** Smallest allowed number. */
  readonly min?: number;
  readonly optional?: true;
  /** Default value in the form for a new record. */
  readonly initial?: V;
  /** The form for a new record proposes the number after the largest one beside it. For records in an order. */
  readonly counts?: true;
  /** A new row of a table proposes the value of the row before it, and the first one this. For records in an order. */
  readonly repeats?: V;
  /** Labels of the options. For an enumeration they are in the order of its ids, which start at 1. */
  readonly of?: readonly string[];
  /** What pages show for the options of a choice that are not words already. */
  readonly words?: Readonly<Record<string, string>>;
  /** An enumeration that is sent and recorded as `{ id }`. */
  readonly boxed?: true;
  /** Such an enumeration that is answered as `{ id, name }`. */
  readonly answersName?: true;
  /** The fields of a group. */
  readonly fields?: Readonly<Record<string, Field<unknown>>>;
  /** What is accepted in a field of JSON. */
  readonly schema?: JsonSchema;
  /** Category of the records that a reference, or each of `several`, points to. */
  readonly to?: string;
  /** A reference whose target may be removed: the record stays, without it. */
  readonly loose?: true;
  /** A reference that is also answered, and may be sent, with the specification's names: `{ uuid, key }`. */
  readonly keyed?: true;
  /** The thing of the examples to which a reference points, if only some records of its category will do. */
  readonly thing?: string;
  /** The field exists only while another field has one of these values. It is then required unless it is optional. */
  readonly when?: When;
  /**
   * Why a value is not accepted; undefined if it is. `all`: the values of all fields. An edit that keeps a value from
   * before the rule is accepted.
   */
  refuses?(value: V, all: Readonly<Record<string, unknown>>): string | undefined;
  /** Where values have to be unique, those with the same key are one. Default: without case and outer spaces. */
  keyOf?(value: V): string;
  /**
   * The version of the `Added` event that introduced the field. `value` is used for records from earlier versions, and
   * for calls that omit the field.
   */
  readonly since?: { readonly version: number; readonly value: V };
  /** A host name or an IP address, see `host.ts`. */
  readonly isHost?: true;
  /** The options of a choice may be sent as their numbers too, which start at 1. */
  readonly numbered?: true;
  /** The value of a new record whose call omits the field. */
  readonly omitted?: V;
  /** The field cannot be empty, but an edit may omit it and thereby keep its value. */
  readonly kept?: true;
  /** The field's list column is hidden until the user selects it. */
  readonly onDemand?: true;
  /** A secret of several lines. */
  readonly lines?: true;
  /** `refuses` looks at the value alone, and an edit may not keep a refused value either. */
  readonly strict?: true;
  /** `refuses` looks at an empty value too, because other fields decide whether it may be empty. */
  readonly judgesEmpty?: true;
  /** Only programs set it: forms leave it out. */
  readonly hidden?: true;
  /** A secret that is stored and never shown to anybody again. */
  readonly sealed?: true;
  /** Carries the type only. It is never set. */
  readonly is?: V;
}

type When = readonly [field: string, ...values: (string | number | boolean)[]];

/** Generic in the values, so that an editor shows `{ name: string }` and not how the fields were declared. */
export type FieldsOf<V> = { readonly [K in keyof V]: Field<V[K]> };

interface Shown<V = never> extends Pick<
  Field<V>,
  | 'since'
  | 'kept'
  | 'onDemand'
  | 'refuses'
  | 'keyOf'
  | 'placeholder'
  | 'half'
  | 'hidden'
  | 'timeIn'
  | 'judgesEmpty'
> {
  label?: string;
  help?: string;
}
interface Conditional extends Shown {
  optional?: true;
  when?: When;
}

/** One line. */
export const text = (
  max = 200,
  shown: Shown<string> & Pick<Field<string>, 'isHost' | 'when' | 'example'> = {},
): Field<string> => ({
  kind: 'text',
  max,
  ...shown,
});
/** One line that may be empty: `''`. */
export const optionalText = (
  max = 200,
  shown: Shown<string> & Pick<Field<string>, 'when' | 'example'> = {},
): Field<string> => ({
  ...text(max, shown),
  optional: true,
});
/** Several lines, which may be empty: `''`. */
export const paragraphs = (
  max: number,
  shown: Shown<string> & Pick<Field<string>, 'example' | 'when'> = {},
): Field<string> => ({
  kind: 'paragraphs',
  max,
  optional: true,
  ...shown,
});
/** Several lines of a program. A byte order mark and the line ends of Windows are removed. */
export const code = (max: number, shown: Shown<string> = {}): Field<string> => ({
  kind: 'code',
  max,
  strict: true,
  ...shown,
});
export const integer = (
  max?: number,
  shown: Shown<number> & Pick<Field<number>, 'min' | 'initial' | 'counts' | 'omitted'> = {},
): Field<number> => ({
  kind: 'integer',
  ...(max === undefined ? {} : { max }),
  ...shown,
});
export const flag = (
  shown: Shown<boolean> & Pick<Field<boolean>, 'initial' | 'omitted'> = {},
): Field<boolean> => ({
  kind: 'flag',
  ...shown,
});
export const choice = <const V extends string>(
  of: readonly V[],
  shown: Shown<NoInfer<V>> &
    Pick<Field<NoInfer<V>>, 'numbered' | 'omitted' | 'example'> & {
      words?: Readonly<Record<NoInfer<V>, string>>;
    } = {},
): Field<V> => ({
  kind: 'choice',
  of,
  ...shown,
});

/** Numeric ids with words: `enumeration(['dev', 'test', 'prod'])`. */
export const enumeration = (
  of: readonly string[],
  shown: Shown<number> & Pick<Field<number>, 'repeats'> = {},
): Field<number> => ({
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
/** The same, answered as `{ id: 1, name: 'dev' }`. What was answered may be sent back. */
export const namedEnumeration = (
  of: readonly string[],
  shown: Shown<{ id: number; name?: string }> = {},
): Field<{ id: number; name?: string }> => ({
  kind: 'enumeration',
  boxed: true,
  answersName: true,
  of,
  ...shown,
});

const ungrouped: ReadonlySet<FieldKind> = new Set(['secret', 'reference', 'order']);

/**
 * Fields that belong together: `input: group({ name: text(), type: enumeration(['string', 'number']) })`. An optional one,
 * and one that exists only `when` another field has a value, may be `null`.
 *
 * @throws on fields that only a noun can have
 */
export function group<V extends object>(
  fields: FieldsOf<V>,
  shown: Omit<Conditional, 'since'> &
    Pick<Field<NoInfer<V> | null>, 'since' | 'example'> &
    ({ optional: true } | { when: When }),
): Field<V | null>;
export function group<V extends object>(
  fields: FieldsOf<V>,
  shown?: Shown & Pick<Field<NoInfer<V>>, 'omitted'>,
): Field<V>;
export function group<V extends object>(
  fields: FieldsOf<V>,
  shown: Omit<Conditional, 'since'> & Pick<Field<V | null>, 'since' | 'example'> = {},
): Field<V | null> {
  const lost = Object.entries<Field<unknown>>(fields).find(
    ([, { kind, since }]) => ungrouped.has(kind) || since,
  );
  if (lost) throw new Error(`${lost[0]}: a group has no secret, reference, order or later field`);
  return { kind: 'group', fields, ...shown };
}

const JSON_BYTES = 64 * 1024;

/**
 * A value with a structure of its own, such as a graph. An optional one may be `null`.
 *
 * @param schema a JSON Schema, which also describes the calls; `{}` accepts any JSON
 */
export function json<V>(
  schema: JsonSchema,
  shown: Shown<V | null> & { max?: number; optional: true },
): Field<V | null>;
export function json<V>(schema: JsonSchema, shown?: Shown<V> & { max?: number; initial?: V }): Field<V>;
export function json<V>(schema: JsonSchema, shown: Shown<V> & { max?: number } = {}): Field<V> {
  return { kind: 'json', schema, max: JSON_BYTES, ...shown };
}

const MAX_SEVERAL = 100;

/** Several options, or the ids of several records of other nouns. A record that was removed stays in the list. */
export const several = (
  from: { of: readonly string[] } | { to: string },
  shown: Shown<readonly string[]> & { when?: When; optional?: true } = {},
): Field<readonly string[]> => ({
  ...json<readonly string[]>({
    type: 'array',
    maxItems: MAX_SEVERAL,
    items: 'of' in from ? { type: 'string', enum: [...from.of] } : { type: 'string', format: 'uuid' },
    examples: [[]],
  }),
  omitted: [],
  ...from,
  ...shown,
});

/** Points to a record of another noun (in the same parent, if it has one), or `null`. Views include its name. */
export const reference = (
  to: string,
  shown: Omit<Conditional, 'since'> &
    Pick<Field<{ id: string } | null>, 'since' | 'keyed' | 'loose' | 'thing'> = {},
): Field<{ id: string } | null> => ({
  kind: 'reference',
  to,
  ...shown,
});
/** Ids of child records in the order chosen by operators. Newer records follow at the end. */
export const order = (label: string): Field<readonly string[]> => ({ kind: 'order', label, optional: true });
export function secret(
  max: number,
  shown: SecretShown & ({ when: When } | { optional: true }),
): Field<Secret | null>;
export function secret(max: number, shown?: SecretShown): Field<Secret>;
export function secret(max: number, shown: SecretShown = {}): Field<Secret | null> {
  return { kind: 'secret', max, ...shown };
}
type SecretShown = Conditional & Pick<Field<unknown>, 'sealed'>;
/** A secret of several lines, such as a key, or `null`. It is sent as text; an empty text removes it. */
export const secretLines = (max: number, shown: Shown<Secret | null> = {}): Field<Secret | null> => ({
  kind: 'secret',
  lines: true,
  optional: true,
  max,
  ...shown,
});

export const capital = (words: string): string => words.charAt(0).toUpperCase() + words.slice(1);

/** `optionSet` as `option set`, `apiInstance` as `API instance`, and `oauthParam` as pages call it. */
export const inWords = (key: string): string =>
  key
    .replaceAll(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`)
    .replace(/^api /, 'API ')
    .replace(/^oauth param/, 'sign-in service');

/** The number of an enumeration that is sent as `{ id }`; other values as they are. */
export const idOrValue = (value: unknown): unknown =>
  typeof value === 'object' && value !== null && 'id' in value ? value.id : value;

/** Whether the field exists in a record with these values. */
export const isWanted = (
  { when }: Pick<Field<unknown>, 'when'>,
  values: Readonly<Record<string, unknown>>,
): boolean => {
  if (!when) return true;
  const [other, ...wanted] = when;
  return wanted.some((value) => value === idOrValue(values[other]));
};

export const fieldsOfKind = (fields: Readonly<Record<string, Field<unknown>>>, kind: FieldKind) =>
  Object.entries(fields).filter(([, field]) => field.kind === kind);

export const labelOf = (fields: Readonly<Record<string, Field<unknown>>>, key: string): string =>
  fields[key]?.label ?? capital(inWords(key));
