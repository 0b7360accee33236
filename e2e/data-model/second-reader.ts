/**
 * Reads a structure with queries of its own, and says in the same words what a model should become. It shares nothing
 * with the product's reader and generator, so a mistake in those does not hide itself.
 */
import { columnOf, tableOf, type AttributeType, type Dialect, type Model } from '@quarterdeck/data-model';

type Query = (sql: string) => Promise<Record<string, unknown>[]>;

const TYPES: Record<Exclude<AttributeType, 'ForeignKey'>, Record<Dialect, readonly string[]>> = {
  String: { mysql: ['varchar(255)'], postgresql: ['varchar 255'] },
  Int: { mysql: ['int', 'int(11)'], postgresql: ['int4'] },
  Long: { mysql: ['bigint', 'bigint(20)'], postgresql: ['int8'] },
  Boolean: { mysql: ['tinyint(1)'], postgresql: ['bool'] },
  LocalDate: { mysql: ['date'], postgresql: ['date'] },
  LocalDateTime: { mysql: ['datetime(6)'], postgresql: ['timestamp 6'] },
  LocalTime: { mysql: ['time(6)'], postgresql: ['time 6'] },
  BigDecimal: { mysql: ['decimal(38,10)'], postgresql: ['numeric 38 10'] },
  Double: { mysql: ['double'], postgresql: ['float8'] },
  JSON: { mysql: ['json', 'longtext'], postgresql: ['jsonb'] },
};

const uuid = (dialect: Dialect) => (dialect === 'mysql' ? 'char(36)' : 'uuid');

/** One line for each column of each table, sorted. */
export const expectedLines = ({ entities }: Model, dialect: Dialect): string[] =>
  entities
    .flatMap((entity) => [
      `${tableOf(entity)}.id ${entity.isUuid ? uuid(dialect) : TYPES.Long[dialect][0]} required key`,
      ...entity.attributes.map((attribute) => {
        const target = entities.find(({ id }) => id === attribute.foreignEntity);
        const type =
          attribute.type !== 'ForeignKey'
            ? TYPES[attribute.type][dialect][0]
            : target?.isUuid
              ? uuid(dialect)
              : TYPES.Long[dialect][0];
        const pointer = target ? ` -> ${tableOf(target)} indexed` : '';
        const place = `${tableOf(entity)}.${columnOf(attribute)}`;
        return `${place} ${type} ${attribute.optional ? 'optional' : 'required'}${pointer}`;
      }),
    ])
    .toSorted();

interface Reading {
  readonly lines: string[];
  /** Texts of defaults, by `table.column`. */
  readonly defaults: ReadonlyMap<string, string>;
  /** Names of indexes. */
  readonly indexes: ReadonlySet<string>;
}

export async function foundIn(dialect: Dialect, query: Query): Promise<Reading> {
  const { columns, keys, pointers, indexes } = dialect === 'mysql' ? MYSQL : POSTGRESQL;
  const texts = async (sql: string, ...names: string[]) =>
    (await query(sql)).map((row) => names.map((name) => String(row[name])));
  const isKey = new Set((await texts(keys, 'place')).map(([place]) => place));
  const targetOf = new Map(
    (await texts(pointers, 'place', 'target')).map(([place, target]) => [place, target]),
  );
  const indexRows = await texts(indexes, 'place', 'name');
  const isIndexed = new Set(indexRows.map(([place]) => place));
  const canonical = new Map(
    Object.values(TYPES).flatMap((all) => all[dialect].map((one) => [one, all[dialect][0] ?? one])),
  );
  const lines: string[] = [];
  const defaults = new Map<string, string>();
  for (const row of await query(columns)) {
    const [place, type] = [String(row.place), String(row.type)];
    if (place.startsWith('quarterdeck_')) continue;
    const target = targetOf.get(place);
    lines.push(
      [
        place,
        canonical.get(type) ?? type,
        row.nullable === 'NO' ? 'required' : 'optional',
        ...(isKey.has(place) ? ['key'] : []),
        // An index beside a foreign key is not part of a version.
        ...(target === undefined ? [] : ['->', target, ...(isIndexed.has(place) ? ['indexed'] : [])]),
      ].join(' '),
    );
    const fallback = row.fallback as string | null;
    if (fallback !== null && fallback !== 'NULL' && !isKey.has(place)) defaults.set(place, fallback);
  }
  return { lines: lines.toSorted(), defaults, indexes: new Set(indexRows.map(([, name = '']) => name)) };
}

const MYSQL = {
  columns: `select concat(table_name, '.', column_name) as place, column_type as type, is_nullable as nullable,
    column_default as fallback from information_schema.columns where table_schema = database()`,
  // A key counts only if it makes its own values.
  keys: `select concat(table_name, '.', column_name) as place from information_schema.columns
    where table_schema = database() and column_key = 'PRI'
      and (extra like '%auto_increment%' or column_default like '%uuid()%')`,
  pointers: `select concat(table_name, '.', column_name) as place, referenced_table_name as target
    from information_schema.key_column_usage
    where table_schema = database() and referenced_table_schema = database() and referenced_column_name = 'id'`,
  indexes: `select concat(table_name, '.', column_name) as place, index_name as name
    from information_schema.statistics where table_schema = database() and seq_in_index = 1`,
};

const POSTGRESQL = {
  columns: `select table_name || '.' || column_name as place, is_nullable as nullable, column_default as fallback,
      concat_ws(' ', udt_name, character_maximum_length,
        case when udt_name in ('timestamp', 'time') then datetime_precision end,
        case when udt_name = 'numeric' then numeric_precision || ' ' || numeric_scale end) as type
    from information_schema.columns where table_schema = current_schema()`,
  keys: `select c.table_name || '.' || c.column_name as place
    from information_schema.table_constraints t
    join information_schema.key_column_usage k using (constraint_schema, constraint_name)
    join information_schema.columns c on c.table_schema = k.table_schema and c.table_name = k.table_name
      and c.column_name = k.column_name
    where t.constraint_type = 'PRIMARY KEY' and c.table_schema = current_schema()
      and (c.is_identity = 'YES' or c.column_default like '%gen_random_uuid()%')`,
  pointers: `select k.table_name || '.' || k.column_name as place, f.table_name as target
    from information_schema.referential_constraints r
    join information_schema.key_column_usage k using (constraint_schema, constraint_name)
    join information_schema.constraint_column_usage f using (constraint_schema, constraint_name)
    where constraint_schema = current_schema() and f.column_name = 'id'`,
  indexes: `select tablename || '.' || trim(both '"' from substring(indexdef from '\\(([^,)]+)')) as place,
      indexname as name from pg_indexes where schemaname = current_schema()`,
};
