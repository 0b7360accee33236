/** Queries for the structure of a database, and the conversion of their results. */
import { INSTANCES } from './first-instance';
import { firsts, grouped } from './grouped';
import { JOURNAL } from './journal';
import { KEY_COLUMN } from './model';
import { keepsFrom, mysqlQuestions, type DefinitionRow } from './mysql-columns';
import { inBoth, storedTypes, type Dialect } from './sql';
import { usesFrom, viewQuestions, type ViewRow } from './view-uses';
import { foldOf, type Column, type ColumnType, type KeyType, type Structure, type Table } from './structure';

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
  readonly views: readonly ViewRow[];
  /** Only in PostgreSQL. */
  readonly uses?: readonly {
    readonly view: string;
    readonly table_name: string;
    readonly column_name: string;
  }[];
  /** Only in MySQL. */
  readonly names?: readonly { readonly caseless: Truth }[];
  /** Only in MySQL: columns with something that is not in `columns`. */
  readonly definitions?: readonly DefinitionRow[];
}

type AnswersOfTable = Required<Omit<Answers, 'views' | 'uses' | 'names'>>;
type Shared = Omit<Answers, 'names' | 'definitions' | 'uses'>;

/** NULL for actions that only refuse the deletion. */
const inWords = (action: string): string =>
  `case ${action} when 'c' then 'cascade' when 'n' then 'set null' when 'd' then 'set default' end`;

export const questions: {
  mysql: Record<keyof (Shared & Pick<Answers, 'names' | 'definitions'>), string>;
  postgresql: Record<keyof (Shared & Pick<Answers, 'uses'>), string>;
} = {
  mysql: {
    ...mysqlQuestions,
    columns: `
      select c.table_name as table_name, c.column_name as column_name, c.column_type as type,
             c.is_nullable = 'YES' as nullable, c.extra like '%auto_increment%' as counts,
             c.column_default as fallback
      from information_schema.columns c
      join information_schema.tables t on t.table_schema = c.table_schema and t.table_name = c.table_name
      where c.table_schema = database() and t.table_type = 'BASE TABLE'
      order by c.table_name, c.ordinal_position`,
    indexes: `
      select table_name as table_name, index_name as name, index_name = 'PRIMARY' as is_primary,
             max(non_unique) = 0 as is_unique, max(index_type) = 'BTREE' and max(sub_part) is null as plain,
             group_concat(column_name order by seq_in_index separator ',') as columns
      from information_schema.statistics where table_schema = database()
      group by table_name, index_name order by table_name, index_name`,
    foreignKeys: `
      select table_name as table_name, constraint_name as name, max(referenced_table_name) as target,
             group_concat(column_name order by ordinal_position separator ',') as columns,
             group_concat(referenced_column_name order by ordinal_position separator ',') as target_columns,
             (select concat_ws(' ',
                if(r.delete_rule in ('RESTRICT', 'NO ACTION'), null, concat('on delete ', lower(r.delete_rule))),
                if(r.update_rule in ('RESTRICT', 'NO ACTION'), null, concat('on update ', lower(r.update_rule))))
              from information_schema.referential_constraints r
              where r.constraint_schema = database() and r.table_name = k.table_name
                and r.constraint_name = k.constraint_name) as rule
      from information_schema.key_column_usage k
      where table_schema = database() and referenced_table_name is not null
      group by table_name, constraint_name order by table_name, constraint_name`,
    // MySQL has no table_name in check_constraints, so checks are joined by constraint. Its JSON type needs no checks.
    checks: `
      select t.table_name as table_name, c.constraint_name as name, c.check_clause as clause
      from information_schema.check_constraints c
      join information_schema.table_constraints t
        on t.constraint_schema = c.constraint_schema and t.constraint_name = c.constraint_name
        and t.constraint_type = 'CHECK'
      where c.constraint_schema = database()
      order by t.table_name, c.constraint_name`,
    triggers: `
      select event_object_table as table_name, concat('trigger ', trigger_name) as words
      from information_schema.triggers
      where trigger_schema = database() order by event_object_table, trigger_name`,
    views: viewQuestions.mysql,
  },
  postgresql: {
    columns: `
      select c.relname as table_name, a.attname as column_name, format_type(a.atttypid, a.atttypmod) as type,
             not a.attnotnull as nullable,
             a.attidentity <> '' or coalesce(pg_get_expr(d.adbin, d.adrelid) like 'nextval(%', false) as counts,
             pg_get_expr(d.adbin, d.adrelid) as fallback
      from pg_attribute a join pg_class c on c.oid = a.attrelid
      left join pg_attrdef d on d.adrelid = a.attrelid and d.adnum = a.attnum
      where c.relnamespace = current_schema()::regnamespace and c.relkind in ('r', 'p') and a.attnum > 0
        and not a.attisdropped
      order by c.relname, a.attnum`,
    indexes: `
      select t.relname as table_name, i.relname as name, x.indisprimary as is_primary, x.indisunique as is_unique,
             x.indpred is null and x.indexprs is null and m.amname = 'btree' and x.indisvalid as plain,
             (select string_agg(pg_get_indexdef(x.indexrelid, n, true), ',' order by n)
              from generate_series(1, x.indnkeyatts) n) as columns
      from pg_index x join pg_class i on i.oid = x.indexrelid join pg_class t on t.oid = x.indrelid
      join pg_am m on m.oid = i.relam
      where t.relnamespace = current_schema()::regnamespace
      order by t.relname, i.relname`,
    foreignKeys: `
      select t.relname as table_name, k.conname as name, f.relname as target,
             (select string_agg(a.attname, ',' order by n) from unnest(k.conkey) with ordinality u(num, n)
              join pg_attribute a on a.attrelid = k.conrelid and a.attnum = u.num) as columns,
             (select string_agg(a.attname, ',' order by n) from unnest(k.confkey) with ordinality u(num, n)
              join pg_attribute a on a.attrelid = k.confrelid and a.attnum = u.num) as target_columns,
             concat_ws(' ', 'on delete ' || ${inWords('k.confdeltype')}, 'on update ' || ${inWords('k.confupdtype')}) as rule
      from pg_constraint k join pg_class t on t.oid = k.conrelid join pg_class f on f.oid = k.confrelid
      where k.contype = 'f' and t.relnamespace = current_schema()::regnamespace
      order by t.relname, k.conname`,
    checks: `
      select t.relname as table_name, k.conname as name, pg_get_constraintdef(k.oid) as clause
      from pg_constraint k join pg_class t on t.oid = k.conrelid
      where k.contype in ('c', 'x') and t.relnamespace = current_schema()::regnamespace
      order by t.relname, k.conname`,
    triggers: `
      select t.relname as table_name, words from pg_class t
      join (
        select tgrelid as place, 'trigger ' || tgname as words from pg_trigger where not tgisinternal
        union all select ev_class, 'rule ' || rulename from pg_rewrite where rulename <> '_RETURN'
        union all select oid, 'row level security' from pg_class where relrowsecurity
      ) its on its.place = t.oid
      where t.relnamespace = current_schema()::regnamespace and t.relkind in ('r', 'p')
      order by t.relname, words`,
    uses: viewQuestions.postgresql,
    views: `
      select relname as name, null as definition from pg_class
      where relkind in ('v', 'm') and relnamespace = current_schema()::regnamespace order by relname`,
  },
};

