/** Converts the answers about the structure of a database. */
import type { ExactAnswers } from './exact-postgresql';
import { readPostgresTables } from './exact-postgresql';
import { readMysqlTable, type ReadTable } from './exact-mysql';
import { INSTANCES } from './first-instance';
import { firsts, grouped } from './grouped';
import { JOURNAL } from './journal';
import { KEY_COLUMN } from './model';
import { inBoth, storedTypes, type Dialect } from './sql';
import type { Column, ColumnType, KeyType, Reference, Structure, Table } from './structure';

/** MySQL returns booleans as bigint, which the driver passes on as text. */
type Truth = boolean | number | string;

const isTrue = (truth: Truth): boolean => Number(truth) !== 0;

interface ColumnRow {
  readonly table_name: string;
  readonly column_name: string;
  readonly type: string;
  readonly nullable: Truth;
  /** The column generates its numbers (auto-increment or identity). */
  readonly counts: Truth;
  /** The default value. Without one, MySQL returns null and MariaDB the text `NULL`. */
  readonly fallback: string | null;
}

interface IndexRow {
  readonly table_name: string;
  readonly name: string;
  readonly is_primary: Truth;
  readonly is_unique: Truth;
  /** Separated by commas, in order. Null for an expression, which has no column name in MySQL. */
  readonly columns: string | null;
  /** The index covers all rows and has the default order and method. */
  readonly plain: Truth;
}

interface ForeignKeyRow {
  readonly table_name: string;
  readonly name: string;
  readonly columns: string;
  readonly target: string;
  readonly target_columns: string;
  /** Action when the target row is deleted; null if the deletion is refused. */
  readonly rule: string | null;
}

interface CheckRow {
  readonly table_name: string;
  readonly name: string;
  readonly clause: string;
}

export interface Answers {
  readonly columns: readonly ColumnRow[];
  readonly indexes: readonly IndexRow[];
  readonly foreignKeys: readonly ForeignKeyRow[];
  readonly checks: readonly CheckRow[];
  /** Triggers, rules and policies, in words. */
  readonly triggers: readonly { readonly table_name: string; readonly words: string }[];
  readonly views: readonly { readonly name: string }[];
  /** What no import touches and no plan: routines, events, other schemas. In words. */
  readonly others: readonly { readonly words: string }[];
}

/** The answers to the questions about exact tables: of MySQL, one statement for each table, by its name. */
export type Exact = { readonly mysql: ReadonlyMap<string, string> } | { readonly postgresql: ExactAnswers };

const exactTables = (exact: Exact): ReadonlyMap<string, ReadTable & { partitionOf?: string }> =>
  'mysql' in exact
    ? new Map([...exact.mysql].map(([name, statement]) => [name, readMysqlTable(statement)]))
    : readPostgresTables(exact.postgresql);

type AnswersOfTable = Omit<Answers, 'views' | 'others'>;

/** Leaves out the console's own tables, but not tables with a temporary name during renames. */
export function structureFrom(dialect: Dialect, answers: Answers, exact?: Exact): Structure {
  const read = exact && exactTables(exact);
  const columns = byTable(answers.columns);
  const [indexes, foreignKeys] = [byTable(answers.indexes), byTable(answers.foreignKeys)];
  const [checks, triggers] = [byTable(answers.checks), byTable(answers.triggers)];
  const views = answers.views.map(({ name }) => name);
  const others = answers.others.map(({ words }) => words);
  return {
    ...(exact && { dialect }),
    ...(views.length > 0 && { views }),
    ...(others.length > 0 && { others }),
    tables: [...columns]
      .filter(([name]) => name !== JOURNAL && name !== INSTANCES)
      .map(([name, its]) =>
        tableFrom(
          dialect,
          name,
          {
            columns: its,
            indexes: indexes.get(name) ?? [],
            foreignKeys: foreignKeys.get(name) ?? [],
            checks: checks.get(name) ?? [],
            triggers: triggers.get(name) ?? [],
          },
          read?.get(name),
        ),
      ),
  };
}

const byTable = <T extends { table_name: string }>(rows: readonly T[]): ReadonlyMap<string, T[]> =>
  grouped(rows, ({ table_name }) => table_name);

