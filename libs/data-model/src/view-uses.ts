/** Which columns the views of a database read. Pure. */
import type { ViewRow } from './answers';
import type { ViewUse } from './structure';

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
    return names.flatMap((table) => {
      const its = columnsOf.get(table);
      return its
        ? ['', ...names.filter((column) => its.has(column))].map((column) => ({ view, table, column }))
        : [];
    });
  });
}
