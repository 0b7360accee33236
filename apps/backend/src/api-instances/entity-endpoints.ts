/** The five endpoints of an entity: list, detail, insert, update and delete. Pure. */
import type { ApiAttribute, ApiEntity, Block, BodyShape, Endpoint } from '@quarterdeck/api';

/** `OrderLine` as `order-line`. */
const segmentOf = (name: string): string => name.replaceAll(/([a-z0-9])([A-Z])/g, '$1-$2').toLowerCase();

const isSent =
  (entity: ApiEntity) =>
  (one: ApiAttribute): boolean =>
    one.writable && !one.hidden && one !== entity.tenant && !(one.hasDefault && entity.key.includes(one));

const shapeOf = (attributes: readonly ApiAttribute[]): BodyShape =>
  Object.fromEntries(
    attributes.map(({ name, type, optional, hasDefault }) => [
      name,
      { type, ...((optional || hasDefault) && { optional: true }) },
    ]),
  );

const dataOf = (attributes: readonly ApiAttribute[]) =>
  Object.fromEntries(
    attributes.map(({ name, optional }) => [name, { $: `body.${name}`, ...(optional && { default: null }) }]),
  );

/**
 * Users and administrators may call them. Paths have the entity in the singular, and each part of its key.
 *
 * @returns none if rows cannot be told apart, or have nothing that could be set
 */
export const endpointsOf = (entity: ApiEntity): Endpoint[] => {
  // Without its value a column with a default has no place in the body of an insert.
  const sent = [...entity.attributes.values()]
    .filter(isSent(entity))
    .filter((one) => !one.hasDefault || one.optional);
  const changed = sent.filter((one) => !entity.key.includes(one));
  if (entity.key.length === 0 || changed.length === 0) return [];
  const { name } = entity;
  const all = `/${segmentOf(name)}`;
  const one = [all, ...entity.key.map((key) => `:${key.name}`)].join('/');
  const filters = Object.fromEntries(entity.key.map((key) => [key.name, { $: `params.${key.name}` }]));
  const made = (
    method: Endpoint['method'],
    path: string,
    block: Block,
    more: Partial<Endpoint> = {},
  ): Endpoint => ({
    method,
    path,
    permissions: ['app', 'admin'],
    statusOut: 200,
    tag: name,
    blocks: [block],
    ...more,
  });
  return [
    made('GET', all, {
      type: 'list',
      entity: name,
      skip: { $: 'query.skip', default: 0 },
      take: { $: 'query.take', default: 25 },
    }),
    made('GET', one, { type: 'detail', entity: name, filters }),
    made(
      'POST',
      all,
      { type: 'insert', entity: name, data: dataOf(sent) },
      { statusOut: 201, bodyShape: shapeOf(sent) },
    ),
    made(
      'PUT',
      one,
      { type: 'update', entity: name, filters, data: dataOf(changed) },
      { bodyShape: shapeOf(changed) },
    ),
    made('DELETE', one, { type: 'delete', entity: name, filters }),
  ];
};
