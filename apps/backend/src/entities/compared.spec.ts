// covers: PROD-04
import { compared } from './compared';

const field = (name: string, type = 1) => ({ id: name, name, type, optional: false });

it('marks what was added, removed and changed, and shows what was removed as it was', () => {
  const before = {
    dataModel: [
      { id: 'a', name: 'Order', fields: [field('note'), field('total')] },
      { id: 'b', name: 'Client', fields: [] },
      { id: 'c', name: 'Item', fields: [field('size')] },
    ],
    relations: [{ id: 'r', name: 'client', source: 'a', target: 'b' }],
  };
  const now = {
    dataModel: [
      { id: 'a', name: 'Order', fields: [field('total', 9), field('date')] },
      { id: 'c', name: 'Item', fields: [field('size')] },
      { id: 'd', name: 'Tag', fields: [] },
    ],
    relations: [{ id: 's', name: 'item', source: 'a', target: 'c' }],
  };
  const { dataModel, relations } = compared(before, now);
  expect(dataModel.map(({ name, change }) => [name, change])).toEqual([
    ['Order', 'changed'],
    ['Item', undefined],
    ['Tag', 'added'],
    ['Client', 'removed'],
  ]);
  expect(dataModel[0]?.fields.map(({ name, change }) => [name, change])).toEqual([
    ['total', 'changed'],
    ['date', 'added'],
    ['note', 'removed'],
  ]);
  expect(relations.map(({ id, change }) => [id, change])).toEqual([
    ['s', 'added'],
    ['r', 'removed'],
  ]);
  expect(compared(now, now)).toEqual(now);
});
