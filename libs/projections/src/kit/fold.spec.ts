// covers: PROD-05
import { integer, noun, product, text, type AppEvent, type PlainNoun } from '@quarterdeck/events';
import { ALICE, logOf, viewOf, WORKSPACE } from '../testing/log';
import { foldOf, tableOf, viewSchemaOf } from './fold';

const ID = '0193f0a0-0000-7000-8000-000000000005';
const STREAM = `product-${ID}`;
const fold = foldOf(product);
const view = (...events: AppEvent[]) =>
  viewOf(fold, STREAM, logOf(...events.map((event) => [STREAM, event] as [string, AppEvent])));

const added: AppEvent = { type: 'ProductAdded', data: { name: 'Shop', description: 'Orders' } };
const renamed: AppEvent = { type: 'ProductRenamed', data: { name: 'Web shop' } };
const revised: AppEvent = { type: 'ProductRevised', data: { description: '' } };
const removed: AppEvent = { type: 'ProductRemoved', data: { name: 'Web shop' } };
const restored: AppEvent = { type: 'ProductRestored', data: { name: 'Web shop' } };

describe('the read model of a plain noun', () => {
  test('has the fields as they are now, and who added and changed it', () => {
    const shown = view(added, renamed, revised);
    expect(shown).toEqual({
      id: ID,
      workspace: WORKSPACE,
      name: 'Web shop',
      description: '',
      addedAt: '2026-11-20T12:00:00.000Z',
      addedBy: ALICE,
      changedAt: '2026-11-20T12:00:02.000Z',
      changedBy: ALICE,
      revision: 2,
      position: '3',
    });
    expect(viewSchemaOf(product).parse(shown)).toEqual(shown);
  });

  test('shows nothing that was removed, until it is restored', () => {
    expect(view(added, renamed, removed)).toBeUndefined();
    expect(view(renamed)).toBeUndefined();
    expect(view(added, renamed, removed, restored)).toMatchObject({
      name: 'Web shop',
      description: 'Orders',
    });
  });

  test('has a table in the manner of Postgres, with its parent as a column', () => {
    const optionSet: PlainNoun = noun('optionSet', {
      path: 'option-set',
      within: 'product',
      named: 'title',
      fields: { title: text(), limit: integer() },
    });
    expect(tableOf(optionSet)).toBe('option_sets');
    expect(foldOf(optionSet)).toMatchObject({
      columns: { product: 'text', title: 'text', limit: 'integer', removedAt: 'timestamptz' },
      indexes: ['(workspace, "product", lower("title"))'],
    });
  });
});
