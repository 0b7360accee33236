/** Reads tables of PostgreSQL as an import describes them. */
import { grouped } from './grouped';
import type { NativeNeed, NativePart } from './model';
import { placeOf, unmarked, withNames } from './native';
import type { ExactColumnLine, ReadTable } from './exact-mysql';

/** The sequence that a default `d` names in a text, of which PostgreSQL keeps no dependency. */
export const sequenceInText = `
  to_regclass(substring(pg_get_expr(d.adbin, d.adrelid)
    from 'nextval"{0,1}\\({1,2}''((\\w+|"[^"'']+")(\\.(\\w+|"[^"'']+")){0,1})''::"{0,1}text'))`;

/** Asked with `quote_all_identifiers`: then the names in texts are recognized by their quotes. */
export const exactQuestions = {
  columns: `
    select c.relname as table_name, a.attname as name, a.attnotnull as required,
           format_type(a.atttypid, a.atttypmod) ||
             case when a.attcollation not in (0, y.typcollation) then ' COLLATE ' || a.attcollation::regcollation::text
               else '' end as type,
           case when a.attgenerated <> '' then 'GENERATED ALWAYS AS (' || pg_get_expr(d.adbin, d.adrelid) || ') ' ||
               case a.attgenerated when 'v' then 'VIRTUAL' else 'STORED' end
             when a.attidentity <> '' then 'GENERATED ' ||
               case a.attidentity when 'a' then 'ALWAYS' else 'BY DEFAULT' end || ' AS IDENTITY' ||
               coalesce(' (' || nullif(concat_ws(' ',
                 case when q.seqstart <> case when up then q.seqmin else q.seqmax end then 'START WITH ' || q.seqstart end,
                 case when q.seqincrement <> 1 then 'INCREMENT BY ' || q.seqincrement end,
                 case when q.seqmin <> case when up then 1 else -2 ^ (bits - 1) end then 'MINVALUE ' || q.seqmin end,
                 case when q.seqmax <> case when up then 2 ^ (bits - 1) - 1 else -1 end then 'MAXVALUE ' || q.seqmax end,
                 case when q.seqcache <> 1 then 'CACHE ' || q.seqcache end,
                 case when q.seqcycle then 'CYCLE' end), '') || ')', '')
             when d.oid is not null then 'DEFAULT ' || pg_get_expr(d.adbin, d.adrelid) end as rest,
           col_description(c.oid, a.attnum) as comment
    from pg_attribute a join pg_class c on c.oid = a.attrelid join pg_type y on y.oid = a.atttypid
    left join pg_attrdef d on d.adrelid = a.attrelid and d.adnum = a.attnum
    left join (select n.refobjid, n.refobjsubid, s.*, seqincrement > 0 as up,
                 case seqtypid when 'int2'::regtype then 16 when 'int4'::regtype then 32 else 64 end::numeric as bits
               from pg_depend n join pg_sequence s on s.seqrelid = n.objid
               where n.classid = 'pg_class'::regclass and n.refclassid = 'pg_class'::regclass and n.deptype = 'i') q
      on a.attidentity <> '' and q.refobjid = a.attrelid and q.refobjsubid = a.attnum
    where c.relnamespace = current_schema()::regnamespace and c.relkind in ('r', 'p') and a.attnum > 0
      and not a.attisdropped
    order by c.relname, a.attnum`,
  constraints: `
    select t.relname as table_name, k.conname as name, k.contype as kind, pg_get_constraintdef(k.oid) as text,
           (select json_agg(a.attname order by n) from unnest(k.conkey) with ordinality u(num, n)
            join pg_attribute a on a.attrelid = k.conrelid and a.attnum = u.num) as columns,
           case when f.relnamespace = t.relnamespace then f.relname else k.confrelid::regclass::text end as target,
           (select json_agg(a.attname order by n) from unnest(k.confkey) with ordinality u(num, n)
            join pg_attribute a on a.attrelid = k.confrelid and a.attnum = u.num) as target_columns
    from pg_constraint k join pg_class t on t.oid = k.conrelid left join pg_class f on f.oid = k.confrelid
    where k.contype in ('p', 'u', 'c', 'x', 'f') and t.relnamespace = current_schema()::regnamespace
      and t.relkind in ('r', 'p') and k.conparentid = 0
    order by t.relname, k.conname`,
  indexes: `
    select t.relname as table_name, i.relname as name, x.indisunique as is_unique,
           pg_get_indexdef(x.indexrelid, 0, true) as text,
           m.amname = 'btree' and x.indpred is null and x.indexprs is null and x.indnatts = x.indnkeyatts
             and not exists (select from unnest(x.indoption::smallint[]) o(flags) where flags <> 0)
             and not exists (select from unnest(x.indclass::oid[]) c(id) join pg_opclass p on p.oid = id
                             where not p.opcdefault) as is_plain,
           (select json_agg(a.attname order by n) from unnest(x.indkey::smallint[]) with ordinality u(num, n)
            join pg_attribute a on a.attrelid = x.indrelid and a.attnum = u.num) as columns
    from pg_index x join pg_class i on i.oid = x.indexrelid join pg_class t on t.oid = x.indrelid
    join pg_am m on m.oid = i.relam
    where t.relnamespace = current_schema()::regnamespace and t.relkind in ('r', 'p') and x.indisvalid
      and not exists (select from pg_constraint k where k.conindid = x.indexrelid and k.contype in ('p', 'u', 'x'))
    order by t.relname, i.relname`,
  tables: `
    select c.relname as table_name, c.relpersistence = 'u' as unlogged, pg_get_partkeydef(c.oid) as partitioned,
           array_to_string(c.reloptions, ', ') as options, obj_description(c.oid, 'pg_class') as comment,
           (select json_agg(json_build_object('name', p.relname, 'partition', c.relispartition) order by h.inhseqno)
            from pg_inherits h join pg_class p on p.oid = h.inhparent where h.inhrelid = c.oid) as parents,
           case when c.relispartition then pg_get_expr(c.relpartbound, c.oid) end as bound
    from pg_class c where c.relnamespace = current_schema()::regnamespace and c.relkind in ('r', 'p')
    order by c.relname`,
  needs: `
    select t.relname as table_name, y.typname as name, 'enum' as kind,
           (select '(' || string_agg(quote_literal(enumlabel), ', ' order by enumsortorder) || ')'
            from pg_enum where enumtypid = y.oid) as text, null as owner
    from pg_attribute a join pg_class t on t.oid = a.attrelid
    join pg_type c on c.oid = a.atttypid join pg_type y on y.oid in (c.oid, c.typelem) and y.typtype = 'e'
    where t.relnamespace = current_schema()::regnamespace and y.typnamespace = t.relnamespace
      and t.relkind in ('r', 'p') and a.attnum > 0 and not a.attisdropped
    union
    select t.relname, y.typname, 'domain',
           'AS ' || format_type(y.typbasetype, y.typtypmod) ||
           case when y.typcollation not in (0, b.typcollation) then ' COLLATE ' || y.typcollation::regcollation::text
             else '' end || coalesce(' DEFAULT ' || y.typdefault, '') ||
           case when y.typnotnull then ' NOT NULL' else '' end ||
           coalesce((select string_agg(' CONSTRAINT ' || quote_ident(k.conname) || ' ' || pg_get_constraintdef(k.oid), ''
                     order by k.conname) from pg_constraint k where k.contypid = y.oid and k.contype = 'c'), ''), null
    from pg_attribute a join pg_class t on t.oid = a.attrelid join pg_type y on y.oid = a.atttypid and y.typtype = 'd'
    join pg_type b on b.oid = y.typbasetype
    where t.relnamespace = current_schema()::regnamespace and y.typnamespace = t.relnamespace
      and t.relkind in ('r', 'p') and a.attnum > 0 and not a.attisdropped
    union
    select t.relname, s.relname, 'sequence',
           'AS ' || format_type(q.seqtypid, null) || ' INCREMENT BY ' || q.seqincrement || ' MINVALUE ' || q.seqmin ||
           ' MAXVALUE ' || q.seqmax || ' START WITH ' || q.seqstart || ' CACHE ' || q.seqcache ||
           case when q.seqcycle then ' CYCLE' else '' end,
           (select a.attname from pg_depend o join pg_attribute a on a.attrelid = o.refobjid and a.attnum = o.refobjsubid
            where o.objid = s.oid and o.classid = 'pg_class'::regclass and o.deptype = 'a' and o.refobjid = t.oid)
    from (select d.adrelid, n.refobjid as used from pg_depend n
          join pg_attrdef d on d.oid = n.objid and n.classid = 'pg_attrdef'::regclass
          where n.refclassid = 'pg_class'::regclass
          union select d.adrelid, ${sequenceInText} from pg_attrdef d) d
    join pg_class s on s.oid = d.used and s.relkind = 'S'
    join pg_sequence q on q.seqrelid = s.oid join pg_class t on t.oid = d.adrelid
    where t.relnamespace = current_schema()::regnamespace and s.relnamespace = t.relnamespace
    order by 1, 3, 2`,
} as const;