function tableFrom(
  dialect: Dialect,
  name: string,
  { columns, indexes, foreignKeys, checks, triggers }: AnswersOfTable,
  read?: ReadTable & { partitionOf?: string },
): Table {
  const json = new Set(
    dialect === 'mysql'
      ? checks.flatMap(({ clause }) => /^\(?json_valid\(`([^`]+)`\)\)?$/i.exec(clause)?.[1] ?? [])
      : [],
  );
  const typeOf = ({ column_name, type }: ColumnRow): ColumnType =>
    json.has(column_name) && type.toLowerCase() === 'longtext' ? 'JSON' : modelTypeOf(dialect, type);
  const primary = indexes.find(({ is_primary }) => isTrue(is_primary));
  const keyRow = columns.find(({ column_name }) => column_name === KEY_COLUMN);
  const key = keyFrom(primary?.columns ?? undefined, keyRow, keyRow && typeOf(keyRow));
  const isKey = key === 'Long' || key === 'Uuid';
  const simpleKeys = foreignKeys.filter(({ columns: its }) => !its.includes(','));
  const simpleIndexes = indexes.filter(
    ({ is_primary, is_unique, plain, columns: its }) =>
      !isTrue(is_primary) && !isTrue(is_unique) && isTrue(plain) && its !== null && !its.includes(','),
  );
  const keyOf = firsts(simpleKeys, (one) => unquoted(one.columns));
  const indexesOf = grouped(simpleIndexes, (one) => unquoted(one.columns ?? ''));
  const named = columns
    .filter(({ column_name }) => !(isKey && column_name === KEY_COLUMN))
    .map((row): Column => {
      const id = row.column_name;
      const reference = keyOf.get(id);
      const index = preferred(indexesOf.get(id) ?? [], reference?.name);
      const columnExtras = [
        ...(isTrue(row.counts) ? ['numbers of its own'] : []),
        ...(isWithoutDefault(row) || isTrue(row.counts) ? [] : [`default ${row.fallback}`]),
        ...(reference?.rule ? [`${reference.rule} of the foreign key ${reference.name}`] : []),
      ];
      return {
        id,
        name: id,
        type: typeOf(row),
        required: !isTrue(row.nullable),
        ...(columnExtras.length > 0 && { extras: columnExtras }),
        ...(reference && { reference: referenceOf(reference) }),
        ...(index ? { index: index.name } : {}),
      };
    });
  const used = new Set(named.flatMap(({ reference, index }) => [reference?.name, index]));
  const extras = [
    ...foreignKeys
      .filter((one) => !used.has(one.name))
      .map((one) =>
        [`foreign key ${one.name} (${one.columns}) to ${one.target} (${one.target_columns})`, one.rule ?? '']
          .join(' ')
          .trim(),
      ),
    ...indexes
      .filter((one) => one !== primary && !used.has(one.name))
      .map(
        (one) =>
          `${isTrue(one.is_unique) ? 'unique ' : ''}index ${one.name} (${one.columns ?? 'an expression'})`,
      ),
    ...checks
      .filter(({ clause }) => !(dialect === 'mysql' && /json_valid/i.test(clause)))
      .map((one) => `check ${one.name} ${one.clause}`),
    ...triggers.map(({ words }) => words),
    ...(key === 'Uuid' && isWithoutDefault(keyRow) ? ['a key without a default'] : []),
  ];
  const table = { id: name, name, key, columns: named, extras };
  if (!read) return table;
  const typeIn = new Map(columns.map((row) => [row.column_name, typeOf(row)]));
  return {
    ...table,
    ...(read.partitionOf !== undefined && { partitionOf: read.partitionOf }),
    exact: {
      columns: read.columns.map((one): Column => ({
        ...one,
        id: one.name,
        type: typeIn.get(one.name) ?? 'String',
      })),
      native: { ...read.native, as: name },
      extras: triggers.map(({ words }) => words),
    },
  };
}

const referenceOf = ({ name, target, target_columns: column }: ForeignKeyRow): Reference => ({
  name,
  table: target,
  ...(column !== KEY_COLUMN && { column }),
});

const isWithoutDefault = (row: ColumnRow | undefined): boolean =>
  row === undefined || row.fallback === null || row.fallback === 'NULL';

/** PostgreSQL quotes column names where necessary. */
const unquoted = (name: string): string =>
  name.startsWith('"') ? name.slice(1, -1).replaceAll('""', '"') : name;

/** If the column has several indexes, the one that the console created. */
const preferred = (indexes: readonly IndexRow[], key: string | undefined): IndexRow | undefined =>
  indexes.find(({ name }) => key !== undefined && name === key.replace(/^fk_/, 'ix_')) ?? indexes[0];

function keyFrom(columns: string | undefined, row: ColumnRow | undefined, type?: ColumnType): KeyType {
  if (columns === undefined) return 'no primary key';
  if (columns !== KEY_COLUMN || row === undefined) return `primary key (${columns})`;
  if (type === 'Long' && isTrue(row.counts)) return 'Long';
  if (type === 'Uuid') return 'Uuid';
  return `primary key ${KEY_COLUMN} ${row.type}${isTrue(row.counts) ? '' : ' without numbers of its own'}`;
}

const spelled = inBoth(
  (dialect): ReadonlyMap<string, ColumnType> =>
    new Map(Object.entries(storedTypes).map(([type, text]) => [normal(dialect, text[dialect]), type])),
);

/** Both engines have several spellings for a type, and older versions of MySQL add a meaningless display width. */
function normal(dialect: Dialect, text: string): string {
  const lower = text.toLowerCase();
  if (dialect === 'mysql')
    return lower === 'tinyint(1)' ? lower : lower.replace(/^((?:big|small|medium|tiny)?int)\(\d+\)/, '$1');
  return lower
    .replace('character varying', 'varchar')
    .replace(' without time zone', '')
    .replace(/^timestamp$/, 'timestamp(6)')
    .replace(/^time$/, 'time(6)');
}

const modelTypeOf = (dialect: Dialect, text: string): ColumnType =>
  spelled[dialect].get(normal(dialect, text)) ?? normal(dialect, text);
