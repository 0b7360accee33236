/** The structure after some of the steps. Shows how far a run got before it lost its connection or was stopped. */
import { driftOf, hindering } from './drift';
import type { JournalRow } from './journal';
import type { ColumnShape, Step } from './plan';
import { withIds, type Column, type Named, type Structure, type Table } from './structure';
import type { Way } from './versions';

/** Applies the names only. Tables and columns keep their ids. New ones get their name as id, or another free id. */
export function structureAfter(structure: Structure, step: Step): Structure {
  const { tables } = structure;
  const own = tables.find(({ name }) => name === step.table);
  const changed = (change: (table: Table) => Table): readonly Table[] =>
    tables.map((table) => (table === own ? change(table) : table));
  const after = (): readonly Table[] => {
    switch (step.kind) {
      case 'createTable':
        return [
          ...tables,
          {
            ...{ id: freeId(step.table, tables), name: step.table, key: step.key, extras: [] },
            columns: step.columns.map((shape) => columnFrom(shape, shape.name)),
          },
        ];
      case 'dropTable':
        return tables.filter((table) => table !== own);
      case 'renameTable':
        return changed((table) => ({ ...table, name: step.to }));
      default:
        return changed((table) => ({ ...table, columns: columnsAfter(table, step, tables) }));
    }
  };
  return { ...structure, tables: after() };
}

/**
 * The structure of a database after the first `done` steps of a way. The ids are those at the end of the way, because
 * names are ambiguous: a later step may give a name to another part.
 */
export function reachedBy({ migrations, from, to }: Way, done: number): Structure {
  const steps = migrations.map(({ step }) => step);
  const reached = steps.slice(0, done).reduce(structureAfter, from);
  const end = steps.slice(done).reduce(structureAfter, reached);
  const tableId = lastId(end.tables, to.tables);
  const columnsOf = ({ tables }: Structure, id: string) => tables.find((one) => one.id === id)?.columns ?? [];
  return withIds({ tables: reached.tables }, tableId, (column, table) =>
    lastId(columnsOf(end, table.id), columnsOf(to, tableId(table)))(column),
  );
}

/**
 * The structure in which a stopped run left the database; `undefined` if it changed nothing.
 *
 * @param last the run's last row in the journal
 */
export function stoppedAfter(
  way: Way,
  { sequence, state }: Pick<JournalRow, 'sequence' | 'state'>,
  actual: Structure,
): Structure | undefined {
  const hindrances = (one: Structure): number => hindering(driftOf(one, actual)).length;
  const [without, within] = [reachedBy(way, sequence - 1), reachedBy(way, sequence)];
  // The journal may lack the outcome of the last statement. The structure shows whether it was executed.
  const isDone = state === 'done' || hindrances(within) < hindrances(without);
  if (isDone) return within;
  return sequence > 1 ? without : undefined;
}

/** Maps an id within the way to the id at its end, by the part's final name. */
const lastId =
  (end: readonly Named[], to: readonly Named[]) =>
  ({ id }: Named): string => {
    const last = end.find((one) => one.id === id);
    return to.find(({ name }) => name === last?.name)?.id ?? id;
  };

const freeId = (name: string, taken: readonly Named[]): string =>
  taken.some(({ id }) => id === name) ? freeId(`${name}+`, taken) : name;

const columnFrom = ({ name, type, required }: ColumnShape, id: string): Column => ({
  ...{ id, name, type, required },
});

type ColumnStep = Exclude<Step, { kind: 'createTable' | 'dropTable' | 'renameTable' }>;

function columnsAfter({ columns }: Table, step: ColumnStep, tables: readonly Table[]): readonly Column[] {
  const changed = (name: string, change: (column: Column) => Column) =>
    columns.map((column) => (column.name === name ? change(column) : column));
  switch (step.kind) {
    case 'dropForeignKey':
      return columns.map(({ reference, ...column }) =>
        reference && reference.name !== step.name ? { ...column, reference } : column,
      );
    case 'dropIndex':
      return columns.map(({ index, ...column }) =>
        index !== undefined && index !== step.name ? { ...column, index } : column,
      );
    case 'dropColumn':
      return columns.filter(({ name }) => name !== step.column);
    case 'renameColumn':
      return changed(step.column, (column) => ({ ...column, name: step.to }));
    case 'addColumn':
      return [...columns, columnFrom(step.column, freeId(step.column.name, columns))];
    case 'changeColumn':
      return changed(step.to.name, (column) => ({
        ...column,
        type: step.to.type,
        required: step.to.required,
      }));
    case 'addIndex':
      return changed(step.column, (column) => ({ ...column, index: step.name }));
    case 'addForeignKey':
      return changed(step.column, (column) => ({
        ...column,
        reference: {
          name: step.name,
          table: tables.find(({ name }) => name === step.target)?.id ?? step.target,
        },
      }));
  }
}