type Names = readonly string[] | null;

export interface ExactAnswers {
  readonly columns: readonly {
    readonly table_name: string;
    readonly name: string;
    readonly required: boolean;
    readonly type: string;
    readonly rest: string | null;
    readonly comment: string | null;
  }[];
  readonly constraints: readonly {
    readonly table_name: string;
    readonly name: string;
    readonly kind: 'p' | 'u' | 'c' | 'x' | 'f';
    readonly text: string;
    readonly columns: Names;
    readonly target: string | null;
    readonly target_columns: Names;
  }[];
  readonly indexes: readonly {
    readonly table_name: string;
    readonly name: string;
    readonly is_unique: boolean;
    readonly text: string;
    readonly is_plain: boolean;
    readonly columns: Names;
  }[];
  readonly tables: readonly {
    readonly table_name: string;
    readonly unlogged: boolean;
    readonly partitioned: string | null;
    readonly options: string | null;
    readonly comment: string | null;
    readonly parents: readonly { readonly name: string; readonly partition: boolean }[] | null;
    readonly bound: string | null;
  }[];
  readonly needs: readonly (NativeNeed & { readonly table_name: string; readonly owner: string | null })[];
}

export interface ReadPostgresTable extends ReadTable {
  readonly partitionOf?: string;
}

