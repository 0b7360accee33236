/** Where a problem of a definition is found, and what its names and places may be there. */
import {
  pointingAt,
  relationTo,
  shownOf,
  type ApiAttribute,
  type ApiEntity,
  type ApiModel,
} from './api-model';
import { parametersOf, type BodyShape, type Endpoint } from './endpoint';
import { meant } from './nearest';
import { isFrom, type Mapping, type Source } from './values';

export interface Problem {
  /** `['blocks', 0, 'filters', 'customer']` */
  readonly path: readonly (string | number)[];
  /** A sentence without a full stop: what is wrong, and what would be right. */
  readonly message: string;
}
export type Path = Problem['path'];
export type Report = (path: Path, message: string) => void;

/** What a value of one place may come from. */
export interface Surroundings {
  readonly model: ApiModel;
  readonly endpoint: Endpoint;
  readonly sources: readonly Source[];
  /** Names of the chain so far, with the entity of the row, if the value is one. */
  readonly chain: ReadonlyMap<string, ApiEntity | undefined>;
  readonly mapping: Mapping | undefined;
  readonly report: Report;
}

/** Whether a value's place exists, as far as the definition tells. */
export function valueProblems(around: Surroundings, value: unknown, path: Path): void {
  if (!isFrom(value)) return;
  const { sources, endpoint, chain, mapping, report } = around;
  const [source = '', first, ...rest] = value.$.split('.');
  const unknown = (name: string, names: Iterable<string>, where: string): void => {
    const all = [...names];
    report(path, `${where} ${name}${meant(name, all)}`);
  };
  if (!sources.includes(source as Source)) {
    report(path, `${source} cannot be used here: use ${sources.join(', ')}`);
    return;
  }
  if (source === 'user' && (endpoint.permissions ?? []).length === 0)
    report(path, 'nobody is signed in, because the endpoint asks for no permission');
  if (source === 'params') {
    const names = parametersOf(endpoint.path);
    if (first === undefined) report(path, 'name one of the parameters: params.id');
    else if (!names.includes(first)) unknown(first, names, 'the path has no parameter');
  }
  if (source === 'body') {
    if (endpoint.method === 'GET') report(path, 'a GET has no body: use query');
    else if (endpoint.bodyShape) inBody(endpoint.bodyShape, [first, ...rest]);
  }
  if (source === 'in' && first !== undefined && !Object.hasOwn(mapping ?? {}, first))
    unknown(first, Object.keys(mapping ?? {}), '`chainBlockMap` has no name');
  if (source === 'chain') {
    if (first === undefined) report(path, 'name a block or a name of `routeChainMap`: chain.order');
    else if (!chain.has(first)) unknown(first, chain.keys(), 'the chain has, before this block, no');
    else {
      const row = chain.get(first);
      const [attribute] = rest;
      if (row && attribute !== undefined && row.attributes.get(attribute)?.hidden !== false)
        unknown(
          attribute,
          shownOf(row).map(({ name }) => name),
          `${row.name} has no attribute`,
        );
    }
  }

  function inBody(shape: BodyShape, names: (string | undefined)[]): void {
    const [name, ...deeper] = names;
    if (name === undefined) return;
    const field = Object.hasOwn(shape, name) ? shape[name] : undefined;
    if (!field) unknown(name, Object.keys(shape), '`bodyShape` has no field');
    else if (field.shape && !field.list) inBody(field.shape, deeper);
  }
}

/** Undefined, and reported, if a definition may not name it. */
export function attributeAt(
  around: Pick<Surroundings, 'report'>,
  entity: ApiEntity,
  name: string,
  path: Path,
): ApiAttribute | undefined {
  const found = entity.attributes.get(name);
  if (!found) {
    const names = shownOf(entity).map((one) => one.name);
    around.report(path, `Could not find field ${name} in ${entity.name}${meant(name, names)}`);
    return undefined;
  }
  if (!found.hidden) return found;
  around.report(path, `${name} is never shown, so nothing can be asked about it`);
  return undefined;
}

export function entityAt(around: Surroundings, name: string, path: Path): ApiEntity | undefined {
  const entity = around.model.entities.get(name);
  if (!entity) around.report(path, `there is no entity ${name}${meant(name, around.model.entities.keys())}`);
  else if (entity.lacksTenant)
    around.report(
      path,
      `${name} has no ${around.model.tenant}, so the rows of all tenants would mix: add it, or share the entity`,
    );
  return entity;
}

/** Undefined, and reported, if no such relation points to the entity. */
export function relationAt(around: Surroundings, entity: ApiEntity, relation: string, path: Path) {
  const found = relationTo(around.model, relation, entity);
  if (found && entity.key.length === 1) return found;
  const names = pointingAt(around.model, entity);
  around.report(
    path,
    `no relation ${relation} points to ${entity.name}${meant(relation, names) || (names.length > 0 ? `: there are ${names.slice(0, 10).join(', ')}` : '')}`,
  );
  return undefined;
}
