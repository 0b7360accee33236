/** Fixed sets of values for attributes of type Int: "status" with 1 open, 2 paid. */
import { integer, order, text } from './kit/field';
import { noun } from './kit/noun';

export const optionSet = noun('optionSet', {
  path: 'data-model/option-set',
  within: 'product',
  named: 'name',
  unique: ['name'],
  parts: { values: 'optionSetValue' },
  fields: { name: text(100), valueOrder: order('Order of values') },
});

export const optionSetValue = noun('optionSetValue', {
  path: 'data-model/option-set/value',
  within: 'optionSet',
  inOrder: 'valueOrder',
  named: 'value',
  unique: ['key', 'value'],
  parentAs: 'modelOptionSet',
  fields: {
    key: integer(undefined, { counts: true, help: 'The number that is stored. Unique in the option set.' }),
    value: text(200),
  },
});
