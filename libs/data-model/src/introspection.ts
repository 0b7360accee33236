/** Converts the answers about the structure of a database. */
import {
  isTrue,
  type Answers,
  type ColumnRow,
  type Exact,
  type ForeignKeyRow,
  type IndexRow,
} from './answers';
import { usersIn } from './api-users';
import { charsetIn } from './charsets';
import { readPostgresTables } from './exact-postgresql';
import { readMysqlTable, type ReadTable } from './exact-mysql';
import { INSTANCES } from './first-instance';
import { firsts, grouped } from './grouped';
import { JOURNAL } from './journal';
import { KEY_COLUMN } from './model';
import { inBoth, storedTypes, type Dialect } from './sql';
import {
  foldOf,
  type Column,
  type ColumnType,
  type KeyType,
  type Reference,
  type Structure,
  type Table,
} from './structure';
import { usesFrom } from './view-uses';

const exactTables = (exact: Exact): ReadonlyMap<string, ReadTable & { partitionOf?: string }> =>
  'mysql' in exact
    ? new Map([...exact.mysql].map(([name, statement]) => [name, readMysqlTable(statement)]))
    : readPostgresTables(exact.postgresql);

type AnswersOfTable = Omit<Answers, 'views' | 'others' | 'uses' | 'names'>;

/** Leaves out the console's own tables, but not tables with a temporary name during renames. */
export function structureFrom(dialect: Dialect, answers: Answers, exact?: Exact): Structure {
  const exactOf = exact && exactTables(exact);
  const columns = byTable(answers.columns);
  const [indexes, foreignKeys] = [byTable(answers.indexes), byTable(answers.foreignKeys)];
  const [checks, triggers] = [byTable(answers.checks), byTable(answers.triggers)];
  const views = answers.views.map(({ name }) => name);
  const others = [
    ...answers.others.map(({ words }) => words),
    ...[...columns.keys()].flatMap((name) => usersIn(name) ?? []),
  ];
  const caseless = isTrue(answers.names?.[0]?.caseless ?? false);
  const fold = foldOf({ caseless });
  const nameOf = new Map([...columns.keys()].map((name) => [fold(name), name]));
  const named = (target: string): string => nameOf.get(fold(target)) ?? target;
  const tables = [...columns]
    .filter(([name]) => name !== JOURNAL && name !== INSTANCES && usersIn(name) === undefined)
    .map(([name, its]) => {
      const keys = (foreignKeys.get(name) ?? []).map((key) => ({ ...key, target: named(key.target) }));
      const answersOfTable = {
        columns: its,
        indexes: indexes.get(name) ?? [],
        foreignKeys: keys,
        checks: checks.get(name) ?? [],
        triggers: triggers.get(name) ?? [],
      };
      return tableFrom(dialect, name, answersOfTable, withTargets(exactOf?.get(name), named));
    });
  const uses =
    answers.uses?.map(({ view, table_name: table, column_name: column }) => ({ view, table, column })) ??
    usesFrom(answers.views, tables);
  return {
    ...(exact && { dialect }),
    ...(views.length > 0 && { views }),
    ...(others.length > 0 && { others }),
    ...(uses.length > 0 && { uses }),
    ...(caseless && { caseless }),
    tables,
  };
}

const withTargets = <T extends ReadTable>(read: T | undefined, named: (target: string) => string) =>
  read && {
    ...read,
    native: {
      ...read.native,
      parts: read.native.parts.map(({ target, ...part }) => ({
        ...part,
        ...(target !== undefined && { target: named(target) }),
      })),
    },
  };

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
  const exactType = new Map(read?.columns.map(({ name: column, native }) => [column, native.type]));
  const named = columns
    .filter(({ column_name }) => !(isKey && column_name === KEY_COLUMN))
    .map((row): Column => {
      const id = row.column_name;
      const reference = keyOf.get(id);
      const index = preferred(indexesOf.get(id) ?? [], reference?.name);
      const columnExtras = [
        ...(isTrue(row.counts) ? ['numbers of its own'] : []),
        ...(isWithoutDefault(row) || isTrue(row.counts) ? [] : [`default ${row.fallback}`]),
        ...collationExtras(typeOf(row), exactType.get(id)),
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
    ...charsetExtras(read?.native.options, dialect),
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

/** A key to a text has the character set of its target, and MariaDB gives JSON one of its own. */
const collationExtras = (type: ColumnType, exact = ''): string[] => {
  if (type === 'Uuid' || type === 'JSON') return [];
  const words = /(?: CHARACTER SET \w+)?(?: COLLATE \S+)?$/.exec(exact)?.[0] ?? '';
  return words === '' ? [] : [inWords(words)];
};

const inWords = (sql: string): string =>
  sql.trim().replace('COLLATE', 'collation').replace('CHARACTER SET', 'character set');

const charsetExtras = (options: string | undefined, dialect: Dialect): string[] => {
  const charset = dialect === 'mysql' ? charsetIn(options) : '';
  return charset === '' || / utf8mb4(?:_|$)/.test(charset) ? [] : [`default ${inWords(charset)}`];
};

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

/** How the console names an index: by the id of the attribute. */
const OURS = /^ix_[\da-f]{32}(?:_uuid)?$/;

/** If the column has several indexes, the one that the console created, also after its foreign key was dropped. */
const preferred = (indexes: readonly IndexRow[], key: string | undefined): IndexRow | undefined =>
  indexes.find(({ name }) => key !== undefined && name === key.replace(/^fk_/, 'ix_')) ??
  indexes.find(({ name }) => OURS.test(name)) ??
  indexes[0];

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
