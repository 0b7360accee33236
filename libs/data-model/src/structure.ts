/** Tables, columns and keys: derived from a model, or read from a database. */
import type { Keeps } from './mysql-columns';
import { columnOf, tableOf, type Attribute, type AttributeType, type Entity, type Model } from './model';

/** The id survives renames. Parts read from a database have their name as id. */
export interface Named {
  readonly id: string;
  readonly name: string;
}

export interface Structure {
  readonly tables: readonly Table[];
  /** The server compares the names of tables without case, and may have changed their case. */
  readonly caseless?: boolean;
  /** Names of views, which a model cannot express. */
  readonly views?: readonly string[];
  /** Columns that views read, as far as the server tells. */
  readonly uses?: readonly ViewUse[];
}

export interface ViewUse {
  readonly view: string;
  readonly table: string;
  readonly column: string;
}

export interface Table extends Named {
  readonly key: KeyType;
  readonly columns: readonly Column[];
  /** Parts that a model cannot express, in words: keys over several columns, checks, triggers, manual indexes. */
  readonly extras: readonly string[];
}

export interface Column extends Named {
  readonly type: ColumnType;
  readonly required: boolean;
  readonly reference?: Reference | undefined;
  /** The name of the index over this column alone. */
  readonly index?: string | undefined;
  /** Parts that a model cannot express, in words: a default, the action of a foreign key on deletion. */
  readonly extras?: readonly string[];
  /** Only of a real column in MySQL or MariaDB. */
  readonly keeps?: Keeps | undefined;
}

export interface Reference {
  readonly name: string;
  /** The id of the referenced table. */
  readonly table: string;
}

export type StoredType = Exclude<AttributeType, 'ForeignKey'> | 'Uuid';

/** A stored type, or the database's own name for a type that a model cannot express. */
export type ColumnType = StoredType | (string & {});

/** `Long`, `Uuid`, or words for a primary key that a model cannot express. */
export type KeyType = 'Long' | 'Uuid' | (string & {});

/** Replaces the ids, including those in references. */
export const withIds = (
  structure: Structure,
  tableId: (table: Table) => string,
  columnId: (column: Column, table: Table) => string,
): Structure => {
  const ids = new Map(structure.tables.map((table) => [table.id, tableId(table)]));
  const referring = ({ name, table }: Reference): Reference => ({ name, table: ids.get(table) ?? table });
  return {
    ...structure,
    tables: structure.tables.map((table) => ({
      ...table,
      id: tableId(table),
      columns: table.columns.map((column) => ({
        ...column,
        id: columnId(column, table),
        ...(column.reference && { reference: referring(column.reference) }),
      })),
    })),
  };
};

/** How the server of this structure compares the names of tables. */
export const foldOf =
  ({ caseless = false }: Pick<Structure, 'caseless'>) =>
  (name: string): string =>
    caseless ? name.toLowerCase() : name;

/** Names the tables as the server of another structure does. */
export const asNamedIn = (actual: Structure, structure: Structure): Structure => {
  if (!actual.caseless) return structure;
  const fold = foldOf(actual);
  const real = new Map(actual.tables.map(({ name }) => [fold(name), name]));
  const tables = structure.tables.map((one) => ({ ...one, name: real.get(fold(one.name)) ?? one.name }));
  return { ...structure, tables, caseless: true };
};

export const noStructure: Structure = { tables: [] };

/** Names of keys and indexes are derived from ids, so renames do not affect them. */
const bare = (columnId: string): string => columnId.replaceAll('-', '').replace(':', '_');

/** A change of the key's type makes another table, because no row and no reference would survive it. */
const tableIdOf = (entity: Entity): string => `${entity.id}${entity.isUuid ? ':uuid' : ''}`;

export const structureOf = (model: Model): Structure => {
  const entities = new Map(model.entities.map((entity) => [entity.id, entity]));
  const columnFor = (attribute: Attribute): Column => {
    const [name, required] = [columnOf(attribute), !attribute.optional];
    if (attribute.type !== 'ForeignKey') return { id: attribute.id, name, type: attribute.type, required };
    const target = entities.get(attribute.foreignEntity ?? '');
    if (target === undefined) throw new Error(`${attribute.name} points to no entity`);
    const id = `${attribute.id}${target.isUuid ? ':uuid' : ''}`;
    return {
      id,
      name,
      type: target.isUuid ? 'Uuid' : 'Long',
      required,
      reference: { name: `fk_${bare(id)}`, table: tableIdOf(target) },
      index: `ix_${bare(id)}`,
    };
  };
  return {
    tables: model.entities.map((entity) => ({
      id: tableIdOf(entity),
      name: tableOf(entity),
      key: entity.isUuid ? 'Uuid' : 'Long',
      columns: entity.attributes.map(columnFor),
      extras: [],
    })),
  };
};