export function readPostgresTables(answers: ExactAnswers): Map<string, ReadPostgresTable> {
  const columns = byTable(answers.columns);
  const constraints = byTable(answers.constraints);
  const indexes = byTable(answers.indexes);
  const needs = byTable(answers.needs);
  const partitions = new Map<string, NativePart[]>();
  for (const { table_name: name, parents, bound } of answers.tables)
    if (bound !== null && parents?.[0]) {
      const its = partitions.get(parents[0].name) ?? [];
      its.push({ kind: 'partition', name, text: unmarked(bound) });
      partitions.set(parents[0].name, its);
    }
  return new Map(
    answers.tables.map((table) => {
      const { table_name: name, unlogged, partitioned, options, comment, parents, bound } = table;
      const its = columns.get(name) ?? [];
      const own = new Set(its.map((one) => one.name));
      const placed = (text: string): string =>
        withNames(text, 'postgresql', (word) => (own.has(word) ? word : undefined));
      const needed = needs.get(name) ?? [];
      const parts: NativePart[] = [
        ...(constraints.get(name) ?? []).map((one) => constraintOf(one, placed)),
        ...(indexes.get(name) ?? []).map((one) => indexOf(one, placed)),
        ...needed.flatMap(({ kind, name: sequence, owner }): NativePart[] =>
          kind === 'sequence' && owner !== null
            ? [{ kind: 'sequence', name: sequence, text: placeOf(owner) }]
            : [],
        ),
        ...(comment === null
          ? []
          : [{ kind: 'comment' as const, name: '', text: unmarked(literal(comment)) }]),
        ...its.flatMap((one): NativePart[] =>
          one.comment === null
            ? []
            : [{ kind: 'comment', name: placeOf(one.name), text: unmarked(literal(one.comment)) }],
        ),
        ...(bound === null
          ? (parents ?? []).map((parent): NativePart => ({ kind: 'inherits', name: parent.name, text: '' }))
          : []),
        ...(partitions.get(name) ?? []),
      ];
      const said = [
        ...(unlogged ? ['UNLOGGED'] : []),
        ...(partitioned === null ? [] : [`PARTITION BY ${placed(partitioned)}`]),
        ...(options === null ? [] : [`WITH (${unmarked(options)})`]),
      ].join(' ');
      return [
        name,
        {
          columns: its.map((one): ExactColumnLine => ({
            name: one.name,
            required: one.required,
            native: {
              dialect: 'postgresql',
              type: one.type,
              ...(one.rest !== null && { rest: placed(one.rest) }),
            },
          })),
          native: {
            dialect: 'postgresql',
            ...(said !== '' && { options: said }),
            needs: needed.map(({ kind, name: what, text }) => ({ kind, name: what, text })),
            parts,
          },
          ...(bound !== null && parents?.[0] && { partitionOf: parents[0].name }),
        },
      ];
    }),
  );
}

const byTable = <T extends { readonly table_name: string }>(rows: readonly T[]): ReadonlyMap<string, T[]> =>
  grouped(rows, ({ table_name }) => table_name);

const literal = (text: string): string => `'${text.replaceAll("'", "''")}'`;

const CONSTRAINTS = { p: 'key', u: 'unique', c: 'check', x: 'check', f: 'foreignKey' } as const;

function constraintOf(
  { kind, name, text, columns, target, target_columns: theirs }: ExactAnswers['constraints'][number],
  placed: (text: string) => string,
): NativePart {
  const word = CONSTRAINTS[kind];
  if (word === 'foreignKey')
    return {
      kind: word,
      name,
      // FOREIGN KEY ("a", "b") REFERENCES "c"("d", "e") ON DELETE SET NULL ("a")
      text: placed(/\) REFERENCES (?:"(?:[^"]|"")*"\.?)+\([^)]*\) ?([\s\S]*)$/.exec(text)?.[1] ?? ''),
      columns: columns ?? [],
      target: target ?? '',
      targetColumns: theirs ?? [],
    };
  const isWhole = /^(?:PRIMARY KEY|UNIQUE) \([^)]*\)$/.test(text);
  return { kind: word, name, text: placed(text), ...(isWhole && columns && { columns }) };
}

const indexOf = (
  { name, is_unique: isUnique, text, is_plain: isPlain, columns }: ExactAnswers['indexes'][number],
  placed: (text: string) => string,
): NativePart => ({
  kind: isUnique ? 'uniqueIndex' : 'index',
  name,
  text: placed(text.slice(text.indexOf(' USING ') + 1)),
  ...(isPlain && columns && { columns }),
});
