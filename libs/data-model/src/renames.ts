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
  let gone = should.columns.filter(({ name }) => !after?.has(name));
  let added = is.columns.filter(({ name }) => !before?.has(name));
  const renames: Rename[] = [];
  // Somebody may have changed the default at the same time.
  for (const kindOf of [wholly, withoutRest]) {
    const others = grouped(added, kindOf);
    const found = [...grouped(gone, kindOf)].flatMap(([kind, columns]) => {
      const its = others.get(kind) ?? [];
      return its.length === columns.length
        ? columns.map((from, at) => [from, its[at] as Column] as const)
        : [];
    });
    const known = new Set(found.flat());
    gone = gone.filter((one) => !known.has(one));
    added = added.filter((one) => !known.has(one));
    renames.push(...found.map(([from, to]) => ({ table: should.name, from: from.name, to: to.name })));
  }
  return renames;
}

const pointer = ({ reference }: Column): string => (reference ? ' pointer' : '');
const wholly = (column: Column): string => `${column.type}${pointer(column)}`;
const withoutRest = (column: Column): string => `${column.native?.type ?? column.type}${pointer(column)}`;
