/** Which columns the views of a database read. Pure. */
import type { ViewUse } from './structure';

export const viewQuestions = {
  /** With all names quoted. Empty if the user may not see it. */
  mysql: `
    select table_name as name, view_definition as definition from information_schema.views
    where table_schema = database() order by table_name`,
  postgresql: `
    select distinct v.relname as view, t.relname as table_name, a.attname as column_name
    from pg_depend d join pg_rewrite r on d.classid = 'pg_rewrite'::regclass and r.oid = d.objid
    join pg_class v on v.oid = r.ev_class and v.relkind in ('v', 'm')
    join pg_class t on d.refclassid = 'pg_class'::regclass and t.oid = d.refobjid and t.relkind in ('r', 'p')
    join pg_attribute a on a.attrelid = t.oid and a.attnum = d.refobjsubid
    where t.relnamespace = current_schema()::regnamespace and d.refobjsubid > 0
    order by v.relname, t.relname, a.attname`,
};

export interface ViewRow {
  readonly name: string;
  readonly definition?: string | null;
}

interface ReadTable {
  readonly name: string;
  readonly columns: readonly { readonly name: string }[];
}

/** MySQL names no columns, but writes each name of a definition in backquotes. */
export function usesFrom(views: readonly ViewRow[], tables: readonly ReadTable[]): ViewUse[] {
  const columnsOf = new Map(
    tables.map(({ name, columns }) => [name, new Set(['id', ...columns.map((column) => column.name)])]),
  );
  return views.flatMap(({ name: view, definition }) => {
    const quotedNames = (definition ?? '').matchAll(/`((?:[^`]|``)*)`/g);
    const names = [...new Set([...quotedNames].map(([, name = '']) => name.replaceAll('``', '`')))];
    return names.flatMap((table) =>
      names.filter((column) => columnsOf.get(table)?.has(column)).map((column) => ({ view, table, column })),
    );
  });
}
