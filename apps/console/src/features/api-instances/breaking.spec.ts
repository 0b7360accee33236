/** covers: API-02 */
import { apiModelOf } from '@quarterdeck/api';
import { breaksIn } from './breaking';

const attribute = { id: 'a', name: 'Title', type: 'String' as const, optional: false };
const model = apiModelOf(
  { entities: [{ id: 'b', name: 'Book', isUuid: false, attributes: [attribute] }], optionSets: [] },
  'postgresql',
);
const before = {
  method: 'GET',
  path: '/books',
  permissions: ['app', 'admin'],
  statusOut: 200,
  tag: '',
  bodyShape: null,
  routeChainMap: null,
  blocks: [{ type: 'list', entity: 'Book' }],
};

test('a change that callers notice is said, one that they do not is not', () => {
  expect(breaksIn(before, { ...before, tag: 'books' }, model)).toEqual([]);
  expect(breaksIn(before, { ...before, permissions: ['admin'], statusOut: 203 }, model)).toEqual([
    'GET /books: it answers 203 instead of 200',
    'GET /books: app may not call it any more',
  ]);
});

test('nothing is said of what cannot be served as it was', () => {
  const broken = { ...before, blocks: [{ type: 'list', entity: 'Gone' }] };
  expect(breaksIn(broken, { ...before, statusOut: 203 }, model)).toEqual([]);
});
