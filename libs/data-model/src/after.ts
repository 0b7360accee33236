/** What a structure is after some of its steps. It shows how far a run came that lost its connection or was stopped. */
import { driftOf, hindering } from './drift';
import type { JournalRow } from './journal';
import type { ColumnShape, Step } from './plan';
import { withIds, type Column, type Named, type Structure, type Table } from './structure';
import type { Way } from './versions';

/** As far as names go. Tables and columns keep their ids. New ones have their name for an id, or one that is free. */
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
 * What a database is after the first steps of a way. The ids say what each part is at the end of the way: its name
 * does not, since a later step may give that to another part.
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
 * What a run has made of a database before it stopped; `undefined` if nothing.
 *
 * @param last what the journal has last of the run
 */
export function stoppedAfter(
  way: Way,
  { sequence, state }: Pick<JournalRow, 'sequence' | 'state'>,
  actual: Structure,
): Structure | undefined {
  const hindrances = (one: Structure): number => hindering(driftOf(one, actual)).length;
  const [without, within] = [reachedBy(way, sequence - 1), reachedBy(way, sequence)];
  // The outcome of the last statement may not have been seen. The structure shows it.
  const isDone = state === 'done' || hindrances(within) < hindrances(without);
  if (isDone) return within;
  return sequence > 1 ? without : undefined;
}

/** Of one that has its id of the way: by the name that it has at the end. */
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
