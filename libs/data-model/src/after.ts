/** The structure after some of the steps. Shows how far a run got before it lost its connection or was stopped. */
import { charsetOf, withCharset } from './charsets';
import { driftOf, hindering } from './drift';
import { firsts } from './grouped';
import type { JournalRow } from './journal';
import { keptColumn } from './kept-columns';
import { KEY_COLUMN, type NativePart } from './model';
import { withOtherPlaces } from './native';
import type { ColumnShape, Step } from './steps';
import { definedType, sqlOf, type Migration } from './sql';
import { foldOf, withIds, type Column, type Named, type Structure, type Table } from './structure';
import type { Way } from './versions';

/**
 * Applies the names only. Tables and columns keep their ids. New ones get their name as id, or another free id.
 *
 * The cost grows with the size of the structure plus the number of steps, not with their product.
 */
export function structureAfter(structure: Structure, steps: readonly Step[]): Structure {
  const tables = new Parts(structure.tables.map(openTable), foldOf(structure));
  for (const step of steps) carryOut(step, tables);
  return { ...structure, tables: tables.all().map(closedTable) };
}

/**
 * Completes statements for MySQL: one that changes a column would drop what it does not repeat, and a foreign key to a
 * text needs a column of the same character set. The steps stay: they say what the version wants.
 */
export function keeping<T extends Migration>(migrations: readonly T[], actual: Structure): T[] {
  if (actual.dialect !== 'mysql') return [...migrations];
  const opened = () => new Parts(actual.tables.map(exactly).map(openTable), foldOf(actual));
  const charsets = keyCharsets(
    migrations.map(({ step }) => step),
    opened(),
    actual,
  );
  const tables = opened();
  return migrations.map((migration) => {
    const step = pointing(completed(migration.step, tables), tables, charsets);
    carryOut(step, tables);
    return step === migration.step
      ? migration
      : { ...migration, sql: { ...migration.sql, mysql: sqlOf(step, 'mysql') } };
  });
}

const exactly = ({ exact, ...table }: Table): Table => {
  const exactOf = new Map(exact?.columns.map(({ name, native }) => [name, native]));
  const columns = table.columns.map((column) => ({ ...column, native: exactOf.get(column.name) }));
  return { ...table, columns };
};

const placeOfColumn = (table: string, column: string): string => `${table} ${column}`;

/** The character sets of texts that columns will point to, by the ids of the pointing tables and columns. */
function keyCharsets(
  steps: readonly Step[],
  tables: Parts<OpenTable>,
  actual: Structure,
): ReadonlyMap<string, string> {
  const found = new Map<string, string>();
  const realOf = new Map(actual.tables.map(({ id, exact }) => [id, exact]));
  for (const step of steps) {
    if (step.kind === 'addForeignKey') {
      const [from, to] = [tables.get(step.table), tables.get(step.target)];
      const column = from?.columns.get(step.column);
      const { columns, native } = realOf.get(to?.id ?? '') ?? {};
      // The key of a table that was not imported is not among its columns, and keeps its name.
      const name = to?.columns.get(step.targetColumn ?? KEY_COLUMN)?.id ?? step.targetColumn ?? KEY_COLUMN;
      const key = columns?.find((one) => one.id === name)?.native;
      const charset = key ? charsetOf(withCharset(key.type, native?.options)) : '';
      if (from && column && charset !== '') found.set(placeOfColumn(from.id, column.id), charset);
    }
    carryOut(step, tables);
  }
  return found;
}

/** Of a column that points to a key of ours. */
const OURS = ' character set ascii';

