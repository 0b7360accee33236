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
