/**
 * Findings for a way over several versions. Each step is checked separately, because data lost at one version does not
 * come back at the next. Rows are counted under the names that they have before the first step.
 */
import { countOf, type Counter } from './counts';
import { lint, type Finding } from './lint';
import type { Column, Structure, Table } from './structure';
import type { Way } from './versions';

export function lintWay({ from, between, to }: Pick<Way, 'from' | 'between' | 'to'>): Finding[] {
  if (between.length === 0) return lint(from, to);
  const found: Finding[] = [];
  let [before, origins] = [from, originsOf(from)];
  for (const after of [...between, to]) {
    found.push(...lint(before, after, countIn(origins)).filter((one) => isOfRows(one) && one.count));
    [before, origins] = [after, lasting(origins, after)];
  }
  // Programs see only the first and the last version.
  return [...found, ...lint(from, to).filter((one) => !isOfRows(one))];
}

const isOfRows = ({ severity }: Finding): boolean => severity === 'destructive' || severity === 'refusable';

/** Tables before the first step by id, each with its columns by id. */
type Origins = ReadonlyMap<string, { table: Table; columns: ReadonlyMap<string, Column> }>;

const originsOf = ({ tables }: Structure): Origins =>
  new Map(
    tables.map((table) => [
      table.id,
      { table, columns: new Map(table.columns.map((column) => [column.id, column])) },
    ]),
  );

/** Drops the origins of removed parts. A part that is added again with the same id is empty. */
const lasting = (origins: Origins, { tables }: Structure): Origins =>
  new Map(
    tables.flatMap(({ id, columns }) => {
      const origin = origins.get(id);
      if (!origin) return [];
      const still = new Set(columns.map((column) => column.id));
      const kept = [...origin.columns].filter(([column]) => still.has(column));
      return [[id, { table: origin.table, columns: new Map(kept) }] as const];
    }),
  );

const countIn = (origins: Origins): Counter => ({
  rows: (table, column, condition) => {
    const origin = origins.get(table.id);
    if (!origin) return undefined;
    if (!column) return countOf(origin.table);
    const was = origin.columns.get(column.id);
    if (was) return countOf(origin.table, was, condition);
    return condition === 'is null' ? countOf(origin.table) : undefined;
  },
  place: (table, columns) => {
    const origin = origins.get(table.id);
    // The key of a table that was not imported is not among its columns.
    const isKey = (column: Column): boolean => !table.columns.some(({ id }) => id === column.id);
    const were = columns.flatMap((one) => (isKey(one) ? one : (origin?.columns.get(one.id) ?? [])));
    return origin && were.length === columns.length ? { table: origin.table, columns: were } : undefined;
  },
});
