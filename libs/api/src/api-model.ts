/** What the language knows of a product's data model: names for JSON, columns, types, relations and tenants. */
import {
  columnOf,
  fillsItself,
  keyAttributeOf,
  nativeOf,
  tableOf,
  type Attribute,
  type AttributeType,
  type Dialect,
  type Entity,
  type Model,
} from '@quarterdeck/data-model';
import { FILTER_WORDS } from './filters';

/** Of a relation: the type of the key that it points to. */
export type ApiType = Exclude<AttributeType, 'ForeignKey'> | 'Uuid';

export interface ApiAttribute {
  /** How definitions and answers name it: `First name` is `firstName`. */
  readonly name: string;
  readonly column: string;
  readonly type: ApiType;
  readonly optional: boolean;
  /** The entity that a to-one relation points to. */
  readonly to?: string | undefined;
  /** Never shown, and nothing can be asked about it: a password hash. It may be written. */
  readonly hidden: boolean;
  /** The database has a value for it if an insert does not. */
  readonly hasDefault: boolean;
  /** False: the database computes it, or no JSON can express it. */
  readonly writable: boolean;
  /** False: filters can only tell whether it is empty, and nothing is ordered by it. */
  readonly comparable: boolean;
  /** PostgreSQL only: compared as text, because the column has a type of its own, such as an enum. */
  readonly asText: boolean;
  /** Longest text, in characters. */
  readonly length?: number | undefined;
  /** The keys of its option set. */
  readonly options?: readonly number[] | undefined;
  /** The words of the engine for its type, of an imported column. */
  readonly native?: string | undefined;
}

export interface ApiEntity {
  /** `Order line` is `OrderLine`. */
  readonly name: string;
  readonly table: string;
  readonly attributes: ReadonlyMap<string, ApiAttribute>;
  /** One attribute of most entities. Imported tables may have several, or none. */
  readonly key: readonly ApiAttribute[];
  /** Says to which tenant a row belongs. Of the tenants themselves: the key. */
  readonly tenant?: ApiAttribute | undefined;
  /** In a product with tenants: it has neither a tenant nor the word that it is for all of them. */
  readonly lacksTenant: boolean;
}

export interface ApiModel {
  readonly dialect: Dialect;
  readonly entities: ReadonlyMap<string, ApiEntity>;
  /** The relation or attribute that says which tenant a row belongs to. */
  readonly tenant?: string | undefined;
}

export interface ApiOptions {
  /** The attribute that says to which tenant a row belongs. If set, every entity needs it, or is shared. */
  readonly tenant?: string | undefined;
  /** Entities whose rows belong to all tenants. */
  readonly shared?: readonly string[] | undefined;
  /** `User.resetCode`: hidden as well. Passwords, hashes, salts and secrets always are. */
  readonly hidden?: readonly string[] | undefined;
}

const words = (name: string): string[] =>
  name
    .normalize('NFD')
    .replaceAll(/[\u0300-\u036f]/g, '')
    .replaceAll('ß', 'ss')
    .replaceAll(/([a-z0-9])([A-Z])/g, '$1 $2')
    .split(/[^A-Za-z0-9]+/)
    .filter((word) => word !== '');

const capital = (word: string): string => word.slice(0, 1).toUpperCase() + word.slice(1);

/** `Order line` is `OrderLine`. */
const entityName = (name: string): string => {
  const joined = words(name).map(capital).join('').slice(0, 55);
  return /^[A-Za-z]/.test(joined) ? joined : `Entity${joined}`;
};

/** `First name` is `firstName`, `VAT number` is `vatNumber`. */
const attributeName = (name: string): string => {
  const [first = '', ...rest] = words(name);
  const joined = (first.toLowerCase() + rest.map(capital).join('')).slice(0, 55);
  const usable = /^[a-z]/.test(joined) ? joined : `field${capital(joined)}`;
  return (FILTER_WORDS as readonly string[]).includes(usable) ? `${usable}Value` : usable;
};

/** Appends a number to a name that is taken. */
const distinct = (taken: ReadonlySet<string> = new Set()): ((name: string) => string) => {
  const known = new Set(taken);
  return (name) => {
    let free = name;
    for (let number = 2; known.has(free); number += 1) free = `${name}${number}`;
    known.add(free);
    return free;
  };
};

const SECRET = /^(password|passwd|passphrase|hash|salt|secret)$/;
const isSecret = (name: string): boolean => words(name).some((word) => SECRET.test(word.toLowerCase()));

/** Types of columns whose values are texts for both engines. */
const TEXTS = /^(character|char|varchar|bpchar|text|tinytext|mediumtext|longtext|name$|enum|set|year|uuid$)/i;
/** What no JSON expresses, or no operator compares. */
const OPAQUE =
  /blob|binary|^bit|bytea|tsvector|tsquery|geom|geog|point|polygon|linestring|^(box|circle|line|lseg|path|xml|vector)|range$|\[\]$/i;

const typeOf = (native: string | undefined, type: ApiType, dialect: Dialect): ApiType =>
  native !== undefined && dialect === 'postgresql' && /^uuid$/i.test(native) ? 'Uuid' : type;

const lengthIn = (native: string | undefined): number | undefined => {
  const found = /^(?:character varying|varchar|character|char)\((\d+)\)/i.exec(native ?? '')?.[1];
  return found === undefined ? undefined : Number(found);
};

