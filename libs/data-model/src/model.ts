/**
 * The data model of one product, in the terms of its operators. Every part keeps its id, so a part with the same id and
 * another name was renamed.
 */
import { columnFrom, tableFrom } from './identifiers';

export interface Model {
  readonly entities: readonly Entity[];
  readonly optionSets: readonly OptionSet[];
}

export interface Entity {
  readonly id: string;
  readonly name: string;
  /** If absent, derived from the name. */
  readonly table?: string | undefined;
  /** The key is a UUID instead of a number. */
  readonly isUuid: boolean;
  /** In the order chosen by operators. */
  readonly attributes: readonly Attribute[];
  /** If set, the table was imported, and its key consists of attributes instead of a column `id`. */
  readonly native?: NativeTable | undefined;
}

/** The engines whose words a native text is in. MariaDB speaks `mysql`. */
export const dialects = ['mysql', 'postgresql'] as const;
export type Dialect = (typeof dialects)[number];

/**
 * What an imported table has beyond a model, as its engine prints it. The texts name tables and columns as they were at
 * the import, always in quotes: `as` of the entity and of its attributes tells which of them is meant today.
 */
export interface NativeTable {
  readonly dialect: Dialect;
  readonly as: string;
  /** All columns at the import. A part that names one that no attribute has any more is gone with it. */
  readonly columns: readonly string[];
  /** Those of the primary key; none: the table has no key. */
  readonly key: readonly string[];
  /** `ENGINE=InnoDB DEFAULT CHARSET=latin1`, or how the table is partitioned. */
  readonly options?: string | undefined;
  /** Types and sequences that have to exist before the table. */
  readonly needs?: readonly NativeNeed[] | undefined;
  readonly parts: readonly NativePart[];
}

export interface NativeNeed {
  readonly kind: 'enum' | 'domain' | 'sequence';
  readonly name: string;
  /** What follows the name: `('G', 'PG')`. */
  readonly text: string;
}

export const partKinds = [
  ...(['key', 'unique', 'index', 'check', 'foreignKey'] as const),
  // Of MySQL. `period`: of MariaDB, two columns that say from when to when a row holds.
  ...(['fulltext', 'spatial', 'period'] as const),
  // Of PostgreSQL. `sequence`: it belongs to the column. `partition`: a table that holds some of the rows.
  ...(['uniqueIndex', 'comment', 'sequence', 'partition', 'inherits'] as const),
] as const;

export interface NativePart {
  readonly kind: (typeof partKinds)[number];
  readonly name: string;
  /** What follows the name: `(\`email\`)`. Of a foreign key, what follows its columns: `ON DELETE CASCADE`. */
  readonly text: string;
  /** The columns of the table that it covers, if it covers them whole and nothing else. */
  readonly columns?: readonly string[] | undefined;
  /** Of a foreign key: the table that it points to, and the columns there. */
  readonly target?: string | undefined;
  readonly targetColumns?: readonly string[] | undefined;
}

/** The exact column behind an imported attribute. */
export interface NativeColumn {
  readonly dialect: Dialect;
  readonly as: string;
  /** The attribute's type at the import. With another type, none of this holds any more. */
  readonly of: AttributeType;
  /** With character set and collation: `varchar(120) CHARACTER SET latin1`. */
  readonly type: string;
  /** Default, numbers of its own, how it is generated, comment. Without `NOT NULL`. */
  readonly rest?: string | undefined;
}

export interface Attribute {
  readonly id: string;
  readonly name: string;
  /** If absent, derived from the name. */
  readonly column?: string | undefined;
  readonly type: AttributeType;
  readonly optional: boolean;
  /** The id of an entity. Set if and only if the type is ForeignKey. */
  readonly foreignEntity?: string | undefined;
  /** The id of an option set; only with the type Int. */
  readonly optionSet?: string | undefined;
  /** Holds for its engine, until somebody chooses another type. Another engine gets the type. */
  readonly native?: NativeColumn | undefined;
}

export interface OptionSet {
  readonly id: string;
  readonly name: string;
  readonly values: readonly OptionValue[];
}

export interface OptionValue {
  readonly id: string;
  readonly key: number;
  readonly value: string;
}

/** In the order of their numbers, which start at 1. */
export const attributeTypes = [
  'String',
  'Int',
  'Long',
  'Boolean',
  'LocalDate',
  'LocalDateTime',
  'LocalTime',
  'ForeignKey',
  'BigDecimal',
  'Double',
  'JSON',
] as const;

export type AttributeType = (typeof attributeTypes)[number];

export const numberOfType = (type: AttributeType): number => attributeTypes.indexOf(type) + 1;
export const typeOfNumber = (number: number): AttributeType | undefined => attributeTypes[number - 1];

/** The key column, which every entity has. */
export const KEY_COLUMN = 'id';

/** Treats an empty field as omitted. */
const given = (text: string | undefined): string | undefined => (text === '' ? undefined : text);

export const tableOf = (entity: Pick<Entity, 'name' | 'table'>): string =>
  given(entity.table) ?? tableFrom(entity.name);

/** The derived column name of a foreign key ends in `_id`. */
export const columnOf = (attribute: Pick<Attribute, 'name' | 'column' | 'type'>): string =>
  given(attribute.column) ?? columnFrom(attribute.name, attribute.type === 'ForeignKey');

/** The column of an attribute as it is recorded, with the number of its type. */
export const columnOfRecord = (attribute: { name: string; column: string; type: number }): string =>
  columnOf({ ...attribute, type: typeOfNumber(attribute.type) ?? 'String' });

export const noModel: Model = { entities: [], optionSets: [] };
