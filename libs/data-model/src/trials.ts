/** Which values a way converts, and how. Pure. */
import { countWithoutKey } from './counts';
import { definedType, isGenerated, sqlOf } from './sql';
import type { ColumnShape, Step } from './steps';

/** A column, under the names that it has before the first step, and the types that it gets one after the other. */
export interface Trial {
  readonly table: string;
  readonly column: string;
  /** Statements of MySQL that convert a column of that name in another table. */
  readonly conversions: readonly string[];
  /** Counts the converted values that are no key of the table that they point to afterwards. */
  readonly withoutKey?: string;
}

interface OpenTrial extends Trial {
  conversions: string[];
  withoutKey?: string;
}

/** By the names at the time of a step. `undefined`: made on the way, so that it has no values. */
type Origins<T> = Map<string, T | undefined>;
interface OriginTable {
  readonly name: string;
  readonly columns: Origins<OpenTrial>;
}

/** @param inTable the table whose column is converted instead */
export function trialsOf(steps: readonly Step[], inTable: string): Trial[] {
  const tables: Origins<OriginTable> = new Map();
  const trials: OpenTrial[] = [];
  const tableOf = (name: string): OriginTable | undefined => {
    if (!tables.has(name)) tables.set(name, { name, columns: new Map() });
    return tables.get(name);
  };
  const columnOf = (table: OriginTable, name: string): OpenTrial | undefined => {
    if (!table.columns.has(name)) {
      const trial: OpenTrial = { table: table.name, column: name, conversions: [] };
      trials.push(trial);
      table.columns.set(name, trial);
    }
    return table.columns.get(name);
  };
  for (const step of steps) {
    if (step.kind === 'createTable' || step.kind === 'dropTable') tables.set(step.table, undefined);
    const table = tableOf(step.table);
    if (!table) continue;
    if (step.kind === 'renameTable') {
      tables.set(step.to, table);
      tables.set(step.table, undefined);
    } else if (step.kind === 'addColumn') table.columns.set(step.column.name, undefined);
    else if (step.kind === 'dropColumn') table.columns.set(step.column, undefined);
    else if (step.kind === 'renameColumn') {
      table.columns.set(step.to, columnOf(table, step.column));
      table.columns.set(step.column, undefined);
    } else if (step.kind === 'changeColumn' && converts(step.from, step.to)) {
      const trial = columnOf(table, step.from.name);
      const as = (shape: ColumnShape) => bare(shape, trial?.column ?? '');
      trial?.conversions.push(
        sqlOf({ ...step, table: inTable, from: as(step.from), to: as(step.to) }, 'mysql'),
      );
    } else if (step.kind === 'addForeignKey') {
      const trial = columnOf(table, step.column);
      const target = tableOf(step.target)?.name;
      if (trial) trial.withoutKey = withoutKey(inTable, trial.column, target, step.targetColumn ?? 'id');
    }
  }
  return trials.filter(({ conversions }) => conversions.length > 0);
}

/** Without a target, the table is new and has no keys. */
const withoutKey = (inTable: string, column: string, target: string | undefined, key: string): string => {
  const place = (name: string) => ({
    table: { id: name, name },
    columns: [{ id: '', name: name === inTable ? column : key, type: '' }],
  });
  return countWithoutKey(place(inTable), target === undefined ? undefined : place(target)).mysql;
};

const converts = (from: ColumnShape, to: ColumnShape): boolean =>
  definedType(from, 'mysql') !== definedType(to, 'mysql') && !isGenerated(to);

/** Only the type: a key, a comment or a check of the column has nothing to do with its values. */
const bare = ({ type, native }: ColumnShape, name: string): ColumnShape => ({
  name,
  type,
  required: false,
  ...(native && { native: { dialect: native.dialect, type: native.type } }),
});