const KEY = { name: 'id', column: 'id', optional: false, hidden: false } as const;
const PLAIN = { hasDefault: false, writable: true, comparable: true, asText: false } as const;

export function apiModelOf(model: Model, dialect: Dialect, options: ApiOptions = {}): ApiModel {
  const { tenant, shared = [], hidden = [] } = options;
  const entityOf = new Map(model.entities.map((entity) => [entity.id, entity]));
  const freeEntity = distinct();
  const nameOf = new Map(model.entities.map(({ id, name }) => [id, freeEntity(entityName(name))]));
  const optionsOf = new Map(model.optionSets.map(({ id, values }) => [id, values.map(({ key }) => key)]));

  /** Type of an attribute, with the words of its engine. */
  const typed = (attribute: Attribute, seen: readonly Entity[] = []): [ApiType, string?] => {
    const own = nativeOf(attribute);
    const native = own?.dialect === dialect ? own.type : undefined;
    if (attribute.type !== 'ForeignKey') return [typeOf(native, attribute.type, dialect), native];
    const target = entityOf.get(attribute.foreignEntity ?? '');
    if (!target || seen.includes(target)) return ['Long', native];
    const key = keyAttributeOf(target);
    if (!key) return [target.isUuid ? 'Uuid' : 'Long', native];
    const [type, its] = typed(key, [...seen, target]);
    return [type, native ?? its];
  };

  const attributeOf = (attribute: Attribute, name: string, entity: string): ApiAttribute => {
    const [type, native] = typed(attribute);
    const column = columnOf(attribute);
    const isOpaque = native !== undefined && (type === 'String' || type === 'JSON') && OPAQUE.test(native);
    const isForeign = attribute.native !== undefined && attribute.native.dialect !== dialect;
    const rest = nativeOf(attribute)?.rest ?? '';
    const isCounted = /auto_increment|nextval\(|AS IDENTITY/i.test(rest);
    const length = native === undefined ? (type === 'String' ? 255 : undefined) : lengthIn(native);
    return {
      name,
      column,
      type,
      optional: attribute.optional,
      hidden: isSecret(attribute.name) || isSecret(column) || hidden.includes(`${entity}.${name}`),
      hasDefault: isForeign ? isCounted : fillsItself({ native: nativeOf(attribute) }),
      writable: !isOpaque && !/GENERATED ALWAYS/i.test(rest),
      comparable: !isOpaque && type !== 'JSON',
      asText: dialect === 'postgresql' && type === 'String' && native !== undefined && !TEXTS.test(native),
      ...(attribute.type === 'ForeignKey' && { to: nameOf.get(attribute.foreignEntity ?? '') }),
      ...(length !== undefined && type === 'String' && { length }),
      ...(attribute.optionSet !== undefined && { options: optionsOf.get(attribute.optionSet) }),
      ...(native !== undefined && { native }),
    };
  };

  const entities = model.entities.map((entity): ApiEntity => {
    const name = nameOf.get(entity.id) as string;
    const free = distinct(new Set(entity.native ? [] : ['id']));
    const own: ApiAttribute[] = entity.native
      ? []
      : [{ ...KEY, ...PLAIN, type: entity.isUuid ? 'Uuid' : 'Long', hasDefault: true }];
    const its = entity.attributes.map((one) => attributeOf(one, free(attributeName(one.name)), name));
    const keys = entity.native?.key.flatMap((column) =>
      its.filter((_, at) => entity.attributes[at]?.native?.as === column),
    );
    const attributes = new Map([...own, ...its].map((one) => [one.name, one]));
    const ofTenant = tenant === undefined ? undefined : attributes.get(tenant);
    return {
      name,
      table: tableOf(entity),
      attributes,
      key: keys ?? own,
      tenant: ofTenant,
      lacksTenant: tenant !== undefined && ofTenant === undefined && !shared.includes(name),
    };
  });
  // The rows of the tenants' own entity are the tenants.
  const ofTenants = new Set(entities.flatMap((one) => (one.tenant?.to === undefined ? [] : [one.tenant.to])));
  return {
    dialect,
    ...(tenant !== undefined && { tenant }),
    entities: new Map(
      entities.map((one) => [
        one.name,
        one.tenant === undefined && ofTenants.has(one.name) && one.key.length === 1
          ? { ...one, tenant: one.key[0], lacksTenant: false }
          : one,
      ]),
    ),
  };
}

/** The relations that point to an entity, as filters and references name them: `OrderLine.order`. */
export const pointingAt = (model: ApiModel, entity: ApiEntity): string[] =>
  [...model.entities.values()].flatMap((one) =>
    [...one.attributes.values()]
      .filter(({ to, hidden }) => to === entity.name && !hidden)
      .map(({ name }) => `${one.name}.${name}`),
  );

/** Of the rows of another entity: the entity, and its relation that points here. Undefined if there is none. */
export const relationTo = (
  model: ApiModel,
  relation: string,
  target: ApiEntity,
): { child: ApiEntity; attribute: ApiAttribute } | undefined => {
  const [name = '', key = ''] = relation.split('.');
  const child = model.entities.get(name);
  const attribute = child?.attributes.get(key);
  return child && attribute?.to === target.name && !attribute.hidden ? { child, attribute } : undefined;
};

/** The attributes that an answer shows, if its projection does not say. */
export const shownOf = (entity: ApiEntity): ApiAttribute[] =>
  [...entity.attributes.values()].filter(({ hidden }) => !hidden);
