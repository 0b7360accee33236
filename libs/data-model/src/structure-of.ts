/** The tables of a model. */
import { withCharset } from './charsets';
import { firsts } from './grouped';
import {
  columnOf,
  tableOf,
  type Attribute,
  type Entity,
  type Model,
  type NativePart,
  type NativeTable,
} from './model';
import { unmarked, withNames } from './native';
import {
  NATIVE_KEY,
  type Column,
  type ColumnType,
  type ExactColumn,
  type Structure,
  type Table,
} from './structure';

/** Names of keys and indexes are derived from ids, so renames do not affect them. */
const bare = (columnId: string): string => columnId.replaceAll('-', '').replace(':', '_');

/** A change of the key's type makes another table, because no row and no reference would survive it. */
const tableIdOf = (entity: Entity): string => `${entity.id}${entity.isUuid && !entity.native ? ':uuid' : ''}`;

/** The words of an attribute's engine, as long as the attribute has the type that they are for. */
export const nativeOf = ({ native, type }: Pick<Attribute, 'native' | 'type'>) =>
  native?.of === type ? native : undefined;

/** The attribute that is the key of an imported entity; undefined if it has none, or several. */
export const keyAttributeOf = ({ native, attributes }: Entity): Attribute | undefined =>
  native?.key.length === 1 ? attributes.find((one) => one.native?.as === native.key[0]) : undefined;

export const structureOf = (model: Model): Structure => {
  const entities = new Map(model.entities.map((entity) => [entity.id, entity]));
  const imported = firsts(model.entities, nameAtImport);
  const idsIn = new Map(model.entities.map((entity) => [entity, idsAtImport(entities, entity)]));
  const targetOf = (attribute: Attribute): Entity => {
    const target = entities.get(attribute.foreignEntity ?? '');
    if (target === undefined) throw new Error(`${attribute.name} points to no entity`);
    return target;
  };
  /** Type of a key, and of the columns that point to it. */
  const keyTypeOf = (entity: Entity, seen: readonly Entity[] = []): [ColumnType, ExactColumn?] => {
    if (!entity.native) return [entity.isUuid ? 'Uuid' : 'Long'];
    const key = keyAttributeOf(entity);
    if (key === undefined) throw new Error(`${entity.name} has no key of one column`);
    const native = nativeOf(key);
    // A column that points to a text has to have its character set.
    const exact = native && {
      dialect: native.dialect,
      type: native.dialect === 'mysql' ? withCharset(native.type, entity.native.options) : native.type,
    };
    if (key.type !== 'ForeignKey') return [key.type, exact];
    // A key may point to another table, and that one back.
    if (seen.includes(entity)) return ['Long', exact];
    return [keyTypeOf(targetOf(key), [...seen, entity])[0], exact];
  };
  const columnFor = (entity: Entity, attribute: Attribute): Column => {
    const base = { name: columnOf(attribute), required: !attribute.optional };
    const native = nativeOf(attribute);
    const own = native && {
      dialect: native.dialect,
      type: native.type,
      ...(native.rest !== undefined && { rest: textOf(native.rest, entity, native.dialect) ?? '' }),
    };
    if (attribute.type !== 'ForeignKey')
      return { ...base, id: attribute.id, type: attribute.type, ...(own && { native: own }) };
    const target = targetOf(attribute);
    const [type, exact] = keyTypeOf(target);
    const id = columnIdOf(entities, attribute);
    const column = keyAttributeOf(target);
    const shape = { ...base, id, type, ...((own ?? exact) && { native: own ?? exact }) };
    if (hasKeyPart(entity, attribute, target)) return shape;
    return {
      ...shape,
      reference: {
        name: `fk_${bare(id)}`,
        table: tableIdOf(target),
        ...(column && { column: columnIdOf(entities, column) }),
      },
      index: `ix_${bare(id)}`,
    };
  };
  /** The text with the ids of columns; undefined if it names a column that the entity has no more. */
  const textOf = (text: string, entity: Entity, dialect = entity.native?.dialect ?? 'mysql') => {
    const ids = idsIn.get(entity);
    const known = new Set(entity.native?.columns);
    let isWhole = true;
    const placed = withNames(text, dialect, (name) => {
      const id = ids?.get(name);
      if (id === undefined && known.has(name)) isWhole = false;
      return id;
    });
    return isWhole ? placed : undefined;
  };
  const partOf = (part: NativePart, entity: Entity, native: NativeTable): NativePart[] => {
    const ids = idsIn.get(entity);
    const text = textOf(part.text, entity);
    const columns = part.columns?.map((column) => ids?.get(column));
    // The name of a comment is that of its column.
    const name = part.kind === 'comment' ? textOf(part.name, entity, native.dialect) : part.name;
    if (text === undefined || name === undefined || columns?.includes(undefined)) return [];
    const target = part.target === undefined ? undefined : imported.get(part.target);
    if (target && columns?.length === 1 && pointsToKey(part, target)) {
      const attribute = entity.attributes.find((one) => one.native?.as === part.columns?.[0]);
      if (attribute?.foreignEntity !== target.id) return [];
    }
    const inTarget = target && idsIn.get(target);
    return [
      {
        ...part,
        text,
        name,
        ...(columns && { columns: columns as string[] }),
        ...(target && {
          target: tableIdOf(target),
          targetColumns: part.targetColumns?.map((column) => inTarget?.get(column) ?? column),
        }),
      },
    ];
  };
  const tableFor = (entity: Entity): Table => {
    const table = {
      id: tableIdOf(entity),
      name: tableOf(entity),
      columns: entity.attributes.map((attribute) => columnFor(entity, attribute)),
      extras: [],
    };
    const { native } = entity;
    if (!native) return { ...table, key: entity.isUuid ? 'Uuid' : 'Long' };
    const { dialect, as, options, needs = [], parts } = native;
    return {
      ...table,
      key: NATIVE_KEY,
      native: {
        dialect,
        as,
        // What names a removed column is left as it was: the server says that it is needed.
        ...(options !== undefined && { options: textOf(options, entity, dialect) ?? unmarked(options) }),
        needs,
        parts: parts.flatMap((part) => partOf(part, entity, native)),
      },
    };
  };
  return { tables: model.entities.map(tableFor) };
};

const nameAtImport = (entity: Entity): string => entity.native?.as ?? tableOf(entity);

const pointsToKey = ({ targetColumns }: NativePart, { native }: Entity): boolean => {
  const key = native?.key ?? ['id'];
  return targetColumns?.length === 1 && key.length === 1 && targetColumns[0] === key[0];
};

/** Whether one of the entity's own parts is the foreign key of the attribute. */
const hasKeyPart = (entity: Entity, { native }: Attribute, target: Entity): boolean =>
  native !== undefined &&
  entity.native?.parts.some(
    (part) =>
      part.kind === 'foreignKey' &&
      part.columns?.length === 1 &&
      part.columns[0] === native.as &&
      part.target === nameAtImport(target) &&
      pointsToKey(part, target),
  ) === true;

const columnIdOf = (entities: ReadonlyMap<string, Entity>, attribute: Attribute): string => {
  const target = attribute.type === 'ForeignKey' ? entities.get(attribute.foreignEntity ?? '') : undefined;
  return `${attribute.id}${target?.isUuid && !target.native ? ':uuid' : ''}`;
};

/** The ids of columns by the names that they had at the import. */
const idsAtImport = (
  entities: ReadonlyMap<string, Entity>,
  { attributes }: Entity,
): ReadonlyMap<string, string> =>
  new Map(
    attributes.flatMap((one) => (one.native ? [[one.native.as, columnIdOf(entities, one)] as const] : [])),
  );
