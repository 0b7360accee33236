/** What a structure is after one step, as far as names go: whoever lost a connection finds out where they are. */
import type { ColumnShape, Step } from './plan';
import type { Column, Structure, Table } from './structure';

export function structureAfter(structure: Structure, step: Step): Structure {
  const { tables } = structure;
  const others = tables.filter(({ name }) => !('table' in step) || name !== step.table);
  const own = tables.find(({ name }) => name === step.table);
  switch (step.kind) {
    case 'createTable':
      return {
        tables: [
          ...tables,
          {
            ...{ id: step.table, name: step.table, key: step.key, extras: [] },
            columns: step.columns.map(columnFrom),
          },
        ],
      };
    case 'dropTable':
      return { tables: others };
    case 'renameTable':
      return { tables: tables.map((table) => renamed(table, step.table, step.to)) };
    default:
      return own ? { tables: [...others, { ...own, columns: columnsAfter(own, step) }] } : structure;
  }
}

const columnFrom = ({ name, type, required }: ColumnShape): Column => ({ id: name, name, type, required });

/** References go along. */
function renamed(table: Table, from: string, to: string): Table {
  const columns = table.columns.map((column): Column =>
    column.reference?.table === from ? { ...column, reference: { ...column.reference, table: to } } : column,
  );
  return table.name === from ? { ...table, id: to, name: to, columns } : { ...table, columns };
}

type ColumnStep = Exclude<Step, { kind: 'createTable' | 'dropTable' | 'renameTable' }>;

function columnsAfter({ columns }: Table, step: ColumnStep): readonly Column[] {
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
      return changed(step.column, (column) => ({ ...column, id: step.to, name: step.to }));
    case 'addColumn':
      return [...columns, columnFrom(step.column)];
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
        reference: { name: step.name, table: step.target },
      }));
  }
}
