/** Columns for searching, filtering and sorting the list of a plain noun. Pure. */
import { idOrValue, isWanted, shownOf, type Field, type PlainNoun } from '@quarterdeck/events';
import type { FilterKind, ListColumn } from '../listing';
import type { PlainRecord } from './fold';

type View = PlainRecord & Readonly<Record<string, unknown>>;

/** The fields that pages show. Orders are omitted, because only the list of the child noun needs them. */
export const shownKeys = (noun: PlainNoun, view?: View): readonly string[] =>
  Object.entries(shownOf(noun))
    .filter(([, field]) => field.kind !== 'order' && (!view || isWanted(field, view)))
    .map(([key]) => key);

const MAX_JSON_CHARACTERS = 1_000;

const wordOf = ({ of = [], words }: Field<unknown>, value: unknown): string | undefined =>
  words ? words[String(value)] : of[Number(idOrValue(value)) - 1];

const shorten = (text: string): string =>
  text.length > MAX_JSON_CHARACTERS ? `${text.slice(0, MAX_JSON_CHARACTERS)}…` : text;

/** A value of a field in words; `undefined` if it is empty. */
const fieldInWords = (field: Field<unknown>, value: unknown): string | undefined => {
  switch (field.kind) {
    case 'flag':
      return value ? 'yes' : 'no';
    case 'enumeration':
      return wordOf(field, value);
    case 'reference':
      return value ? ((value as { name?: string }).name ?? 'deleted') : undefined;
    case 'secret':
      return value ? '*******' : undefined;
    case 'group': {
      const parts = Object.entries(field.fields ?? {}).map(([key, part]) =>
        fieldInWords(part, (value as Record<string, unknown> | null)?.[key]),
      );
      return value ? parts.filter((part) => part !== undefined).join(', ') : undefined;
    }
    case 'json':
      if (field.of && Array.isArray(value)) return value.length === 0 ? undefined : value.join(', ');
      if (field.to && Array.isArray(value)) return value.length === 0 ? undefined : `${value.length} chosen`;
      return value === null || value === undefined ? undefined : shorten(JSON.stringify(value));
    default:
      return value === '' ? undefined : (field.words?.[String(value)] ?? String(value as string | number));
  }
};

/** The value in words; `undefined` if the field is empty. */
export const shownValue = (noun: PlainNoun, key: string, view: View): string | undefined =>
  fieldInWords(shownOf(noun)[key] ?? { kind: 'text' }, view[key]);

type Values = Readonly<Record<string, unknown>>;
type Fields = PlainNoun['fields'];

const eachOption = (
  fields: Fields,
  values: Values,
  make: (field: Field<unknown>, value: unknown) => unknown,
): Values =>
  Object.fromEntries(
    Object.entries(values).map(([key, value]) => {
      const field = fields[key];
      if (field?.kind === 'enumeration' || field?.words) return [key, make(field, value)];
      return field?.fields && value ? [key, eachOption(field.fields, value as Values, make)] : [key, value];
    }),
  );

/** The values, or the data of an event, with the words of options instead of what is recorded for them. */
export const worded = (noun: Pick<PlainNoun, 'fields' | 'state' | 'commands'>, values: object): object => {
  const taken = Object.values(noun.commands).map(({ takes }) => takes);
  const fields = Object.assign({}, ...taken, shownOf(noun)) as Fields;
  return eachOption(fields, values as Values, (field, value) => wordOf(field, value) ?? value);
};

const answersNames = (fields: Fields): boolean =>
  Object.values(fields).some(
    ({ answersName, fields: inside }) => answersName ?? (inside && answersNames(inside)),
  );

/** Adds the names to the enumerations that are answered with them. */
export const withOptionNames = (
  noun: Pick<PlainNoun, 'fields' | 'state'>,
): (<V extends object>(view: V) => V) => {
  const fields = shownOf(noun);
  if (!answersNames(fields)) return (view) => view;
  return <V extends object>(view: V) =>
    eachOption(fields, view as Values, (field, value) =>
      field.answersName && value ? { ...(value as object), name: wordOf(field, value) } : value,
    ) as V;
};

const filters: Readonly<Partial<Record<string, FilterKind>>> = {
  integer: 'number',
  choice: 'category',
  flag: 'category',
  enumeration: 'category',
};

/** Too long for a cell, or not to be seen. */
const unlisted: ReadonlySet<string> = new Set(['secret', 'json']);

/** One column for each field, the name first, and the time of the last change. */
export const plainColumns = (noun: PlainNoun): readonly ListColumn<View>[] => [
  ...shownKeys(noun)
    .filter((key) => !unlisted.has(shownOf(noun)[key]?.kind ?? 'text'))
    .toSorted((a, b) => Number(b === noun.named) - Number(a === noun.named))
    .map((key): ListColumn<View> => {
      const kind = shownOf(noun)[key]?.kind ?? 'text';
      return {
        id: key,
        value: (view) => (kind === 'integer' ? (view[key] as number) : shownValue(noun, key, view)),
        filter: filters[kind] ?? 'text',
      };
    }),
  { id: 'changed', value: ({ changedAt }) => changedAt },
];
