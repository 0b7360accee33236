/** Random models, rows, definitions and requests, from a seed. */
import {
  apiModelOf,
  pointingAt,
  type ApiAttribute,
  type ApiEntity,
  type ApiModel,
  type CrudBlock,
  type Filter,
  type Reference,
  type Values,
} from '@quarterdeck/api';
import type { Attribute, AttributeType, Dialect, Entity, Model } from '@quarterdeck/data-model';
import { jsonOf, type Row, type State } from './oracle-values';

export interface Dice {
  /** A whole number below `most`. */
  below(most: number): number;
  one<T>(list: readonly T[]): T;
  chance(share: number): boolean;
}

/** The same numbers for the same seed. */
export function dice(seed: number): Dice {
  let state = (seed * 2_654_435_761) >>> 0;
  const next = (): number => {
    state = (state + 0x6d_2b_79_f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const below = (most: number): number => Math.floor(next() * most);
  return { below, one: (list) => list[below(list.length)] as never, chance: (share) => next() < share };
}

export const TENANTS = ['1', '2'] as const;

/** Texts that break out of quotes, patterns, lists and JSON, if anything lets them. */
export const TEXTS = [
  '',
  ' ',
  'a',
  'A',
  'a ',
  'ab',
  "O'Hara",
  '"',
  '`',
  '\\',
  '%',
  '_',
  '!',
  'a%b',
  "'; drop table x; --",
  '$1',
  '?',
  ':a',
  'é',
  '😀',
  'null',
  '{"$":"user.id"}',
  '1,2',
  '\n',
];
const VALUES: Record<string, readonly unknown[]> = {
  String: TEXTS,
  Int: [0, 1, -1, 7, 2_147_483_647, -2_147_483_648],
  Long: ['0', '9007199254740993', '9007199254740992', '-9223372036854775808', '9223372036854775807'],
  Boolean: [true, false],
  LocalDate: ['2026-11-28', '2024-02-29', '1000-01-01', '9999-12-31'],
  LocalDateTime: [
    '2026-11-28T13:30:00',
    '2026-11-28T13:30:00.5',
    '2026-11-28T13:30:00.000001',
    '1999-12-31T23:59:59',
  ],
  LocalTime: ['00:00:00', '13:30:00', '13:30:00.25', '23:59:59.999999'],
  BigDecimal: ['0', '1.5', '-0.0000000001', '1234567890123456789012345678.1234567891', '-1.5'],
  Double: [0, 1.5, -0.25, 1e10, 0.1],
  JSON: [{}, [], { a: [1, "'"] }, 'text', 0, false],
  Uuid: [1, 2, 3].map(uuidOf),
};

export function uuidOf(number: number): string {
  return `01930000-0000-7000-8000-${String(number).padStart(12, '0')}`;
}

const TYPES = Object.keys(VALUES).filter((type) => type !== 'Uuid') as AttributeType[];

export function randomModel(d: Dice, dialect: Dialect): { model: Model; api: ApiModel; all: ApiModel } {
  const hasTenants = d.chance(0.6);
  const ids = ['Alpha', 'Beta part', 'Gamma'].slice(0, 2 + d.below(2));
  const entities = ids.map((name, at): Entity => {
    const attributes: Attribute[] = Array.from({ length: 2 + d.below(4) }, (_, number) => ({
      id: `${name}${number}`,
      name: `Field ${number}`,
      type: d.one(TYPES),
      optional: d.chance(0.6),
    }));
    attributes.push({ id: `${name}s`, name: 'Secret code', type: 'String', optional: true });
    attributes.push({ id: `${name}t`, name: 'Title', type: 'String', optional: d.chance(0.5) });
    for (const [number, target] of ids.slice(0, at + 1).entries())
      if (number === at || d.chance(0.8))
        attributes.push({
          id: `${name}r${number}`,
          name: `To ${target}`,
          type: 'ForeignKey',
          foreignEntity: target,
          optional: number === at || d.chance(0.5),
        });
    if (hasTenants && (at > 0 || d.chance(0.5)))
      attributes.push({ id: `${name}tenant`, name: 'Tenant', type: 'Long', optional: false });
    return { id: name, name, isUuid: d.chance(0.5), attributes };
  });
  const model = { entities, optionSets: [] };
  const options = hasTenants ? { tenant: 'tenant', shared: ['Alpha'] } : {};
  return { model, api: apiModelOf(model, dialect, options), all: apiModelOf(model, dialect) };
}

export function randomState(d: Dice, { entities }: ApiModel): State {
  const state: State = new Map();
  for (const entity of entities.values()) {
    const rows: Row[] = [];
    const [key] = entity.key;
    for (let number = 1; number <= d.below(9); number += 1) {
      const row: Row = { id: key?.type === 'Uuid' ? uuidOf(number) : String(number) };
      for (const attribute of entity.attributes.values()) {
        const { name, to, optional } = attribute;
        if (name === 'id') continue;
        if (name === 'tenant') row[name] = d.one(TENANTS);
        else if (optional && d.chance(0.3)) row[name] = null;
        else if (to === undefined) row[name] = jsonOf(attribute, d.one(VALUES[attribute.type] as unknown[]));
        else
          row[name] = d.one([...(state.get(to) ?? []), ...(to === entity.name ? rows : [])])?.['id'] ?? null;
      }
      const isWhole = [...entity.attributes.values()].every(
        ({ name, optional }) => optional || row[name] !== null,
      );
      if (isWhole) rows.push(row);
    }
    state.set(entity.name, rows);
  }
  return state;
}

/** Values for a place in the request: right ones, wrong ones, none. */
const WRONG = [
  null,
  '',
  {},
  { $gt: 0 },
  [],
  ['a'],
  [null],
  { eq: 1 },
  true,
  '1 or 1=1',
  '\0',
  1e30,
  'x'.repeat(300),
  '2026-02-30',
  { $: 'user.secret' },
];

interface Making {
  readonly d: Dice;
  readonly model: ApiModel;
  /** What the places of the definition should get. */
  readonly query: Record<string, unknown>;
}

function valueFor(
  { d, query }: Making,
  attribute: ApiAttribute,
  where: 'read' | 'write' | 'fixed',
  isList = false,
): unknown {
  const good = (): unknown =>
    attribute.to === undefined || d.chance(0.3)
      ? d.one(VALUES[attribute.type] as unknown[])
      : attribute.type === 'Uuid'
        ? uuidOf(1 + d.below(9))
        : String(1 + d.below(9));
  const list = (): unknown[] => Array.from({ length: d.below(4) }, good);
  if (d.chance(0.4)) return isList ? list() : good();
  const name = `v${Object.keys(query).length}`;
  const roll = d.below(20);
  query[name] = roll < 16 ? (isList ? list() : good()) : roll < 19 ? d.one(WRONG) : undefined;
  return {
    $: `query.${name}`,
    ...(where === 'read' && d.chance(0.3)
      ? { optional: true }
      : d.chance(0.2) && !isList && { default: good() }),
  };
}

const askable = (entity: ApiEntity): ApiAttribute[] =>
  [...entity.attributes.values()].filter(({ hidden }) => !hidden);

export function randomFilter(making: Making, entity: ApiEntity, depth: number, mayDrop: boolean): Filter {
  const { d, model } = making;
  const filter: Record<string, unknown> = {};
  for (let number = d.below(3); number >= 0; number -= 1) {
    const roll = d.below(depth > 2 ? 6 : 10);
    if (roll < 6) {
      const attribute = d.one(askable(entity));
      filter[attribute.name] = conditionFor(making, attribute, depth, mayDrop);
    } else if (roll === 6) {
      const parts = Array.from({ length: 1 + d.below(2) }, () =>
        randomFilter(making, entity, depth + 1, mayDrop),
      );
      filter[d.one(['and', 'or'])] = parts;
    } else if (roll === 7) filter.not = randomFilter(making, entity, depth + 1, false);
    else {
      const relations = pointingAt(model, entity);
      if (relations.length === 0) continue;
      const word = d.one(['some', 'none', 'every']);
      const relation = d.one(relations);
      const child = model.entities.get(relation.split('.')[0] ?? '') as ApiEntity;
      filter[word] = {
        [relation]: d.chance(0.2) ? {} : randomFilter(making, child, depth + 1, mayDrop && word === 'some'),
      };
    }
  }
  return filter as Filter;
}

function conditionFor(making: Making, attribute: ApiAttribute, depth: number, mayDrop: boolean): unknown {
  const { d, model } = making;
  const where = mayDrop ? 'read' : 'fixed';
  if (attribute.to !== undefined && depth < 3 && d.chance(0.4))
    return randomFilter(making, model.entities.get(attribute.to) as ApiEntity, depth + 1, mayDrop);
  if (d.chance(0.1)) return d.one([null, { isNull: true }, { isNull: false }, { neq: null }]);
  if (attribute.type === 'JSON') return { isNull: d.chance(0.5) };
  const isText = attribute.type === 'String';
  const operators = [
    'eq',
    'neq',
    'in',
    'notIn',
    ...(isText
      ? ['contains', 'startsWith', 'endsWith']
      : ['Boolean', 'Uuid'].includes(attribute.type)
        ? []
        : ['lt', 'lte', 'gt', 'gte']),
  ];
  const operator = d.one(operators);
  const isList = operator === 'in' || operator === 'notIn';
  const value = valueFor(making, attribute, where, isList);
  if (operator === 'eq' && d.chance(0.5)) return value;
  return { [operator]: value, ...(isText && d.chance(0.3) && { caseSensitive: d.chance(0.5) }) };
}

function randomOrder(d: Dice, entity: ApiEntity) {
  // Engines order texts by their own rules.
  const able = askable(entity).filter(
    ({ comparable, type, name }) => comparable && type !== 'String' && name !== 'id',
  );
  return able.length === 0 || d.chance(0.4) ? undefined : [{ by: d.one(able).name, desc: d.chance(0.5) }];
}

function randomReferences(
  making: Making,
  entity: ApiEntity,
  depth: number,
): Record<string, Reference> | undefined {
  const { d, model } = making;
  const references: Record<string, Reference> = {};
  for (const { name, to } of askable(entity)) {
    const target = model.entities.get(to ?? '');
    if (!target || d.chance(0.5)) continue;
    references[name] = {
      ...(d.chance(0.3) && { filters: randomFilter(making, target, 2, true) }),
      ...(d.chance(0.3) && { projection: [d.one(askable(target)).name] }),
      ...(depth < 2 && { references: randomReferences(making, target, depth + 1) }),
    };
  }
  for (const [at, from] of pointingAt(model, entity).entries()) {
    if (d.chance(0.5)) continue;
    const child = model.entities.get(from.split('.')[0] ?? '') as ApiEntity;
    references[`rows${at}`] = {
      from,
      ...(d.chance(0.3) && { filters: randomFilter(making, child, 2, true) }),
      ...(d.chance(0.5) && { order: randomOrder(d, child) }),
      ...(d.chance(0.5) && { take: 1 + d.below(3) }),
      ...(depth < 2 && { references: randomReferences(making, child, depth + 1) }),
    };
  }
  return Object.keys(references).length === 0 ? undefined : references;
}

function randomData(making: Making, entity: ApiEntity, isInsert: boolean): Record<string, unknown> {
  const { d } = making;
  const data: Record<string, unknown> = {};
  for (const attribute of entity.attributes.values()) {
    const { name, optional } = attribute;
    if (name === 'id' || name === 'tenant') continue;
    if (isInsert ? optional && d.chance(0.4) : d.chance(0.5)) continue;
    if (attribute.type === 'JSON') {
      const place = `v${Object.keys(making.query).length}`;
      making.query[place] = d.one(VALUES['JSON'] as unknown[]);
      data[name] = { $: `query.${place}` };
    } else data[name] = optional && d.chance(0.1) ? null : valueFor(making, attribute, 'write');
  }
  return data;
}

/** A block, and a request for it. Some of them have problems, and are never compiled. */
export function randomCall(d: Dice, model: ApiModel): { block: CrudBlock; values: Values } {
  const query: Record<string, unknown> = {};
  const making: Making = { d, model, query };
  const entity = d.one([...model.entities.values()]);
  const type = d.one([
    'list',
    'list',
    'list',
    'detail',
    'insert',
    'insertMultiple',
    'update',
    'delete',
  ] as const);
  const read = { references: d.chance(0.5) ? randomReferences(making, entity, 1) : undefined };
  const block = (): object => {
    switch (type) {
      case 'list':
        return {
          ...read,
          filters: randomFilter(making, entity, 0, true),
          order: randomOrder(d, entity),
          ...(d.chance(0.3) && { take: 1 + d.below(4), skip: d.below(3) }),
        };
      case 'detail':
        return {
          ...read,
          filters: d.chance(0.5)
            ? { id: valueFor(making, entity.key[0] as ApiAttribute, 'fixed') }
            : randomFilter(making, entity, 0, false),
        };
      case 'insert':
        return { data: randomData(making, entity, true) };
      case 'insertMultiple':
        query['items'] = Array.from({ length: d.below(4) }, (_, at) => ({ at }));
        return { each: { $: 'query.items' }, data: randomData(making, entity, true) };
      default:
        return {
          filters: randomFilter(making, entity, 0, false),
          ...(d.chance(0.2) && { all: true }),
          ...(type === 'update' && { data: randomData(making, entity, false) }),
        };
    }
  };
  const made = JSON.parse(JSON.stringify({ type, entity: entity.name, ...block() })) as CrudBlock;
  const values: Values = {
    params: {},
    query: JSON.parse(JSON.stringify(query)) as object,
    body: null,
    user: null,
    chain: {},
    in: {},
    now: '2026-11-28T13:30:00.000000',
    tenant: d.one(TENANTS),
  };
  return { block: made, values };
}