/** Leaves out the console's own tables, but not tables with a temporary name during renames. */
export function structureFrom(dialect: Dialect, answers: Answers): Structure {
  const columns = byTable(answers.columns);
  const [indexes, foreignKeys] = [byTable(answers.indexes), byTable(answers.foreignKeys)];
  const [checks, triggers] = [byTable(answers.checks), byTable(answers.triggers)];
  const definitions = byTable(answers.definitions ?? []);
  const views = answers.views.map(({ name }) => name);
  const caseless = isTrue(answers.names?.[0]?.caseless ?? false);
  const fold = foldOf({ caseless });
  const nameOf = new Map([...columns.keys()].map((name) => [fold(name), name]));
  const named = (key: ForeignKeyRow): ForeignKeyRow => ({
    ...key,
    target: nameOf.get(fold(key.target)) ?? key.target,
  });
  const tables = [...columns]
    .filter(([name]) => name !== JOURNAL && name !== INSTANCES)
    .map(([name, its]) =>
      tableFrom(dialect, name, {
        columns: its,
        indexes: indexes.get(name) ?? [],
        foreignKeys: (foreignKeys.get(name) ?? []).map(named),
        checks: checks.get(name) ?? [],
        triggers: triggers.get(name) ?? [],
        definitions: definitions.get(name) ?? [],
      }),
    );
  const uses =
    answers.uses?.map(({ view, table_name: table, column_name: column }) => ({ view, table, column })) ??
    usesFrom(answers.views, tables);
  return {
    ...(views.length > 0 && { views }),
    ...(uses.length > 0 && { uses }),
    ...(caseless && { caseless }),
    tables,
  };
}

const byTable = <T extends { table_name: string }>(rows: readonly T[]): ReadonlyMap<string, T[]> =>
  grouped(rows, ({ table_name }) => table_name);

function tableFrom(
  dialect: Dialect,
  name: string,
  { columns, indexes, foreignKeys, checks, triggers, definitions }: AnswersOfTable,
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
  const simpleKeys = foreignKeys.filter(
    ({ columns: its, target_columns }) => !its.includes(',') && target_columns === KEY_COLUMN,
  );
  const simpleIndexes = indexes.filter(
    ({ is_primary, is_unique, plain, columns: its }) =>
      !isTrue(is_primary) && !isTrue(is_unique) && isTrue(plain) && its !== null && !its.includes(','),
  );
  const definitionOf = firsts(definitions, ({ column_name }) => column_name);
  const checkOf = firsts(
    checks.filter(({ clause }) => !/json_valid/i.test(clause)),
    (check) => check.name,
  );
  const keepsOf = (column: string) => {
    const definition = definitionOf.get(column);
    return definition && keepsFrom(definition, checkOf.get(column)?.clause);
  };
  const keyOf = firsts(simpleKeys, (one) => unquoted(one.columns));
  const indexesOf = grouped(simpleIndexes, (one) => unquoted(one.columns ?? ''));
  const named = columns
    .filter(({ column_name }) => !(isKey && column_name === KEY_COLUMN))
    .map((row): Column => {
      const id = row.column_name;
      const [reference, keeps] = [keyOf.get(id), keepsOf(id)];
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
        ...(reference ? { reference: { name: reference.name, table: reference.target } } : {}),
        ...(index ? { index: index.name } : {}),
        ...(keeps && { keeps }),
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
  return { id: name, name, key, columns: named, extras };
}

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
