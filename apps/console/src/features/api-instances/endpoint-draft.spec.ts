/** covers: API-02, API-03 */
import {
  draftOf,
  emptyBlock,
  NEW_ENDPOINT,
  readDraft,
  shownParts,
  type EndpointDraft,
} from './endpoint-draft';

const draft = (change: Partial<EndpointDraft> = {}): EndpointDraft => ({
  ...draftOf(NEW_ENDPOINT),
  path: '/orders',
  ...change,
});
const block = (change: object) => ({ ...emptyBlock(1), entity: 'Order', ...change });

test.each([
  ['list', ['filters', 'order', 'skip', 'take', 'projection', 'references']],
  ['detail', ['filters', 'projection', 'references']],
  ['insert', ['data']],
  ['insertMultiple', ['each', 'data']],
  ['update', ['filters', 'data']],
  ['delete', ['filters']],
  ['snippet', []],
  ['toString', []],
])('a %s shows the parts that it has', (type, parts) => {
  expect(shownParts(type)).toEqual(parts);
});

test('a draft says the endpoint that it was made of', () => {
  const stored = {
    method: 'PUT' as const,
    path: '/orders/:id',
    permissions: ['app'],
    statusOut: 204,
    tag: 'orders',
    bodyShape: { note: { type: 'String' } },
    routeChainMap: { id: { $: 'params.id' } },
    blocks: [
      {
        type: 'update',
        entity: 'Order',
        name: 'changed',
        filters: {},
        data: { note: { $: 'body.note' } },
        all: true,
        chainBlockMap: { a: 1 },
      },
      { type: 'list', entity: 'Order', skip: 5, order: { by: 'id', desc: true }, projection: ['id'] },
      { type: 'snippet', ts: 'call()' },
    ],
  };
  expect(readDraft(draftOf(stored))).toEqual({ endpoint: stored, unread: {} });
});

test('an empty chain map is null', () => {
  expect(readDraft(draft({ routeChainMap: ' {} ' })).endpoint.routeChainMap).toBeNull();
  expect(readDraft(draft({ routeChainMap: '' })).endpoint.routeChainMap).toBeNull();
});

test.each<[string, Partial<EndpointDraft>, Record<string, string>]>([
  ['the body shape', { bodyShape: '{' }, { bodyShape: 'Not JSON' }],
  ['the chain map', { routeChainMap: '{a: 1}' }, { routeChainMap: 'Not JSON' }],
  [
    'a block mapping',
    { blocks: [block({ chainBlockMap: 'x' })] },
    { 'blocks.0.chainBlockMap': 'Not a valid JSON' },
  ],
  ['filters', { blocks: [block({ filters: '{"id"' })] }, { 'blocks.0.filters': 'Not JSON' }],
  ['a status of 300', { statusOut: '300' }, { statusOut: 'Status outside of accepted range' }],
  ['a status of 20x', { statusOut: '20x' }, { statusOut: 'Status outside of accepted range' }],
])('what is wrong with %s is said', (_, change, unread) => {
  expect(readDraft(draft(change)).unread).toEqual(unread);
});

test('what a type does not have is not sent, though it was typed', () => {
  const typed = block({ type: 'delete', filters: '{"id": 1}', data: '{', take: '3', ts: 'x', all: true });
  expect(readDraft(draft({ blocks: [typed] }))).toMatchObject({
    endpoint: { blocks: [{ type: 'delete', entity: 'Order', filters: { id: 1 }, all: true }] },
    unread: {},
  });
});

test('an empty status is that of the specification', () => {
  expect(readDraft(draft({ statusOut: '' })).endpoint.statusOut).toBe(200);
});
