/** Parts of imported tables in words. */
import type { NativePart } from './model';
import { withPlaces } from './native';
import { textOf, type Column, type NativeStructure } from './structure';

const WORDS: Partial<Record<NativePart['kind'], string>> = {
  foreignKey: 'foreign key',
  uniqueIndex: 'unique index',
  unique: 'unique key',
  fulltext: 'full text index',
  spatial: 'spatial index',
  inherits: 'parent table',
};

export const nameOfPart = ({ kind, name }: NativePart): string =>
  `${WORDS[kind] ?? kind} ${kind === 'comment' ? withPlaces(name, (id) => id) : name}`.trimEnd();

/** What a part is, without its name. */
export const bodyOf = ({ text, columns = [], target, targetColumns = [] }: NativePart): string =>
  [
    ...(target === undefined ? [] : [`(${columns.join(', ')}) to ${target} (${targetColumns.join(', ')})`]),
    withPlaces(text, (id) => id),
  ]
    .join(' ')
    .trimEnd();

/** `index by_name (name)` */
export const partWords = (part: NativePart): string => `${nameOfPart(part)} ${bodyOf(part)}`.trimEnd();

/** What follows the columns of a table: its engine, its partitions. */
export const optionsOf = ({ options = '' }: NativeStructure): string => withPlaces(options, (id) => id);

/** With the names of the columns that a generated column or a check is made from. */
export const typeOfColumn = ({ type, native }: Pick<Column, 'type' | 'native'>): string =>
  native && type === textOf(native)
    ? textOf({ ...native, rest: withPlaces(native.rest ?? '', (id) => id) })
    : type;
