/** Reads a structure from the catalogue of an engine, and not with the code of the product. */
import type { Dialect } from '@quarterdeck/data-model';

type Query = (sql: string) => Promise<Record<string, unknown>[]>;

const questions: Record<Dialect, readonly string[]> = {
  mysql: [
    `select table_name, engine, table_collation, row_format, create_options, table_comment from information_schema.tables
     where table_schema = database() and table_type in ('BASE TABLE', 'SYSTEM VERSIONED') and table_name not like 'quarterdeck%'`,
    `select table_name, column_name, ordinal_position, column_default, is_nullable, column_type, character_set_name,
       collation_name, extra, column_comment, generation_expression
     from information_schema.columns where table_schema = database() and table_name not like 'quarterdeck%'
       and table_name not in (select table_name from information_schema.views where table_schema = database())`,
    `select table_name, index_name, seq_in_index, column_name, non_unique, sub_part, collation, index_type, nullable
     from information_schema.statistics where table_schema = database() and table_name not like 'quarterdeck%'`,
    `select table_name, constraint_name, column_name, ordinal_position, position_in_unique_constraint,
       referenced_table_name, referenced_column_name
     from information_schema.key_column_usage where table_schema = database() and table_name not like 'quarterdeck%'`,
    `select table_name, constraint_name, update_rule, delete_rule, match_option, referenced_table_name
     from information_schema.referential_constraints where constraint_schema = database()`,
    `select constraint_name, check_clause from information_schema.check_constraints where constraint_schema = database()`,
    `select table_name, partition_name, partition_method, partition_expression, partition_description
     from information_schema.partitions where table_schema = database() and partition_name is not null`,
  ],
  postgresql: [
    `select c.relname, c.relkind, c.relpersistence, c.reloptions::text, obj_description(c.oid), c.relispartition,
       pg_get_expr(c.relpartbound, c.oid) as bound, pg_get_partkeydef(c.oid) as partkey
     from pg_class c where relnamespace = current_schema()::regnamespace and relkind in ('r', 'p', 'S', 'i', 'I') and relname not like 'quarterdeck%'`,
    `select c.relname, a.attname, a.attnum, format_type(a.atttypid, a.atttypmod) as type, a.attnotnull, a.attidentity,
       a.attgenerated, a.attcollation::regcollation::text as collation, pg_get_expr(d.adbin, d.adrelid) as fallback,
       col_description(c.oid, a.attnum) as comment
     from pg_attribute a join pg_class c on c.oid = a.attrelid left join pg_attrdef d on d.adrelid = c.oid and d.adnum = a.attnum
     where relnamespace = current_schema()::regnamespace and relkind in ('r', 'p') and attnum > 0 and relname not like 'quarterdeck%'`,
    `select conrelid::regclass::text as of, conname, pg_get_constraintdef(oid) as said, convalidated, condeferrable, condeferred
     from pg_constraint where connamespace = current_schema()::regnamespace and contype <> 'n' and conrelid::regclass::text not like 'quarterdeck%'`,
    `select pg_get_indexdef(indexrelid, 0, true) as said from pg_index join pg_class c on c.oid = indrelid
     where relnamespace = current_schema()::regnamespace and relname not like 'quarterdeck%'`,
    `select sequencename, data_type::text, start_value, min_value, max_value, increment_by, cycle, cache_size,
       pg_get_serial_sequence(quote_ident(t.relname), a.attname) is not null as owned, a.attname
     from pg_sequences s left join pg_depend o on o.objid = quote_ident(s.sequencename)::regclass and o.deptype in ('a', 'i') and o.refobjsubid > 0
     left join pg_class t on t.oid = o.refobjid left join pg_attribute a on a.attrelid = t.oid and a.attnum = o.refobjsubid
     where schemaname = current_schema() and sequencename not like 'quarterdeck%'`,
    `select t.typname, t.typtype, format_type(t.typbasetype, t.typtypmod) as base, t.typnotnull, t.typdefault,
       (select string_agg(enumlabel, '|' order by enumsortorder) from pg_enum where enumtypid = t.oid) as labels,
       (select string_agg(pg_get_constraintdef(oid), '|' order by conname) from pg_constraint where contypid = t.oid) as checks
     from pg_type t where typnamespace = current_schema()::regnamespace and typtype in ('e', 'd')`,
    `select inhrelid::regclass::text as child, inhparent::regclass::text as parent from pg_inherits
     join pg_class on pg_class.oid = inhrelid where relnamespace = current_schema()::regnamespace and relkind in ('r', 'p')`,
  ],
};

/** One line a row, in an order of their own. */
export async function catalogueOf(dialect: Dialect, query: Query): Promise<string[]> {
  const lines: string[] = [];
  for (const [at, sql] of questions[dialect].entries())
    for (const row of await query(sql)) lines.push(`${at} ${JSON.stringify(Object.values(row))}`);
  return lines.map(withoutCasts).toSorted();
}

/** PostgreSQL prints the casts of a list in a check differently, once it has read what it printed. */
const withoutCasts = (line: string): string =>
  / in |ANY \(/.test(line) ? line.replaceAll(/::(?:text|character varying)(?:\[\])?|[()]/g, '') : line;
