/** What is wrong with an endpoint, for the editor while somebody types, and for the call that saves it. */
import type { ApiEntity, ApiModel } from './api-model';
import type { Block } from './blocks';
import { dataProblems } from './data-problems';
import { endpointShape, parametersOf, type BodyShape, type Endpoint } from './endpoint';
import { filterProblems, isEmpty } from './filter-problems';
import type { Count, Order, Reference } from './filters';
import { LIMITS } from './limits';
import {
  attributeAt,
  entityAt,
  relationAt,
  valueProblems,
  type Path,
  type Problem,
  type Report,
  type Surroundings,
} from './surroundings';
import { isFrom } from './values';

/** Every problem of an endpoint; none: it can be compiled. */
export function problemsOf(given: unknown, model: ApiModel): Problem[] {
  const { data, error } = endpointShape.safeParse(given);
  if (error)
    return error.issues.map(({ path, message }) => ({
      path: path.filter((one) => typeof one !== 'symbol'),
      message,
    }));
  const problems: Problem[] = [];
  endpointProblems(data, model, (path, message) => problems.push({ path, message }));
  return problems;
}

function endpointProblems(endpoint: Endpoint, model: ApiModel, report: Report): void {
  const { path, routeChainMap, blocks, bodyShape, method } = endpoint;
  const parameters = parametersOf(path);
  for (const name of parameters.filter((one, at) => parameters.indexOf(one) !== at))
    report(['path'], `:${name} is in the path twice`);
  if (/^\/auth(?:\/|$)/i.test(path))
    report(['path'], 'paths below /auth belong to the users of the API: choose another one');
  if (method === 'GET' && bodyShape && Object.keys(bodyShape).length > 0)
    report(['bodyShape'], 'a GET has no body');
  if (bodyShape) bodyProblems(bodyShape, ['bodyShape'], report);
  const chain = new Map<string, ApiEntity | undefined>();
  const around = { model, endpoint, chain, report, mapping: undefined };
  const ofRequest = ['params', 'query', 'body', 'user'] as const;
  for (const [name, value] of Object.entries(routeChainMap ?? {})) {
    valueProblems({ ...around, sources: ofRequest }, value, ['routeChainMap', name]);
    chain.set(name, undefined);
  }
  for (const [at, block] of blocks.entries()) {
    const here = ['blocks', at];
    for (const [name, value] of Object.entries(block.chainBlockMap ?? {}))
      valueProblems({ ...around, sources: [...ofRequest, 'chain'] }, value, [...here, 'chainBlockMap', name]);
    blockProblems(
      { ...around, sources: [...ofRequest, 'chain', 'in'], mapping: block.chainBlockMap },
      block,
      here,
    );
    if (block.name !== undefined && chain.has(block.name))
      report([...here, 'name'], `${block.name} is already in the chain: choose another name`);
    const isRow = block.type === 'detail' || block.type === 'insert';
    const row =
      isRow && !('references' in block && block.references) ? model.entities.get(block.entity) : undefined;
    chain.set(String(at), row);
    if (block.name !== undefined) chain.set(block.name, row);
  }
}

function bodyProblems(shape: BodyShape, path: Path, report: Report): void {
  for (const [name, { type, shape: inner, max, list }] of Object.entries(shape)) {
    if (type === 'Object' && inner === undefined) report([...path, name], 'an Object needs a `shape`');
    if (type !== 'Object' && inner !== undefined) report([...path, name, 'shape'], `a ${type} has no shape`);
    if (max !== undefined && type !== 'String' && !list)
      report([...path, name, 'max'], 'only texts and lists have a `max`');
    if (list && max !== undefined && max > LIMITS.list)
      report([...path, name, 'max'], `a list has at most ${LIMITS.list} items`);
    if (inner) bodyProblems(inner, [...path, name, 'shape'], report);
  }
}

