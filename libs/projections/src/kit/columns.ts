/** Columns for searching, filtering and sorting the list of a plain noun. Pure. */
import { shownOf, type PlainNoun } from '@quarterdeck/events';
import type { FilterKind, ListColumn } from '../listing';
import type { PlainRecord } from './fold';

type View = PlainRecord & Readonly<Record<string, unknown>>;

/** The fields that pages show. Orders are omitted, because only the list of the child noun needs them. */
export const shownKeys = (noun: PlainNoun, view?: View): readonly string[] =>
  Object.entries(shownOf(noun))
    .filter(([, { kind, when }]) => kind !== 'order' && (!view || !when || view[when[0]] === when[1]))
    .map(([key]) => key);

/** The value in words; `undefined` if the field is empty. */
export const shownValue = (noun: PlainNoun, key: string, view: View): string | undefined => {
  const { kind, of = [] } = shownOf(noun)[key] ?? { kind: 'text' };
  const value = view[key];
  switch (kind) {
    case 'flag':
      return value ? 'yes' : 'no';
    case 'enumeration':
      return of[((value as { id?: number }).id ?? (value as number)) - 1];
    case 'reference':
      return value ? ((value as { name?: string }).name ?? 'deleted') : undefined;
    case 'secret':
      return '*******';
    default:
      return value === '' ? undefined : String(value as string | number);
  }
};

const filters: Readonly<Partial<Record<string, FilterKind>>> = {
  integer: 'number',
  choice: 'category',
  flag: 'category',
  enumeration: 'category',
};

/** One column for each field, the name first, and the time of the last change. */
export const plainColumns = (noun: PlainNoun): readonly ListColumn<View>[] => [
  ...shownKeys(noun)
    .filter((key) => shownOf(noun)[key]?.kind !== 'secret')
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
