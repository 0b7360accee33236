/** covers: API-03 */
import { apiModelOf } from '@quarterdeck/api';
import { completed, completionAt, namesFor } from './completions';
import { draftOf, emptyBlock, NEW_ENDPOINT, type EndpointDraft } from './endpoint-draft';

const attribute = { id: 'a', name: 'Title', type: 'String' as const, optional: false };
const model = apiModelOf(
  {
    entities: [
      {
        id: 'author',
        name: 'Author',
        isUuid: false,
        attributes: [{ ...attribute, id: 'n', name: 'Pen name' }],
      },
      {
        id: 'book',
        name: 'Book',
        isUuid: false,
        attributes: [
          attribute,
          { id: 'f', name: 'Author', type: 'ForeignKey', optional: false, foreignEntity: 'author' },
          { id: 'p', name: 'Password hash', type: 'String', optional: true },
        ],
      },
    ],
    optionSets: [],
  },
  'postgresql',
);
const draft: EndpointDraft = {
  ...draftOf(NEW_ENDPOINT),
  path: '/books/:id',
  bodyShape: '{"title": {"type": "String"}}',
  blocks: [
    { ...emptyBlock(0), entity: 'Book', name: 'first' },
    { ...emptyBlock(1), entity: 'Author' },
  ],
};

test('filters complete attributes, those of related rows, operators, and places of the request', () => {
  const names = namesFor('filters', model, draft, 0);
  for (const one of ['title', 'author', 'penName', 'contains', 'every', 'params.id', 'body.title'])
    expect(names).toContain(one);
  expect(names.join()).not.toMatch(/password|chain\.first/i);
});

test('a later block completes results of earlier ones, and the rows that point to its own', () => {
  const names = namesFor('filters', model, draft, 1);
  expect(names).toContain('chain.first');
  expect(names).toContain('Book.author');
});

test('a projection completes what is shown only, and data what is written', () => {
  expect(namesFor('projection', model, draft, 0)).toEqual(['id', 'title', 'author']);
  expect(namesFor('data', model, draft, 0)).toContain('passwordHash');
});

test.each<[string, string, readonly string[], string]>([
  ['within quotes', '{"ti', ['title', 'total'], '{"title'],
  ['without quotes', '{ti', ['title', 'total'], '{"title"'],
  ['after a quote', '["', ['title'], '["title'],
  ['a place', '{"id": {"$": "par', ['params.id', 'query.'], '{"id": {"$": "params.id'],
])('a name is filled in %s', (_, text, names, expected) => {
  const found = completionAt(text, text.length, names);
  expect(found.names[0]).toBeDefined();
  expect(completed(text, text.length, found, found.names[0] ?? '')).toEqual({
    text: expected,
    caret: expected.length,
  });
});

test.each(['', '{', '{"title": ', '{"title"'])('nothing is offered after %j', (text) => {
  expect(completionAt(text, text.length, ['title', 'id']).names).toEqual([]);
});
