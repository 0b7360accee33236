/** The products of a workspace. Each has a data model, databases and services. */
import { paragraphs, text } from './kit/field';
import { noun } from './kit/noun';

export const product = noun('product', {
  path: 'product',
  audience: 'member',
  named: 'name',
  unique: ['name'],
  fields: { name: text(100), description: paragraphs(2000) },
});