/** Gives new columns the character set of the keys that they will point to. */
function pointing(step: Step, tables: Parts<OpenTable>, charsets: ReadonlyMap<string, string>): Step {
  const shaped = (shape: ColumnShape, charset: string | undefined): ColumnShape => {
    if (charset === undefined) return shape;
    const type = definedType(shape, 'mysql');
    const own = charsetOf(type);
    if (own === charset || (own === OURS && / ascii(?:_general_ci)?$/.test(charset))) return shape;
    const base = type.slice(0, type.length - own.length);
    return { ...shape, native: { dialect: 'mysql', ...shape.native, type: `${base}${charset}` } };
  };
  if (step.kind === 'createTable') {
    const id = tables.freeId(step.table);
    const columns = step.columns.map((one) => shaped(one, charsets.get(placeOfColumn(id, one.name))));
    return columns.every((one, at) => one === step.columns[at]) ? step : { ...step, columns };
  }
  if (step.kind !== 'addColumn') return step;
  const table = tables.get(step.table);
  const id = table?.columns.freeId(step.column.name) ?? '';
  const column = shaped(step.column, charsets.get(placeOfColumn(table?.id ?? '', id)));
  return column === step.column ? step : { ...step, column };
}

function completed(step: Step, tables: Parts<OpenTable>): Step {
  // An imported column comes with its whole definition.
  if (step.kind !== 'changeColumn' || step.to.native?.dialect === 'mysql') return step;
  const { columns } = tables.get(step.table) ?? {};
  const native = columns?.get(step.to.name)?.native;
  if (!columns || !native) return step;
  const rest = withOtherPlaces(native.rest ?? '', (id) => columns.withId(id)?.name ?? id);
  const to = keptColumn({ ...native, rest }, step.from.type, step.to);
  return to ? { ...step, to } : step;
}

/**
 * The structure of a database after the first `done` steps of a way. The ids are those at the end of the way, because
 * names are ambiguous: a later step may give a name to another part.
 */
