/** Inserts, updates and deletes. */
import { quoted } from '@quarterdeck/data-model';
import type { ApiAttribute, ApiEntity } from './api-model';
import type { WriteBlock } from './blocks';
import type { Filter } from './filters';
import { selectSql } from './reads-mysql';
import { columnsSql } from './reads-postgresql';
import {
  asParameter,
  column,
  joined,
  ofTenant,
  packed,
  tableAs,
  type Piece,
  type Sql,
  type Writing,
} from './sql';
import { isNow, type Value } from './values';
import { readsOthers, whereSql } from './where';

/**
 * Whether the rows that a write points to belong to the tenant. A foreign key alone would accept the rows of others,
 * and tell which of them exist. The statement needs `keys`, and gives those that belong.
 */
export interface Check {
  readonly attribute: ApiAttribute;
  readonly value: Value;
  readonly target: string;
  readonly sql: Sql;
}

type Data = Readonly<Record<string, Value>>;

export function checksOf(writing: Writing, entity: ApiEntity, data: Data): Check[] {
  return Object.entries(data).flatMap(([name, value]): Check[] => {
    const attribute = entity.attributes.get(name);
    const target = writing.model.entities.get(attribute?.to ?? '');
    const [key] = target?.key ?? [];
    if (!attribute || !target?.tenant || !key || value === null || isNow(value)) return [];
    const table = writing.alias();
    const keys: Piece = { earlier: 'keys', of: key };
    const col = column(writing, table, key);
    const text = writing.dialect === 'postgresql' ? `${col}::text` : `cast(${col} as char)`;
    return [
      {
        attribute,
        value,
        target: target.name,
        sql: packed([
          `select ${text} as k from ${tableAs(writing, target, table)} where ${col} `,
          ...(writing.dialect === 'postgresql' ? ['= any(', keys, ')'] : ['in (', keys, ')']),
          ...ofTenant(writing, target, table),
        ]),
      },
    ];
  });
}

/** Where the key of a new row comes from, if the block does not say: MySQL has no `returning`. */
export const newKeyOf = ({ key }: ApiEntity, data: Data): 'uuid' | 'insertId' | undefined => {
  const [only] = key;
  if (!only || key.length > 1 || Object.hasOwn(data, only.name)) return undefined;
  return only.type === 'Uuid' ? 'uuid' : 'insertId';
};

type Insert = Extract<WriteBlock, { type: 'insert' | 'insertMultiple' }>;

export function insertSql(writing: Writing, entity: ApiEntity, block: Insert): Sql {
  const { dialect } = writing;
  const makesKey = dialect === 'mysql' && block.type === 'insert' && newKeyOf(entity, block.data) === 'uuid';
  const columns: [ApiAttribute, Piece][] = Object.entries(block.data).map(([name, value]) => {
    const of = entity.attributes.get(name) as ApiAttribute;
    return [of, { value, of, isWritten: true }];
  });
  if (entity.tenant) columns.push([entity.tenant, { tenant: entity.tenant }]);
  const [key] = entity.key;
  if (makesKey && key) columns.push([key, { earlier: 'newKey', of: key }]);
  const row: Sql = [
    '(',
    ...joined(
      columns.map(([, piece]): Sql => [piece]),
      ', ',
    ),
    ')',
  ];
  const names = columns.map(([{ column: name }]) => quoted(name, dialect)).join(', ');
  const table = quoted(entity.table, dialect);
  const into: Sql =
    columns.length === 0
      ? [`insert into ${table} ${dialect === 'mysql' ? '() values ()' : 'default values'}`]
      : [
          `insert into ${table} (${names}) values `,
          ...(block.type === 'insertMultiple' ? [{ each: block.each, sql: packed(row) }] : row),
        ];
  if (dialect === 'mysql' || block.type === 'insertMultiple') return into;
  const [rows, made] = [writing.alias(), writing.alias()];
  return [
    `with ${rows} as (`,
    ...into,
    ` returning *) select row_to_json(${made})::text as j from (select `,
    ...columnsSql(writing, entity, rows, {}),
    ` from ${rows}) ${made}`,
  ];
}

/** Reads the new row by its key. Without a key, nothing tells it from others, so no row is answered. */
export function rereadSql(writing: Writing, entity: ApiEntity, data: Data) {
  const table = writing.alias();
  const conditions = entity.key.map((key): Sql => [
    `${column(writing, table, key)} = `,
    ...asParameter(
      writing.dialect,
      key,
      Object.hasOwn(data, key.name)
        ? { value: data[key.name] as Value, of: key, isWritten: true }
        : { earlier: 'newKey', of: key },
    ),
  ]);
  return selectSql(writing, entity, table, {}, [
    ' where ',
    ...(conditions.length === 0 ? ['false'] : joined(conditions, ' and ')),
    ...ofTenant(writing, entity, table),
  ]);
}

type Change = Extract<WriteBlock, { type: 'update' | 'delete' }>;

export function changingSql(writing: Writing, entity: ApiEntity, block: Change): Sql {
  const table = writing.alias();
  const named = tableAs(writing, entity, table);
  const { dialect } = writing;
  const where = conditionSql(writing, entity, table, block.filters);
  if (block.type === 'delete')
    return dialect === 'mysql'
      ? [`delete ${table} from ${named} where `, ...where]
      : [`delete from ${named} where `, ...where];
  const sets = Object.entries(block.data).map(([name, value]): Sql => {
    const of = entity.attributes.get(name) as ApiAttribute;
    const col = dialect === 'mysql' ? column(writing, table, of) : quoted(of.column, dialect);
    return [`${col} = `, { value, of, isWritten: true }];
  });
  return [`update ${named} set `, ...joined(sets, ', '), ' where ', ...where];
}

/**
 * MySQL refuses to change a table that a subquery of the same statement reads, so the keys of the rows are found first.
 * The limit stops it from merging the two.
 */
function conditionSql(writing: Writing, entity: ApiEntity, table: string, filter: Filter): Sql {
  const plain = (alias: string): Sql => [
    '(',
    ...whereSql(writing, entity, alias, filter, true),
    ')',
    ...ofTenant(writing, entity, alias),
  ];
  if (writing.dialect === 'postgresql' || !readsOthers(entity, filter) || entity.key.length === 0)
    return plain(table);
  const [inner, keys] = [writing.alias(), writing.alias()];
  const names = entity.key.map(({ column: name }) => quoted(name, 'mysql'));
  const tuple = (alias: string): string => names.map((name) => `${alias}.${name}`).join(', ');
  return [
    `(${tuple(table)}) in (select ${tuple(keys)} from (select ${tuple(inner)} from ${tableAs(writing, entity, inner)} where `,
    ...plain(inner),
    ` limit 18446744073709551615) ${keys})`,
    ...ofTenant(writing, entity, table),
  ];
}
