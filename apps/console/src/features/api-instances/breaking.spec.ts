/** covers: API-02 */
import { apiModelOf } from '@quarterdeck/api';
import { noticedOf } from './breaking';

const said = (...given: Parameters<typeof noticedOf>) =>
  noticedOf(...given).map(({ isBreaking, message }) => `${isBreaking ? 'breaks' : 'adds'}: ${message}`);

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
  expect(said(before, { ...before, tag: 'books' }, model)).toEqual([]);
  expect(said(before, { ...before, permissions: ['superadmin', 'admin'], statusOut: 203 }, model)).toEqual([
    'breaks: it answers 203 instead of 200',
    'breaks: app may not call it any more',
    'adds: superadmin may call it',
  ]);
});

test('nothing is said of what cannot be served as it was', () => {
  const broken = { ...before, blocks: [{ type: 'list', entity: 'Gone' }] };
  expect(said(broken, { ...before, statusOut: 203 }, model)).toEqual([]);
});
