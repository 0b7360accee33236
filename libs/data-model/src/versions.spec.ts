import type { Attribute, Model, NativeColumn, NativeTable } from './model';
import { lintWay } from './lint-way';
import { MAX_COLUMNS, problemsOf } from './problems';
import { differenceOf, generated, wayBetween, type ModelVersion } from './versions';

const model = (...names: string[]): Model => ({
  entities: names.map((name) => ({ id: `e-${name}`, name, isUuid: false, attributes: [] })),
  optionSets: [],
});
const next = (last: ModelVersion | undefined, of: Model): ModelVersion => {
  const version = generated(last, of);
  if (typeof version === 'string') throw new Error(version);
  return version;
};

const first = next(undefined, model('Author'));
const second = next(first, model('Author', 'Book'));
const third = next(second, model('Book'));
const versions = [first, second, third];

it('numbers versions, each with the migrations from the one before', () => {
  expect(versions.map(({ sequenceIndex }) => sequenceIndex)).toEqual([1, 2, 3]);
  expect(versions.map(({ migrations }) => migrations.map(({ label }) => label))).toEqual([
    ['create_table_author'],
    ['create_table_book'],
    ['drop_table_author'],
  ]);
});

it('says so instead of generating an empty version', () => {
  expect(generated(second, model('Author', 'Book'))).toBe('nothing has changed since version 2');
  expect(generated(undefined, model())).toBe('there is no entity and no option set yet');
});

it('generates a version for words alone, without a statement', () => {
  const renamed = {
    ...first.model,
    entities: first.model.entities.map((one) => ({ ...one, name: 'Writer', table: 'author' })),
  };
  expect(next(first, renamed)).toMatchObject({ sequenceIndex: 2, migrations: [] });
});

it('generates nothing from a model with a problem', () => {
  const broken = model('Author', 'author');
  expect(generated(first, broken)).toBe('an entity author already exists');
  expect(differenceOf(first.model, broken)).toMatchObject({ migrations: [], findings: [] });
});

it('counts what is pending in words, as statements, and with what to consider', () => {
  const { changes, migrations, findings } = differenceOf(second.model, model('Book'));
  expect(changes.map(({ words }) => words)).toEqual(['Entity Author removed']);
  expect(migrations).toHaveLength(1);
  expect(findings.map(({ code }) => code)).toEqual(['dropTable']);
});

it('goes forward with the recorded texts, and back by the difference the other way round', () => {
  expect(wayBetween(versions, 1, 3).migrations.map(({ version, label }) => `${version} ${label}`)).toEqual([
    '2 create_table_book',
    '3 drop_table_author',
  ]);
  expect(wayBetween(versions, 3, 0).migrations.map(({ version, label }) => `${version} ${label}`)).toEqual([
    '2 create_table_author',
    '1 drop_table_book',
    '0 drop_table_author',
  ]);
  expect(wayBetween(versions, 2, 2).migrations).toEqual([]);
  expect(() => wayBetween(versions, 0, 4)).toThrow('there is no version 4');
});

it('generates the first version of 300 entities with 600 references', () => {
  const entities = Array.from({ length: 300 }, (_, at) => ({
    id: `e${at}`,
    name: `Entity ${at}`,
    isUuid: at % 2 === 0,
    attributes: Array.from({ length: 8 }, (__, its) => ({
      id: `a${at}-${its}`,
      name: `Attribute ${its}`,
      optional: its > 4,
      ...(its < 2
        ? { type: 'ForeignKey' as const, foreignEntity: `e${(at * 7 + its + 1) % 300}` }
        : { type: 'String' as const }),
    })),
  }));
  const version = next(undefined, { entities, optionSets: [] });
  expect(version.migrations).toHaveLength(300 + 600 + 600);
  // EventStoreDB accepts messages of up to 4 MB.
  expect(JSON.stringify(version).length).toBeLessThan(2_000_000);
});

