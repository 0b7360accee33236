/**
 * Findings for a way over several versions. Data lost at one of them does not come back at the next, so each step is
 * judged for itself. Its rows are counted where they are before the first step.
 */
import { countOf, lint, type Counter, type Finding } from './lint';
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
  // Programs meet both ends only.
  return [...found, ...lint(from, to).filter((one) => !isOfRows(one))];
}

const isOfRows = ({ severity }: Finding): boolean => severity === 'destructive' || severity === 'refusable';

/** By the ids of tables: what each is before the first step, with the columns by their ids. */
type Origins = ReadonlyMap<string, { table: Table; columns: ReadonlyMap<string, Column> }>;

const originsOf = ({ tables }: Structure): Origins =>
  new Map(
    tables.map((table) => [
      table.id,
      { table, columns: new Map(table.columns.map((column) => [column.id, column])) },
    ]),
  );

/** Those that are still there. A part that comes again with the same id is empty. */
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

const countIn =
  (origins: Origins): Counter =>
  (table, column, condition) => {
    const origin = origins.get(table.id);
    if (!origin) return undefined;
    if (!column) return countOf(origin.table);
    const was = origin.columns.get(column.id);
    if (was) return countOf(origin.table, was, condition);
    return condition === 'is null' ? countOf(origin.table) : undefined;
  };