export function reachedBy({ migrations, from, to }: Way, done: number): Structure {
  const steps = migrations.map(({ step }) => step);
  const reached = structureAfter(from, steps.slice(0, done));
  const end = structureAfter(reached, steps.slice(done));
  const tableId = lastId(end.tables, to.tables);
  const [atEnd, inTo] = [end, to].map(({ tables }) => firsts(tables, ({ id }) => id));
  const columnIds = new Map(
    reached.tables.map((table) => [
      table,
      lastId(atEnd?.get(table.id)?.columns ?? [], inTo?.get(tableId(table))?.columns ?? []),
    ]),
  );
  return withIds(
    { tables: reached.tables },
    tableId,
    (column, table) => columnIds.get(table)?.(column) ?? column.id,
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
const lastId = (end: readonly Named[], to: readonly Named[]): ((one: Named) => string) => {
  const [byId, byName] = [firsts(end, ({ id }) => id), firsts(to, ({ name }) => name)];
  return ({ id }) => byName.get(byId.get(id)?.name ?? '')?.id ?? id;
};

/** Parts in their order, found by name. */
class Parts<T extends Named> {
  private readonly byId: Map<string, T>;
  private readonly idOf: Map<string, string>;

  constructor(
    parts: readonly T[],
    private readonly fold = (name: string): string => name,
  ) {
    this.byId = new Map(parts.map((one) => [one.id, one]));
    this.idOf = new Map(parts.map(({ id, name }) => [fold(name), id]));
  }

  all(): T[] {
    return [...this.byId.values()];
  }

  withId(id: string): T | undefined {
    return this.byId.get(id);
  }

  get(name: string): T | undefined {
    return this.byId.get(this.idOf.get(this.fold(name)) ?? '');
  }

  freeId(name: string): string {
    let id = name;
    while (this.byId.has(id)) id += '+';
    return id;
  }

  add(part: T): void {
    this.byId.set(part.id, part);
    this.idOf.set(this.fold(part.name), part.id);
  }

  remove({ id, name }: T): void {
    this.byId.delete(id);
    this.idOf.delete(this.fold(name));
  }

  /** Keeps the place of the part. */
  replace(part: T, changed: Omit<T, 'id'>): void {
    if (changed.name !== part.name) this.idOf.delete(this.fold(part.name));
    this.add({ ...changed, id: part.id } as T);
  }
}

interface OpenTable extends Omit<Table, 'columns'> {
  readonly columns: Parts<Column>;
}

const openTable = (table: Table): OpenTable => ({ ...table, columns: new Parts(table.columns) });
const closedTable = (table: OpenTable): Table => ({ ...table, columns: table.columns.all() });

const columnFrom = (
  { name, type, required, native }: ColumnShape,
  id: string,
  placed: (text: string) => string = (text) => text,
): Column => ({
  id,
  name,
  type,
  required,
  ...(native && { native: { ...native, ...(native.rest !== undefined && { rest: placed(native.rest) }) } }),
});

/** The ids of columns in a text of a step, which has their names. */
const placedIn =
  (columns: Parts<Column>) =>
  (text: string): string =>
    withOtherPlaces(text, (name) => columns.get(name)?.id ?? name);

function carryOut(step: Step, tables: Parts<OpenTable>): void {
  if (step.kind === 'createTable') {
    const columns = step.columns.map((shape) => columnFrom(shape, shape.name));
    const { table: name, key } = step;
    const native = step.native && { ...step.native, needs: [] };
    tables.add(
      openTable({ id: tables.freeId(name), name, key, columns, extras: [], ...(native && { native }) }),
    );
    return;
  }
  if (step.kind === 'createNeed') return;
  const table = tables.get(step.table);
  if (!table) return;
  if (step.kind === 'dropTable') tables.remove(table);
  else if (step.kind === 'renameTable') tables.replace(table, { ...table, name: step.to });
  else if ('part' in step) changePart(step, table, tables);
  else changeColumn(step, table, tables);
}

type PartStep = Extract<Step, { readonly part: NativePart }>;
type ColumnStep = Exclude<
  Step,
  PartStep | { kind: 'createTable' | 'dropTable' | 'renameTable' | 'createNeed' }
>;

function changePart({ kind, part, dialect, as }: PartStep, table: OpenTable, tables: Parts<OpenTable>): void {
  const placed = placedIn(table.columns);
  const target = part.target === undefined ? undefined : tables.get(part.target);
  const name = part.kind === 'comment' ? placed(part.name) : part.name;
  const native = table.native ?? { dialect, as, needs: [], parts: [] };
  const others = native.parts.filter((one) => one.kind !== part.kind || one.name !== name);
  const added: NativePart = {
    ...part,
    name,
    text: placed(part.text),
    ...(part.columns && { columns: part.columns.map((one) => table.columns.get(one)?.id ?? one) }),
    ...(target && {
      target: target.id,
      targetColumns: part.targetColumns?.map((one) => target.columns.get(one)?.id ?? one),
    }),
  };
  tables.replace(table, {
    ...table,
    native: { ...native, parts: kind === 'addPart' ? [...others, added] : others },
  });
}

function changeColumn(step: ColumnStep, { columns }: OpenTable, tables: Parts<OpenTable>): void {
  const change = (column: Column | undefined, changed: Partial<Column>): void => {
    if (column) columns.replace(column, { ...column, ...changed });
  };
  switch (step.kind) {
    case 'dropForeignKey':
      return change(
        columns.all().find(({ reference }) => reference?.name === step.name),
        { reference: undefined },
      );
    case 'dropIndex':
      return change(
        columns.all().find(({ index }) => index === step.name),
        { index: undefined },
      );
    case 'dropColumn': {
      const column = columns.get(step.column);
      if (column) columns.remove(column);
      return;
    }
    case 'renameColumn':
      return change(columns.get(step.column), { name: step.to });
    case 'dropDefault':
    case 'fillColumn':
      return;
    case 'addColumn':
      return columns.add(columnFrom(step.column, columns.freeId(step.column.name), placedIn(columns)));
    case 'changeColumn': {
      const { type, required, native } = columnFrom(step.to, '', placedIn(columns));
      return change(columns.get(step.to.name), { type, required, native });
    }
    case 'addIndex':
      return change(columns.get(step.column), { index: step.name });
    case 'addForeignKey': {
      const target = tables.get(step.target);
      const { targetColumn: column } = step;
      const reference = {
        name: step.name,
        table: target?.id ?? step.target,
        ...(column !== undefined && { column: target?.columns.get(column)?.id ?? column }),
      };
      return change(columns.get(step.column), { reference });
    }
  }
}
