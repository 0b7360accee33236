/** Tables, columns and keys: what a model means in a database, and what is read back from one. */
import { columnOf, tableOf, type Attribute, type AttributeType, type Entity, type Model } from './model';

/** Its id follows it through renames. Parts read back from a database have their names for ids. */
export interface Named {
  readonly id: string;
  readonly name: string;
}

export interface Structure {
  readonly tables: readonly Table[];
  /** Names, if there are any. No model has views. */
  readonly views?: readonly string[];
}

export interface Table extends Named {
  readonly key: KeyType;
  readonly columns: readonly Column[];
  /** What no model can say, in words: keys over several columns, checks, triggers, indexes made by hand. */
  readonly extras: readonly string[];
}

export interface Column extends Named {
  readonly type: ColumnType;
  readonly required: boolean;
  readonly reference?: Reference | undefined;
  /** The name of the index over this column alone. */
  readonly index?: string | undefined;
  /** What no model can say, in words: a default, what a foreign key does when its row goes. */
  readonly extras?: readonly string[];
}

export interface Reference {
  readonly name: string;
  /** The id of the table whose key it is. */
  readonly table: string;
}

export type StoredType = Exclude<AttributeType, 'ForeignKey'> | 'Uuid';

/** A stored type, or the words of the database for a type that no model has. */
export type ColumnType = StoredType | (string & {});

/** `Long`, `Uuid`, or words for a primary key that no model has. */
export type KeyType = 'Long' | 'Uuid' | (string & {});

/** The structure with other ids. References follow their tables. */
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
      ...{ ...table, id: tableId(table) },
      columns: table.columns.map((column) => ({
        ...{ ...column, id: columnId(column, table) },
        ...(column.reference && { reference: referring(column.reference) }),
      })),
    })),
  };
};

export const noStructure: Structure = { tables: [] };

/** The names of keys and indexes follow from ids, so that no rename has to touch them. */
const bare = (columnId: string): string => columnId.replaceAll('-', '').replace(':', '_');

/** A table whose key changes its type is another table: no row and no reference survives that. */
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
      ...{ id, name, type: target.isUuid ? 'Uuid' : 'Long', required },
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
