// covers: VER-03
import type { Adoption } from '@quarterdeck/data-model';
import { editOrder } from './edit-batches';

const entity = (id: string): Adoption => ({
  do: 'addEntity',
  entity: { id, name: id, isUuid: false, attributes: [] },
});
const pointer = (from: string, to: string): Adoption => ({
  do: 'addAttribute',
  entity: from,
  attribute: { id: `${from}-${to}`, name: to, type: 'ForeignKey', optional: true, foreignEntity: to },
});
const columns = (of: string, count: number): Adoption[] =>
  Array.from({ length: count }, (_, at) => ({
    do: 'addAttribute',
    entity: of,
    attribute: { id: `${of}${at}`, name: `${at}`, type: 'Int', optional: true },
  }));
const namesOf = (edits: readonly Adoption[]) =>
  editOrder(edits).batches.map((batch) => batch.map(({ entity: { edit } }) => edit.entity.name));

test('a table follows those that it points to', () => {
  const edits = [entity('line'), entity('order'), entity('client'), pointer('line', 'order')];
  expect(namesOf([...edits, pointer('order', 'client')]).flat()).toEqual(['client', 'order', 'line']);
});

test('tables that point to each other in a circle are in one batch, however large', () => {
  const circle = [entity('a'), entity('b'), entity('c'), pointer('a', 'b'), pointer('b', 'c')];
  const edits = [...circle, pointer('c', 'a'), pointer('a', 'a'), entity('d'), pointer('d', 'a')];
  const large = ['a', 'b', 'c', 'd'].flatMap((name) => columns(name, 150));
  expect(namesOf([...edits, ...large]).map((batch) => batch.toSorted())).toEqual([['a', 'b', 'c'], ['d']]);
});

test('small tables share a batch, with all their attributes in order', () => {
  const names = Array.from({ length: 30 }, (_, at) => `t${at}`);
  const edits = [...names.map(entity), ...names.flatMap((name) => columns(name, 19))];
  const { batches } = editOrder(edits);
  expect(batches.map(({ length }) => length)).toEqual([10, 10, 10]);
  const ids = batches.flat().flatMap(({ attributes }) => attributes.map(({ at }) => at));
  expect(ids).toEqual(Array.from({ length: 570 }, (_, at) => at + 30));
});

test('a chain of 20,000 tables is ordered', () => {
  const names = Array.from({ length: 20_000 }, (_, at) => `t${at}`);
  const edits = [...names.map(entity), ...names.slice(1).map((name, at) => pointer(`t${at}`, name))];
  expect(namesOf(edits).flat()).toEqual(names.toReversed());
});

test('edits of what the model had before are kept in their order', () => {
  const edits: Adoption[] = [
    entity('new'),
    ...columns('old', 2),
    pointer('new', 'old'),
    { do: 'removeEntity', id: 'gone', name: 'gone' },
  ];
  const { batches, others } = editOrder(edits);
  expect(others.map(({ at }) => at)).toEqual([1, 2, 4]);
  expect(batches.flat().flatMap(({ attributes }) => attributes.map(({ at }) => at))).toEqual([3]);
});
