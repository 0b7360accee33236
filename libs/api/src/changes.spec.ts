/** covers: API-02, API-04. What a change of a definition does to its callers. */
import type { Attribute, Model } from '@quarterdeck/data-model';
import { apiModelOf, changesBetween, type Endpoint } from './index';

const modelWith = (note: Partial<Attribute>) =>
  apiModelOf(
    {
      optionSets: [],
      entities: [
        {
          id: 'o',
          name: 'Order',
          isUuid: false,
          attributes: [
            { id: 'note', name: 'Note', type: 'String', optional: false, ...note },
            { id: 'total', name: 'Total', type: 'Int', optional: false },
          ],
        },
      ],
    } satisfies Model,
    'postgresql',
  );

const endpoint: Endpoint = {
  method: 'POST',
  path: '/orders/:id',
  permissions: ['app'],
  bodyShape: { total: { type: 'Int' }, name: { type: 'String', max: 20, optional: true } },
  blocks: [
    {
      type: 'detail',
      entity: 'Order',
      filters: { id: { $: 'params.id' }, total: { $: 'query.total', default: 1 } },
    },
  ],
};
const [block] = endpoint.blocks;

const changes = (after: Partial<Endpoint>, note: Partial<Attribute> = {}) =>
  changesBetween(
    { endpoints: [endpoint], model: modelWith({}) },
    { endpoints: [{ ...endpoint, ...after }], model: modelWith(note) },
  ).map(({ isBreaking, message }) => `${isBreaking ? 'breaks' : 'fits'}: ${message}`);

test('the same definition has no changes, and neither has another name of a parameter', () => {
  expect(changes({})).toEqual([]);
  const renamed = {
    ...block,
    filters: { id: { $: 'params.order' }, total: { $: 'query.total', default: 1 } },
  } as Endpoint['blocks'][0];
  expect(changes({ path: '/orders/:order', blocks: [renamed] })).toEqual([]);
});

test.each<[string, Partial<Endpoint>, string[]]>([
  ['another status', { statusOut: 201 }, ['breaks: it answers 201 instead of 200']],
  [
    'another permission',
    { permissions: ['admin'] },
    ['breaks: app may not call it any more', 'fits: admin may call it'],
  ],
  ['no permission', { permissions: [] }, ['fits: everybody may call it']],
  ['another path', { path: '/all/:id' }, ['breaks: it is removed', 'fits: it is new']],
  [
    'a shorter text',
    { bodyShape: { ...endpoint.bodyShape, name: { type: 'String', max: 10, optional: true } } },
    ['breaks: body.name has at most 10 characters'],
  ],
  [
    'a required field',
    { bodyShape: { ...endpoint.bodyShape, name: { type: 'String', max: 20 } } },
    ['breaks: body.name is required', 'breaks: body.name cannot be empty any more'],
  ],
  [
    'a new optional field',
    { bodyShape: { ...endpoint.bodyShape, city: { type: 'String', optional: true } } },
    ['fits: body.city is accepted'],
  ],
  ['a field without effect', { bodyShape: { total: { type: 'Int' } } }, ['breaks: body.name is refused']],
  [
    'another type',
    { bodyShape: { ...endpoint.bodyShape, total: { type: 'String' } } },
    ['breaks: body.total has to be string instead of integer'],
  ],
  [
    'a list',
    { blocks: [{ type: 'list', entity: 'Order' }] },
    ['breaks: query.total has no effect any more', 'breaks: the answer is array instead of object'],
  ],
  [
    'a projection',
    { blocks: [{ ...block, projection: ['id'] } as Endpoint['blocks'][0]] },
    ['breaks: the answer has no note any more', 'breaks: the answer has no total any more'],
  ],
])('%s', (_, after, expected) => {
  expect(changes(after).toSorted()).toEqual(expected.toSorted());
});

test.each<[string, Partial<Attribute>, string[]]>([
  ['renamed', { name: 'Remark' }, ['breaks: the answer has no note any more', 'fits: the answer has remark']],
  ['made optional', { optional: true }, ['breaks: note of the answer may be empty']],
  ['of another type', { type: 'Int' }, ['breaks: note of the answer is integer instead of string']],
])('an attribute of the model that is %s', (_, note, expected) => {
  expect(changes({}, note)).toEqual(expected);
});

test('an endpoint that no longer fits the model is not told as removed, nor as new when it does again', () => {
  const served = { endpoints: [endpoint], model: modelWith({}) };
  const { method, path } = endpoint;
  const unserved = { endpoints: [], unserved: [{ method, path, reason: 'no Order' }], model: modelWith({}) };
  const told = (...sides: Parameters<typeof changesBetween>) =>
    changesBetween(...sides).map(({ isBreaking, message }) => [isBreaking, message]);
  expect(told(served, unserved)).toEqual([[true, 'it cannot be served any more: no Order']]);
  expect(told(unserved, served)).toEqual([[false, 'it can be served again']]);
});
