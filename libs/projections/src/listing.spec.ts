import { listPage } from '@quarterdeck/events/inputs';
import { columnsById, pageOf, type ListAsked, type ListColumn } from './listing';

interface Row {
  name: string;
  port: number;
  state: 'up' | 'down';
  seen?: string;
}

const columns: ListColumn<Row>[] = [
  { id: 'name', value: ({ name }) => name, filter: 'text' },
  { id: 'port', value: ({ port }) => port, filter: 'number' },
  { id: 'state', value: ({ state }) => state, filter: 'category' },
  { id: 'seen', value: ({ seen }) => seen },
];
const rows: Row[] = Array.from({ length: 60 }, (_, at) => ({
  name: `web-${at}`,
  port: 100 - at,
  state: at % 2 === 0 ? 'up' : 'down',
  ...(at % 3 === 0 && { seen: String(at).padStart(2, '0') }),
}));

const ask = (asked: ListAsked) => {
  const { rows: shown, ...counted } = pageOf(rows, columns, asked);
  return { names: shown.map(({ name }) => name), ...counted };
};

test('a page has 25 rows in the order of the list, the counts, and what can be chosen in a filter', () => {
  expect(ask({})).toEqual({
    names: rows.slice(0, 25).map(({ name }) => name),
    found: 60,
    total: 60,
    options: { state: ['down', 'up'] },
  });
  expect(ask({ page: 3 }).names).toEqual(rows.slice(50).map(({ name }) => name));
  expect(ask({ page: 2, size: 7 }).names).toEqual(rows.slice(7, 14).map(({ name }) => name));
});

test('a page after the last one is the last one', () => {
  expect(ask({ page: 900, size: 50 }).names).toHaveLength(10);
  expect(ask({ search: 'no such row', page: 4 })).toMatchObject({ names: [], found: 0, total: 60 });
});

test('search looks at every column without regard to case, and filters narrow it', () => {
  expect(ask({ search: 'WEB-5' }).found).toBe(11);
  expect(ask({ search: 'web-5', filters: { state: 'up' } }).names).toEqual([
    'web-50',
    'web-52',
    'web-54',
    'web-56',
    'web-58',
  ]);
  expect(ask({ filters: { port: '90..95' } }).found).toBe(6);
  expect(ask({ filters: { state: 'up,down' } }).found).toBe(60);
});

test('words are sorted with their numbers in order, and rows without a value are last in both directions', () => {
  expect(ask({ sort: 'name' }).names.slice(0, 3)).toEqual(['web-0', 'web-1', 'web-2']);
  expect(ask({ sort: '-name' }).names[0]).toBe('web-59');
  expect(ask({ sort: 'port' }).names[0]).toBe('web-59');
  for (const sort of ['seen', '-seen'])
    expect(ask({ sort, page: 3 }).names.every((name) => Number(name.slice(4)) % 3 !== 0)).toBe(true);
});

test('a column that does not exist changes nothing', () => {
  const plain = ask({});
  expect(ask({ sort: '-nothing', filters: { nothing: 'x', constructor: 'x' } })).toEqual(plain);
});

test('a page is asked for by a number from 1, and at most 200 rows', () => {
  expect(listPage.safeParse({ page: 1, size: 200, sort: '-name', filters: { state: 'up' } }).success).toBe(
    true,
  );
  for (const wrong of [
    { page: 0 },
    { size: 0 },
    { size: 201 },
    { sort: '' },
    { search: 7 },
    { filters: ['a'] },
  ])
    expect(listPage.safeParse(wrong).success).toBe(false);
});

test('columns are named by id, so that a column can be inserted before them', () => {
  const { port, name } = columnsById([{ id: 'name', header: 'Name' }, { id: 'port' }] as const);
  expect([port, name.header]).toEqual([{ id: 'port' }, 'Name']);
  // @ts-expect-error -- the list has no such column
  expect(columnsById([{ id: 'name' }] as const).host).toBeUndefined();
});
