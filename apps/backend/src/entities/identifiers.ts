/** Names of entities and attributes in databases. Pure. */
import { columnOfRecord, identifierProblem, tableOf } from '@quarterdeck/data-model';
import type { attribute, entity, ValuesOf } from '@quarterdeck/events';
import { invalidField } from '../platform/errors';
import type { Rules } from '../platform/kit';

type Entity = ValuesOf<typeof entity>;
type Attribute = ValuesOf<typeof attribute>;

/** @throws DomainError on the field if a database would refuse the name */
const refuse = (field: 'table' | 'column', identifier: string): void => {
  const problem = identifierProblem(identifier, field);
  if (problem !== undefined) throw invalidField(field, problem);
};

/**
 * Rules for the field with which an operator may set the name of the table or column. Otherwise the name is derived.
 */
const identifiedBy = <V extends object>(
  field: 'table' | 'column',
  identifierOf: (fields: V) => string,
): Rules<V> => ({
  decide: (asked, plain) => {
    if (asked.is === 'add') refuse(field, identifierOf(asked.data));
    if (asked.is === 'edit') refuse(field, identifierOf({ ...asked.now, ...asked.data }));
    return plain();
  },
  derived: { [field]: identifierOf } as Rules<V>['derived'] & object,
});

export const entityRules = identifiedBy<Entity>('table', tableOf);
export const attributeRules = identifiedBy<Attribute>('column', columnOfRecord);
