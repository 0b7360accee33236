/** Filters as SQL: and, or, not, and conditions on related rows. */
import { relationTo, type ApiEntity } from './api-model';
import { conditionsIn, readCondition } from './filter-problems';
import type { Filter } from './filters';
import { conditionSql } from './operators';
import { column, joined, ofTenant, tableAs, type Sql, type Writing } from './sql';

const negated = (sql: Sql): Sql => ['not coalesce((', ...sql, '), false)'];

/** @param isStrict of an update or a delete, where an empty value is refused */
export function whereSql(
  writing: Writing,
  entity: ApiEntity,
  table: string,
  filter: Filter,
  isStrict: boolean,
): Sql {
  const within = (one: Filter): Sql => whereSql(writing, entity, table, one, isStrict);
  const all: Sql[] = [];
  for (const word of ['and', 'or'] as const) {
    const parts = filter[word];
    if (parts) all.push(['(', ...joined(parts.map(within), ` ${word} `), ')']);
  }
  if (filter.not) all.push(negated(within(filter.not)));
  for (const word of ['some', 'none', 'every'] as const)
    for (const [relation, one] of Object.entries(filter[word] ?? {})) {
      const found = relationTo(writing.model, relation, entity);
      const [key] = entity.key;
      if (!found || !key) throw new Error(`${relation} does not point to ${entity.name}`);
      const rows = writing.alias();
      const inner = whereSql(writing, found.child, rows, one, isStrict);
      all.push([
        `${word === 'some' ? '' : 'not '}exists (select 1 from ${tableAs(writing, found.child, rows)}`,
        ` where ${column(writing, rows, found.attribute)} = ${column(writing, table, key)}`,
        ...ofTenant(writing, found.child, rows),
        ' and (',
        ...(word === 'every' ? negated(inner) : inner),
        '))',
      ]);
    }
  for (const [name, given] of conditionsIn(filter))
    all.push(attributeSql(writing, entity, table, name, given, isStrict));
  return all.length === 0 ? ['true'] : joined(all, ' and ');
}

function attributeSql(
  writing: Writing,
  entity: ApiEntity,
  table: string,
  name: string,
  given: unknown,
  isStrict: boolean,
): Sql {
  const attribute = entity.attributes.get(name);
  if (!attribute || attribute.hidden) throw new Error(`${entity.name} has no ${name}`);
  const col = column(writing, table, attribute);
  const read = readCondition(attribute, given);
  const condition = { attribute, col, isStrict };
  if ('value' in read)
    return conditionSql(writing, { ...condition, operator: 'eq', given: read.value, isExact: true });
  if ('filter' in read) {
    const target = writing.model.entities.get(attribute.to ?? '');
    const [key] = target?.key ?? [];
    if (!target || !key) throw new Error(`${name} points to no entity`);
    const one = writing.alias();
    return [
      `exists (select 1 from ${tableAs(writing, target, one)} where ${column(writing, one, key)} = ${col}`,
      ...ofTenant(writing, target, one),
      ' and (',
      ...whereSql(writing, target, one, read.filter, isStrict),
      '))',
    ];
  }
  const { caseSensitive = true, ...operators } = read.operators;
  return joined(
    Object.entries(operators).map(([operator, value]) =>
      conditionSql(writing, { ...condition, operator, given: value, isExact: caseSensitive }),
    ),
    ' and ',
  );
}

/** Whether a filter reads other tables. */
export const readsOthers = (entity: ApiEntity, filter: Filter): boolean =>
  filter.some !== undefined ||
  filter.none !== undefined ||
  filter.every !== undefined ||
  (filter.not !== undefined && readsOthers(entity, filter.not)) ||
  [...(filter.and ?? []), ...(filter.or ?? [])].some((one) => readsOthers(entity, one)) ||
  conditionsIn(filter).some(([name, given]) => {
    const attribute = entity.attributes.get(name);
    return attribute !== undefined && 'filter' in readCondition(attribute, given);
  });
