/** Names of entities and attributes in databases. Pure. */
import { columnOfRecord, identifierProblem, importedProblem, tableOf } from '@quarterdeck/data-model';
import type { attribute, entity, ValuesOf } from '@quarterdeck/events';
import { invalidField } from '../platform/errors';
import type { Rules } from '../platform/kit';

type Entity = ValuesOf<typeof entity>;
type Attribute = ValuesOf<typeof attribute>;

/** @throws DomainError on the field if a database would refuse the name. Imported names are those of a database. */
const refuse = (field: 'table' | 'column', identifier: string, isImported: boolean): void => {
  const problem = (isImported ? importedProblem : identifierProblem)(identifier, field);
  if (problem !== undefined) throw invalidField(field, problem);
};

/**
 * Rules for the field with which an operator may set the name of the table or column. Otherwise the name is derived.
 */
const identifiedBy = <V extends Pick<Entity, 'native'> | Pick<Attribute, 'native'>>(
  field: 'table' | 'column',
  identifierOf: (fields: V) => string,
): Rules<V> => ({
  decide: (asked, plain) => {
    const fields =
      asked.is === 'add' ? asked.data : asked.is === 'edit' ? { ...asked.now, ...asked.data } : undefined;
    if (fields) refuse(field, identifierOf(fields), Boolean(fields.native));
    return plain();
  },
  derived: { [field]: identifierOf } as Rules<V>['derived'] & object,
});

export const entityRules = identifiedBy<Entity>('table', tableOf);
export const attributeRules = identifiedBy<Attribute>('column', columnOfRecord);
