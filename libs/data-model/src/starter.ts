/** Structure 1: the starter model of most products. */
import type { Attribute, AttributeType, Model } from './model';

type Row = readonly [name: string, type: AttributeType, more?: 'optional', points?: string];

const entities: Readonly<Record<string, readonly Row[]>> = {
  Role: [
    ['Name', 'String'],
    ['Description', 'String', 'optional'],
  ],
  User: [
    ['Email', 'String'],
    ['First name', 'String'],
    ['Last name', 'String'],
    ['Password hash', 'String', 'optional'],
    ['Is active', 'Boolean'],
    ['Date added', 'LocalDateTime'],
    ['Role', 'ForeignKey', 'optional', 'Role'],
  ],
  Session: [
    ['User', 'ForeignKey', undefined, 'User'],
    ['Token hash', 'String'],
    ['Date added', 'LocalDateTime'],
    ['Date expires', 'LocalDateTime'],
    ['User agent', 'String', 'optional'],
  ],
  Address: [
    ['User', 'ForeignKey', undefined, 'User'],
    ['Street', 'String'],
    ['Number', 'String', 'optional'],
    ['Postal code', 'String'],
    ['City', 'String'],
    ['Country', 'String'],
  ],
};

/** @param newId makes a new id for each part, because several products may use this structure */
export function starter(newId: () => string): Model {
  const ids = Object.fromEntries(Object.keys(entities).map((name) => [name, newId()]));
  const attribute = ([name, type, more, points]: Row): Attribute => ({
    id: newId(),
    name,
    type,
    optional: more === 'optional',
    ...(points === undefined ? {} : { foreignEntity: ids[points] }),
  });
  return {
    entities: Object.entries(entities).map(([name, rows]) => ({
      id: ids[name] as string,
      name,
      isUuid: false,
      attributes: rows.map(attribute),
    })),
    optionSets: [],
  };
}