it('finds what a way over several versions destroys, though both ends are the same', () => {
  const author = (attributes: Attribute[], isUuid = false): Model => ({
    entities: [{ id: 'a', name: 'Author', isUuid, attributes }],
    optionSets: [],
  });
  const nick = (type: Attribute['type'], name = 'Nick'): Attribute => ({
    id: 'n',
    name,
    type,
    optional: true,
  });
  const text = author([nick('String')]);
  const found = (models: Model[], from = 1, to = models.length) => {
    const all: ModelVersion[] = [];
    for (const one of models) all.push(next(all.at(-1), one));
    return lintWay(wayBetween(all, from, to)).map(
      ({ code, where, count }) => `${code} ${where}: ${count?.postgresql ?? ''}`,
    );
  };
  const values = 'select count(*) as rows_concerned from "author" where "nick" is not null';
  const rows = 'select count(*) as rows_concerned from "author"';
  expect(found([text, author([]), text])).toEqual([`dropColumn author.nick: ${values}`]);
  expect(found([text, author([]), text], 3, 1)).toEqual([`dropColumn author.nick: ${values}`]);
  expect(found([text, model(), text])).toEqual([`dropTable author: ${rows}`]);
  expect(found([text, author([nick('String')], true), text])).toEqual([`dropTable author: ${rows}`]);
  expect(found([text, author([nick('Int')]), text])).toEqual([`typeLoses author.nick: ${values}`]);
  // Counted under the column's name before the first statement, whatever later versions call it.
  expect(found([text, author([nick('String', 'Alias')]), author([])])).toEqual([
    `dropColumn author.alias: ${values}`,
  ]);
  // A part that is added and removed on the way has no rows to lose.
  expect(found([author([]), text, author([nick('Int')]), author([])])).toEqual([]);
  expect(found([model('Book'), model('Book', 'Author'), model('Book')])).toEqual([]);
  // A new column is empty, so it cannot become required if there are rows.
  expect(found([author([]), text, author([{ ...nick('String'), optional: false }])])).toEqual([
    `columnRequired author.nick: ${rows}`,
  ]);
});

it('a model has no more columns than a console can compare', () => {
  const of = (attributes: number): Model => {
    const [entity] = model('Author').entities;
    if (!entity) throw new Error('no entity');
    const many = Array.from({ length: attributes }, (_, at): Attribute => ({
      id: `a${at}`,
      name: `a ${at}`,
      type: 'Int',
      optional: true,
    }));
    return { entities: [{ ...entity, attributes: many }], optionSets: [] };
  };
  expect(problemsOf(of(MAX_COLUMNS - 1))).toEqual([]);
  const [problem] = problemsOf(of(MAX_COLUMNS));
  expect(problem?.message).toMatch(/^the tables have 30001 columns with their keys, and 30000 are possible/);
});

describe('what an import has recorded in the words of its engine', () => {
  const book = (
    native: Partial<NativeTable> = {},
    column: Pick<NativeColumn, 'type' | 'rest'> = { type: 'varchar(20)' },
  ): Model => ({
    entities: [
      {
        id: 'b',
        name: 'Book',
        isUuid: false,
        attributes: [
          {
            id: 'i',
            name: 'Isbn',
            type: 'String',
            optional: true,
            native: { dialect: 'mysql', as: 'isbn', of: 'String', ...column },
          },
        ],
        native: { dialect: 'mysql', as: 'book', columns: ['isbn'], key: [], parts: [], ...native },
      },
    ],
    optionSets: [],
  });
  const unique = { kind: 'unique' as const, name: 'u_isbn', text: '(`isbn`)', columns: ['isbn'] };
  const index = { ...unique, kind: 'index' as const, name: 'by_isbn' };
  const mood = { kind: 'enum' as const, name: 'mood', text: `('a')` };

  it.each([
    [{ parts: [unique] }, ['Book: unique key u_isbn (`isbn`) added'], ['add_unique_of_book_u_isbn']],
    [{ parts: [unique, index] }, ['Book: unique key u_isbn (`isbn`) added'], undefined, { parts: [index] }],
    [{}, ['Book: index by_isbn removed'], undefined, { parts: [index] }],
    [
      { parts: [{ ...index, text: '(`isbn`(5))' }] },
      ['Book: the index by_isbn (`isbn`) is now (`isbn`(5))'],
      undefined,
      { parts: [index] },
    ],
    [{ options: 'ENGINE=InnoDB' }, ['Book: the options none are now ENGINE=InnoDB'], []],
    [{ needs: [mood] }, [`Book: the enum mood ('a') is needed`], undefined],
    [{ columns: ['isbn', 'more'] }, ['Book: the names in the exact table have changed'], []],
  ] as const)('is a change when it becomes %j', (after, words, labels, before: Partial<NativeTable> = {}) => {
    const last = next(undefined, book(before));
    expect(differenceOf(last.model, book(after)).changes.map((change) => change.words)).toEqual(words);
    const version = next(last, book(after));
    if (labels) expect(version.migrations.map(({ label }) => label)).toEqual(labels);
    expect(generated(version, book(after))).toBe('nothing has changed since version 2');
  });

  it('is a change of the attribute, with a statement', () => {
    const last = next(undefined, book());
    const wider = book({}, { type: 'varchar(80)', rest: `DEFAULT 'x'` });
    expect(differenceOf(last.model, wider).changes).toEqual([
      {
        kind: 'exactTypeChanged',
        entity: 'b',
        attribute: 'i',
        words: `Book.Isbn: the exact type varchar(20) is now varchar(80) DEFAULT 'x'`,
      },
    ]);
    expect(next(last, wider).migrations).toHaveLength(1);
  });
});
