/** The data model of a product: entities and their attributes. */
import { attributeTypes, numberOfType } from '@quarterdeck/data-model';
import { nativeColumn, nativeTable } from './entities.native';
import { enumeration, flag, optionalText, order, reference, text } from './kit/field';
import { noun } from './kit/noun';

export const entity = noun('entity', {
  path: 'data-model/entity',
  many: 'entities',
  within: 'product',
  named: 'name',
  unique: ['name', 'table'],
  parts: { fields: 'attribute' },
  fields: {
    name: text(100),
    table: optionalText(64, { help: 'If empty, it is derived from the name.' }),
    isUuid: flag({ label: 'UUID key', help: 'Rows are identified by a UUID instead of a number.' }),
    attributeOrder: order('Order of attributes'),
    native: nativeTable,
  },
});

export const attribute = noun('attribute', {
  path: 'data-model/attribute',
  within: 'entity',
  inOrder: 'attributeOrder',
  named: 'name',
  unique: ['name', 'column'],
  fields: {
    name: text(100),
    column: optionalText(64, { help: 'If empty, it is derived from the name.' }),
    type: enumeration(attributeTypes, { repeats: numberOfType('String') }),
    foreignEntity: reference('entity', {
      help: 'The entity whose rows it points to.',
      when: ['type', numberOfType('ForeignKey')],
    }),
    modelOptionSet: reference('optionSet', {
      label: 'Option set',
      help: 'The values that it may have.',
      optional: true,
      when: ['type', numberOfType('Int')],
    }),
    optional: flag({ help: 'Rows may have no value.' }),
    native: nativeColumn,
  },
});
