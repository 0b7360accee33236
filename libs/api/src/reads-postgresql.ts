/** Rows with their related rows as one statement of PostgreSQL, which makes the JSON. */
import { shownOf, type ApiEntity } from './api-model';
import type { Reference } from './filters';
import { LIMITS } from './limits';
import { quoted } from '@quarterdeck/data-model';
import { shownSql } from './shown';
import { column, joined, ofTenant, ordered, tableAs, type Sql, type Writing } from './sql';
import { targetOf } from './targets';
import { whereSql } from './where';

export type Shown = Pick<Reference, 'projection' | 'references'>;

/** The columns of a row's JSON: attributes, then references. A reference replaces the key of the same name. */
export function columnsSql(writing: Writing, entity: ApiEntity, table: string, shown: Shown): Sql {
  const { references = {} } = shown;
  const attributes = shownOf(entity).filter(
    ({ name }) => !Object.hasOwn(references, name) && (!shown.projection || shown.projection.includes(name)),
  );
  return joined(
    [
      ...attributes.map((one): Sql => [
        `${shownSql(writing, table, one)} as ${quoted(one.name, 'postgresql')}`,
      ]),
      ...Object.entries(references).map(([name, one]): Sql => [
        ...relatedSql(writing, entity, table, name, one),
        ` as ${quoted(name, 'postgresql')}`,
      ]),
    ],
    ', ',
  );
}

/** The related rows of one row. To-one: an object or null. To-many: a list of at most `take` rows. */
function relatedSql(
  writing: Writing,
  entity: ApiEntity,
  table: string,
  name: string,
  reference: Reference,
): Sql {
  const { target, own, its, isMany } = targetOf(writing.model, entity, name, reference);
  const [rows, made] = [writing.alias(), writing.alias()];
  const { filters, take = LIMITS.relatedByDefault, order = [] } = reference;
  const inner: Sql = [
    'select ',
    ...columnsSql(writing, target, rows, reference),
    ` from ${tableAs(writing, target, rows)} where ${column(writing, rows, its)} = ${column(writing, table, own)}`,
    ...ofTenant(writing, target, rows),
    ...(filters ? [' and (', ...whereSql(writing, target, rows, filters, false), ')'] : []),
    isMany ? `${ordered(writing, target, rows, [order].flat())} limit ${take}` : ' limit 1',
  ];
  return isMany
    ? [`(select coalesce(json_agg(${made}), '[]'::json) from (`, ...inner, `) ${made})`]
    : [`(select row_to_json(${made}) from (`, ...inner, `) ${made})`];
}