function blockProblems(around: Surroundings, block: Block, path: Path): void {
  if (block.type === 'snippet') {
    if (block.ts.trim() === '') around.report([...path, 'ts'], 'the snippet is empty');
    return;
  }
  const entity = entityAt(around, block.entity, [...path, 'entity']);
  if (!entity) return;
  if (block.type === 'list' || block.type === 'detail') {
    projectionProblems(around, entity, block, path);
    referenceProblems(around, entity, block.references, [...path, 'references'], 1);
  }
  if (block.type === 'list') {
    orderProblems(around, entity, block.order, [...path, 'order']);
    for (const word of ['skip', 'take'] as const) countProblems(around, block[word], [...path, word]);
  }
  if (block.type === 'insertMultiple') {
    valueProblems(around, block.each, [...path, 'each']);
    if (block.each.optional || block.each.default !== undefined)
      around.report([...path, 'each'], 'the list has to be in the request: it has no default');
  }
  if ('filters' in block && block.filters)
    filterProblems(around, entity, block.filters, {
      path: [...path, 'filters'],
      mayDrop: block.type === 'list',
      level: 0,
    });
  if (block.type === 'detail' && isEmpty(around.model, entity, block.filters))
    around.report(
      [...path, 'filters'],
      'a detail needs a filter that finds one row, such as { "id": { "$": "params.id" } }',
    );
  if (block.type === 'update' || block.type === 'delete') {
    const word = block.type === 'update' ? 'update' : 'delete';
    if (block.all !== true && isEmpty(around.model, entity, block.filters))
      around.report(
        [...path, 'filters'],
        `these filters fit every row: add a condition, or "all": true to ${word} all rows`,
      );
  }
  if ('data' in block) dataProblems(around, entity, block, path);
}

function countProblems(around: Surroundings, value: Count | undefined, path: Path): void {
  valueProblems(around, value, path);
  if (!isFrom(value)) return;
  if (value.optional) around.report(path, 'a number cannot be optional: give a `default`');
  if (value.default !== undefined && !Number.isInteger(value.default))
    around.report(path, 'the default has to be a whole number');
}

function projectionProblems(
  around: Surroundings,
  entity: ApiEntity,
  { projection, references }: Pick<Reference, 'projection' | 'references'>,
  path: Path,
): void {
  for (const [at, name] of (projection ?? []).entries()) {
    attributeAt(around, entity, name, [...path, 'projection', at]);
    if (projection?.indexOf(name) !== at)
      around.report([...path, 'projection', at], `${name} is in the list twice`);
  }
  for (const [name, { from }] of Object.entries(references ?? {}))
    if (from !== undefined && entity.attributes.has(name))
      around.report(
        [...path, 'references', name],
        `${entity.name} has an attribute ${name}: choose another name`,
      );
}

function referenceProblems(
  around: Surroundings,
  entity: ApiEntity,
  references: Readonly<Record<string, Reference>> | undefined,
  path: Path,
  level: number,
): void {
  const all = Object.entries(references ?? {});
  if (all.length > LIMITS.references) around.report(path, `at most ${LIMITS.references} references`);
  for (const [name, reference] of all) {
    const here = [...path, name];
    if (level > LIMITS.referenceDepth) {
      around.report(here, `at most ${LIMITS.referenceDepth} levels of references`);
      continue;
    }
    const target = referenced(around, entity, name, reference, here);
    if (!target) continue;
    projectionProblems(around, target, reference, here);
    if (reference.filters)
      filterProblems(around, target, reference.filters, {
        path: [...here, 'filters'],
        mayDrop: true,
        level: 0,
      });
    if (reference.from === undefined)
      for (const word of ['order', 'take'] as const)
        if (reference[word] !== undefined) around.report([...here, word], `one row has no \`${word}\``);
    orderProblems(around, target, reference.order, [...here, 'order']);
    referenceProblems(around, target, reference.references, [...here, 'references'], level + 1);
  }
}

function referenced(
  around: Surroundings,
  entity: ApiEntity,
  name: string,
  { from }: Reference,
  path: Path,
): ApiEntity | undefined {
  if (from === undefined) {
    const attribute = attributeAt(around, entity, name, path);
    if (!attribute) return undefined;
    if (attribute.to !== undefined) return entityAt(around, attribute.to, path);
    around.report(
      path,
      `${name} points to no entity: for rows that point here, add "from": "OrderLine.order"`,
    );
    return undefined;
  }
  const found = relationAt(around, entity, from, [...path, 'from']);
  return found && entityAt(around, found.child.name, [...path, 'from']);
}

function orderProblems(
  around: Surroundings,
  entity: ApiEntity,
  order: Order | Order[] | undefined,
  path: Path,
): void {
  for (const [at, { by }] of [order ?? []].flat().entries()) {
    const here = Array.isArray(order) ? [...path, at, 'by'] : [...path, 'by'];
    const attribute = attributeAt(around, entity, by, here);
    if (attribute && !attribute.comparable) around.report(here, `rows cannot be ordered by ${by}`);
  }
}
