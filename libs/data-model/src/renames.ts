/** Columns that somebody may have renamed by hand. Pure. */
import { grouped } from './grouped';
import { comparable } from './drift';
import type { Column, Structure, Table } from './structure';

export interface Rename {
  readonly table: string;
  readonly from: string;
  readonly to: string;
}

/**
 * Columns that are missing, each with a new one of the same kind in its place. If there are more of one than of the
 * other, nothing tells which is which.
 */
export function renamesBetween(expected: Structure, actual: Structure): Rename[] {
  const [model, found] = comparable(expected, actual);
  const real = new Map(found.tables.map((table) => [table.name, table]));
  return model.tables.flatMap((should) => {
    const is = real.get(should.name);
    return is ? renamesIn(should, is) : [];
  });
}

function renamesIn(should: Table, is: Table): Rename[] {
  const [before, after] = [should, is].map(({ columns }) => new Set(columns.map(({ name }) => name)));
  const gone = grouped(
    should.columns.filter(({ name }) => !after?.has(name)),
    kindOf,
  );
  const added = grouped(
    is.columns.filter(({ name }) => !before?.has(name)),
    kindOf,
  );
  return [...gone].flatMap(([kind, columns]) => {
    const others = added.get(kind) ?? [];
    if (others.length !== columns.length) return [];
    return columns.map(({ name: from }, at) => ({ table: should.name, from, to: others[at]?.name ?? '' }));
  });
}

const kindOf = ({ type, reference }: Column): string => `${type}${reference ? ' pointer' : ''}`;
