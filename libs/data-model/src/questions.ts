/** Queries for the structure of a database. */
import type { Answers } from './answers';
import { sequenceInText } from './exact-postgresql';

/** NULL for actions that only refuse the deletion. */
const inWords = (action: string): string =>
  `case ${action} when 'c' then 'cascade' when 'n' then 'set null' when 'd' then 'set default' end`;

type Shared = Exclude<keyof Answers, 'names' | 'uses'>;

/**
 * Of MySQL: names of tables that differ only by case are different, wherever the server has both. MariaDB compares them
 * without case in `information_schema`.
 */
const exactly = (name: string): string => `cast(${name} as binary)`;

export const questions: Readonly<{
  mysql: Record<Shared | 'names', string>;
  postgresql: Record<Shared | 'uses', string>;
}> = {
  mysql: {
    columns: `
      select c.table_name as table_name, c.column_name as column_name, c.column_type as type,
             c.is_nullable = 'YES' as nullable, c.extra like '%auto_increment%' as counts,
             c.column_default as fallback
      from information_schema.columns c
      join information_schema.tables t on t.table_schema = c.table_schema and t.table_name = c.table_name
        and ${exactly('t.table_name')} = ${exactly('c.table_name')}
      where c.table_schema = database() and t.table_type in ('BASE TABLE', 'SYSTEM VERSIONED')
      order by ${exactly('c.table_name')}, c.ordinal_position`,
    indexes: `
      select max(s.table_name) as table_name, s.index_name as name, s.index_name = 'PRIMARY' as is_primary,
             max(s.non_unique) = 0 as is_unique, max(s.index_type) = 'BTREE' and max(s.sub_part) is null as plain,
             group_concat(s.column_name order by s.seq_in_index separator ',') as columns
      from information_schema.statistics s where s.table_schema = database()
      group by ${exactly('s.table_name')}, s.index_name order by ${exactly('s.table_name')}, s.index_name`,
    foreignKeys: `
      select max(k.table_name) as table_name, k.constraint_name as name, max(k.referenced_table_name) as target,
             group_concat(k.column_name order by k.ordinal_position separator ',') as columns,
             group_concat(k.referenced_column_name order by k.ordinal_position separator ',') as target_columns,
             max((select concat_ws(' ',
                if(r.delete_rule in ('RESTRICT', 'NO ACTION'), null, concat('on delete ', lower(r.delete_rule))),
                if(r.update_rule in ('RESTRICT', 'NO ACTION'), null, concat('on update ', lower(r.update_rule))))
              from information_schema.referential_constraints r
              where r.constraint_schema = database() and r.table_name = k.table_name
                and ${exactly('r.table_name')} = ${exactly('k.table_name')}
                and r.constraint_name = k.constraint_name)) as rule
      from information_schema.key_column_usage k
      where k.table_schema = database() and k.referenced_table_name is not null
      group by ${exactly('k.table_name')}, k.constraint_name
      order by ${exactly('k.table_name')}, k.constraint_name`,
    // Only MariaDB has table_name in check_constraints, and gives checks of several tables the same name: a natural join
    // takes it where it is. MySQL's JSON type needs no checks.
    checks: `
      select distinct table_name as table_name, constraint_name as name, check_clause as clause
      from information_schema.check_constraints natural join information_schema.table_constraints
      where constraint_schema = database() and constraint_type = 'CHECK'
      order by ${exactly('table_name')}, name, clause`,
    triggers: `
      select event_object_table as table_name, concat('trigger ', trigger_name) as words
      from information_schema.triggers
      where trigger_schema = database() order by ${exactly('event_object_table')}, ${exactly('trigger_name')}`,
    views: `
      select table_name as name, view_definition as definition from information_schema.views
      where table_schema = database() order by ${exactly('table_name')}`,
    // 1 and 2: the server compares the names of tables without case.
    names: 'select @@lower_case_table_names <> 0 as caseless',
    others: `
      select concat(lower(routine_type), ' ', routine_name) as words from information_schema.routines
      where routine_schema = database()
      union all select concat('event ', event_name) from information_schema.events where event_schema = database()
      union all select concat('sequence ', table_name) from information_schema.tables
      where table_schema = database() and table_type = 'SEQUENCE'
      order by words`,
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
    views: `
      select relname as name from pg_class
      where relkind in ('v', 'm') and relnamespace = current_schema()::regnamespace order by relname`,
    uses: `
      select distinct v.relname as view, t.relname as table_name, coalesce(a.attname, '') as column_name
      from pg_depend d join pg_rewrite r on d.classid = 'pg_rewrite'::regclass and r.oid = d.objid
      join pg_class v on v.oid = r.ev_class and v.relkind in ('v', 'm')
      join pg_class t on d.refclassid = 'pg_class'::regclass and t.oid = d.refobjid and t.relkind in ('r', 'p')
      left join pg_attribute a on a.attrelid = t.oid and a.attnum = d.refobjsubid and a.attnum > 0
      where t.relnamespace = current_schema()::regnamespace
      order by 1, 2, 3`,
    others: `
      select case p.prokind when 'p' then 'procedure ' when 'a' then 'aggregate ' else 'function ' end ||
             p.oid::regprocedure::text as words from pg_proc p
      where p.pronamespace = current_schema()::regnamespace
        and not exists (select from pg_depend d where d.objid = p.oid and d.deptype = 'e')
      union all select 'foreign table ' || relname from pg_class
      where relkind = 'f' and relnamespace = current_schema()::regnamespace
      union all select 'comment on index ' || relname from pg_class i
      where relkind in ('i', 'I') and relnamespace = current_schema()::regnamespace
        and obj_description(i.oid, 'pg_class') is not null
      union all select 'table ' || relname || ' without columns' from pg_class c
      where relkind in ('r', 'p') and relnamespace = current_schema()::regnamespace
        and not exists (select from pg_attribute where attrelid = c.oid and attnum > 0 and not attisdropped)
      union all select 'extension ' || extname from pg_extension where extname <> 'plpgsql'
      union all select 'sequence ' || relname from pg_class s
      where relkind = 'S' and relnamespace = current_schema()::regnamespace
        and not exists (select from pg_depend n where n.objid = s.oid and n.deptype in ('i', 'e'))
        and not exists (select from pg_depend n where n.refobjid = s.oid and n.classid = 'pg_attrdef'::regclass)
        and not exists (select from pg_attrdef d where ${sequenceInText} = s.oid)
      union all select 'schema ' || nspname || ' with ' || count(*) || ' tables'
      from pg_namespace n join pg_class c on c.relnamespace = n.oid and c.relkind in ('r', 'p')
      where nspname !~ '^pg_' and nspname not in ('information_schema', current_schema()) group by nspname
      order by words`,
  },
};
