/**
 * Rows with their related rows in MySQL and MariaDB: to-one by joins, to-many by one more statement each. Their JSON
 * functions cut long lists, know no order, and show flags as numbers.
 */
import { shownOf, type ApiAttribute, type ApiEntity } from './api-model';
import type { Reference } from './filters';
import { LIMITS } from './limits';
import type { Shown } from './reads-postgresql';
import { shownSql } from './shown';
import { column, joined, ofTenant, ordered, packed, tableAs, type Sql, type Writing } from './sql';
import { targetOf } from './targets';
import { whereSql } from './where';

/** How the JSON of a row is made of its columns. */
export interface Tree {
  readonly columns: readonly { readonly name: string; readonly as: string; readonly of: ApiAttribute }[];
  /** `present`: the column that says whether there is such a row. */
  readonly ones: readonly { readonly name: string; readonly present: string; readonly tree: Tree }[];
  readonly manys: readonly Many[];
}

/** Rows that point to the rows of another statement. */
export interface Many {
  readonly name: string;
  /** The column of the pointed-at row with its key. */
  readonly key: string;
  /** The column of these rows that has the same value. */
  readonly parent: string;
  /** Needs `keys`. */
  readonly sql: Sql;
  readonly tree: Tree;
}

interface Select {
  readonly columns: string[];
  readonly joins: Sql[];
}

/** Starts a select: `as` adds a column, and says how it is called. */
const selecting = () => {
  const select: Select = { columns: [], joins: [] };
  const as = (sql: string): string => {
    const name = `c${select.columns.length}`;
    select.columns.push(`${sql} as ${name}`);
    return name;
  };
  return { select, as };
};

function treeOf(
  writing: Writing,
  entity: ApiEntity,
  table: string,
  shown: Shown,
  into: ReturnType<typeof selecting>,
): Tree {
  const { references = {}, projection } = shown;
  const { as, select } = into;
  const columns = shownOf(entity)
    .filter(({ name }) => !Object.hasOwn(references, name) && (!projection || projection.includes(name)))
    .map((of) => ({ name: of.name, of, as: as(shownSql(writing, table, of)) }));
  const ones: Tree['ones'][number][] = [];
  const manys: Many[] = [];
  for (const [name, reference] of Object.entries(references)) {
    const { target, own, its, isMany } = targetOf(writing.model, entity, name, reference);
    if (isMany) {
      const key = as(shownSql(writing, table, own));
      manys.push({ name, key, ...manyOf(writing, target, its, reference) });
      continue;
    }
    const one = writing.alias();
    select.joins.push([
      ` left join ${tableAs(writing, target, one)} on ${column(writing, one, its)} = ${column(writing, table, own)}`,
      ...ofTenant(writing, target, one),
      ...(reference.filters
        ? [' and (', ...whereSql(writing, target, one, reference.filters, false), ')']
        : []),
    ]);
    const present = as(`${column(writing, one, its)} is not null`);
    ones.push({ name, present, tree: treeOf(writing, target, one, reference, into) });
  }
  return { columns, ones, manys };
}

const NUMBER = '_quarterdeck';

function manyOf(
  writing: Writing,
  target: ApiEntity,
  its: ApiAttribute,
  reference: Reference,
): Omit<Many, 'name' | 'key'> {
  const { filters, take = LIMITS.relatedByDefault, order = [] } = reference;
  const [rows, base] = [writing.alias(), writing.alias()];
  const into = selecting();
  const tree = treeOf(writing, target, rows, reference, into);
  const parent = into.as(shownSql(writing, rows, its));
  const by = column(writing, base, its);
  return {
    parent,
    tree,
    sql: packed([
      `select ${into.select.columns.join(', ')} from (select ${base}.*, row_number() over (partition by ${by}`,
      `${ordered(writing, target, base, [order].flat())}) as ${NUMBER} from ${tableAs(writing, target, base)}`,
      ` where ${by} in (`,
      { earlier: 'keys', of: its },
      ')',
      ...ofTenant(writing, target, base),
      ...(filters ? [' and (', ...whereSql(writing, target, base, filters, false), ')'] : []),
      `) ${rows}`,
      ...into.select.joins.flat(),
      ` where ${rows}.${NUMBER} <= ${take} order by ${rows}.${NUMBER}`,
    ]),
  };
}

/** @param rest what follows the joins */
export function selectSql(
  writing: Writing,
  entity: ApiEntity,
  table: string,
  shown: Shown,
  rest: Sql,
): { sql: Sql; tree: Tree } {
  const into = selecting();
  const tree = treeOf(writing, entity, table, shown, into);
  const { columns, joins } = into.select;
  return {
    tree,
    sql: packed([
      `select ${columns.join(', ')} from ${tableAs(writing, entity, table)}`,
      ...joined(joins, ''),
      ...rest,
    ]),
  };
}

/** The statements of related rows, at every level. */
export const statementsIn = ({ ones, manys }: Tree): Sql[] => [
  ...ones.flatMap(({ tree }) => statementsIn(tree)),
  ...manys.flatMap(({ sql, tree }) => [sql, ...statementsIn(tree)]),
];
