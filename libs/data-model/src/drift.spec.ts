import { comparedTexts, driftOf, hindering, named, repairOf } from './drift';
import { lint } from './lint';
import type { Attribute, Model } from './model';
import { reachedBy, stoppedAfter, structureAfter } from './after';
import { plan } from './plan';
import { migrationsOf } from './sql';
import { noStructure, type Structure } from './structure';
import { structureOf } from './structure-of';

const author = (attributes: Attribute[], name = 'Author'): Structure => {
  const model: Model = { entities: [{ id: 'a', name, isUuid: false, attributes }], optionSets: [] };
  return structureOf(model);
};
const text = (id: string, name: string): Attribute => ({ id, name, type: 'String', optional: true });

/** The structure as read from a database: with names as ids. */
const found = (structure: Structure, extras: string[] = []): Structure => ({
  tables: named(structure).tables.map((table) => ({ ...table, extras })),
});
const stepsOf = (recorded: Structure, to: Structure, actual: Structure) => {
  const repair = repairOf(to, actual, [recorded]);
  return plan(repair.from, repair.to).map((step) => Object.values(step).join(' '));
};

const was = author([text('m', 'Mail')]);
const will = author([text('m', 'Email')], 'Writer');

it('keeps the values of what a version renames, whatever else was changed by hand', () => {
  const byHand = found(author([text('m', 'Mail'), text('x', 'By hand')]), ['unique index one (mail)']);
  expect(stepsOf(was, will, byHand)).toEqual(['renameTable author writer', 'renameColumn writer mail email']);
});

it('carries out a version in a table whose key was changed by hand, and leaves the key', () => {
  const [table] = found(was).tables;
  const id = { id: 'id', name: 'id', type: 'Long', required: true };
  const key = 'primary key id bigint without numbers of its own';
  const byHand: Structure = { tables: [{ ...table!, key, columns: [id, ...table!.columns] }] };
  expect(stepsOf(was, will, byHand)).toEqual(['renameTable author writer', 'renameColumn writer mail email']);
  // What the version drops is dropped there as well.
  expect(stepsOf(was, author([]), byHand)).toEqual(['dropColumn author mail']);
  const { to } = repairOf(will, byHand, [was]);
  expect(driftOf(will, to).map(({ kind }) => kind)).toEqual(['keyDiffers', 'columnExtra']);
});

it('leaves an index that was made by hand, also on a column that is renamed', () => {
  const [table] = found(was).tables;
  const columns = table!.columns.map((column) => ({ ...column, index: 'by_mail' }));
  const byHand: Structure = { tables: [{ ...table!, columns }] };
  expect(stepsOf(was, was, byHand)).toEqual([]);
  expect(stepsOf(was, will, byHand)).toEqual(['renameTable author writer', 'renameColumn writer mail email']);
});

it('is not hindered by an index that was made by hand, but by one of a foreign key that no version has', () => {
  const [table] = found(was).tables;
  const withIndex = (index: string): Structure => ({
    tables: [{ ...table!, columns: table!.columns.map((column) => ({ ...column, index })) }],
  });
  const kinds = [withIndex('by_hand'), withIndex('ix_p')].map((actual) =>
    driftOf(was, actual).map(({ kind }) => kind),
  );
  expect(kinds).toEqual([['extra'], ['indexExtra']]);
});

describe('a pointer that somebody changed', () => {
  const pointing = (column: string, target?: string): Structure =>
    structureOf({
      entities: [
        {
          id: 'a',
          name: 'Author',
          isUuid: false,
          attributes: target
            ? [{ id: 'p', name: column, type: 'ForeignKey', optional: true, foreignEntity: target }]
            : [],
        },
        ...(target === 'o' ? [{ id: 'o', name: 'Other', isUuid: false, attributes: [] }] : []),
      ],
      optionSets: [],
    });
  const version = pointing('Boss', 'a');

  it('says that another index takes the place of the one made by hand', () => {
    const [table] = found(version).tables;
    const columns = table!.columns.map((column) => ({ ...column, index: 'by_hand' }));
    const { from, to } = repairOf(version, { tables: [{ ...table!, columns }] }, [version]);
    expect(lint(from, to)).toMatchObject([
      {
        code: 'indexReplaced',
        severity: 'advice',
        where: 'author.boss_id',
        reason: 'The index by_hand of boss_id is dropped: ix_p takes its place.',
      },
    ]);
  });

  it('stays under its new name, and gives up the key and the index that the version needs', () => {
    expect(stepsOf(version, version, found(pointing('Chief', 'a')))).toEqual([
      'dropForeignKey author fk_p',
      'dropIndex author ix_p',
      'addColumn author [object Object]',
      'addIndex author boss_id ix_p',
      'addForeignKey author boss_id fk_p author',
    ]);
  });

  it('stays, but points to no table that goes', () => {
    const both = pointing('Boss', 'o');
    const others = { tables: pointing('Boss', 'o').tables.map((table) => ({ ...table, columns: [] })) };
    expect(stepsOf(others, author([]), found(both))).toEqual([
      'dropForeignKey author fk_p',
      'dropTable other',
    ]);
  });
});

it('goes on with a rename that an apply before did not come to', () => {
  expect(stepsOf(was, will, found(author([text('m', 'Mail')], 'Writer')))).toEqual([
    'renameColumn writer mail email',
  ]);
  expect(stepsOf(was, will, found(will))).toEqual([]);
});

describe('after a run that stopped', () => {
  const model = (tables: [string, string], columns: [string, string], more: Attribute[] = []): Structure =>
    structureOf({
      entities: tables.map((name, at) => ({
        id: `e${at}`,
        name,
        isUuid: false,
        attributes: at === 0 ? [text('x', columns[0]), text('y', columns[1]), ...more] : [],
      })),
      optionSets: [],
    });
  const first = model(['Author', 'Book'], ['Mail', 'Note']);
  const pointer: Attribute = {
    id: 'p',
    name: 'Pointer',
    type: 'ForeignKey',
    optional: true,
    foreignEntity: 'e1',
  };
  const second = model(['Book', 'Author'], ['Note', 'Mail'], [text('z', 'Alias'), pointer]);
  const chained = author([text('m', 'Note')]);
  const both = author([text('n', 'Note'), text('m', 'Mail')]);
  /** The id behind each name, which identifies the original table or column of the data. */
  const owners = ({ tables }: Structure) =>
    Object.fromEntries(
      tables.flatMap(({ id, name, columns }) => [
        [name, id],
        ...columns.map((column) => [`${name}.${column.name}`, column.id]),
      ]),
    );

  it.each([
    ['two tables and two columns swap their names', first, second],
    ['a table and columns are new', noStructure, second],
    ['a column takes the name of another one that goes', both, chained],
  ])('a repair mixes and loses nothing, wherever it stopped, if %s', (_, from, to) => {
    const migrations = migrationsOf(plan(from, to)).map((one) => ({ ...one, version: 2 }));
    const way = { from, between: [], to, migrations };
    for (let done = 0; done <= migrations.length; done += 1) {
      const reached = reachedBy(way, done);
      const repair = repairOf(to, found(reached), [reached, from]);
      const steps = plan(repair.from, repair.to);
      expect(steps.filter(({ kind }) => /^drop(Table|Column)$/.test(kind)).length).toBe(
        migrations.slice(done).filter(({ step }) => /^drop(Table|Column)$/.test(step.kind)).length,
      );
      const kept = new Set(Object.values(owners(reached)));
      const after = Object.entries(owners(structureAfter(repair.from, steps)));
      expect(Object.fromEntries(after.filter(([, id]) => kept.has(id)))).toEqual(
        Object.fromEntries(Object.entries(owners(to)).filter(([, id]) => kept.has(id))),
      );
      // The stored form of the plan leads to the same statements, even without the structures reached before.
      const again = repairOf(to, JSON.parse(JSON.stringify(repair.from)) as Structure, [from]);
      expect(plan(again.from, again.to)).toEqual(steps);
    }
  });

  it('the structure shows whether the last statement was carried out, if the journal does not', () => {
    const migrations = migrationsOf(plan(first, second)).map((one) => ({ ...one, version: 2 }));
    const way = { from: first, between: [], to: second, migrations };
    for (const { sequenceIndex: sequence } of migrations) {
      const [before, after] = [reachedBy(way, sequence - 1), reachedBy(way, sequence)];
      const begun = (actual: Structure) => stoppedAfter(way, { sequence, state: 'begun' }, found(actual));
      expect(begun(before)).toEqual(sequence === 1 ? undefined : before);
      expect(begun(after)).toEqual(after);
      expect(stoppedAfter(way, { sequence, state: 'done' }, found(before))).toEqual(after);
    }
  });

  it('another repair goes on where a repair stopped', () => {
    const way = (from: Structure, to: Structure) => ({
      from,
      between: [],
      to,
      migrations: migrationsOf(plan(from, to)).map((one) => ({ ...one, version: 2 })),
    });
    const stopped = reachedBy(way(first, second), 2);
    const repair = repairOf(second, found(stopped), [stopped, first]);
    const again = reachedBy(way(repair.from, repair.to), 1);
    const last = repairOf(second, found(again), [again, first]);
    const end = structureAfter(last.from, plan(last.from, last.to));
    expect(owners(end)).toMatchObject({ book: 'e0', author: 'e1', 'book.note': 'x', 'book.mail': 'y' });
  });
});

it('is hindered by all drift but what no model can say', () => {
  const extra = driftOf(was, found(was, ['unique index one (mail)']));
  expect(extra).toHaveLength(1);
  expect(hindering(extra)).toEqual([]);
  expect(hindering(driftOf(was, found(author([]))))).toHaveLength(1);
});

it('does not count what is left alone: neither views nor what an import leaves out', () => {
  const read = found(was, ['trigger watched', 'unique index one (mail)']);
  const dialect = 'mysql';
  const tables = read.tables.map((table) => ({
    ...table,
    exact: {
      columns: [],
      extras: ['trigger watched'],
      native: { dialect, as: table.name, needs: [], parts: [] },
    } as const,
  }));
  const actual = { ...read, dialect, tables, views: ['heavy'] } as const;
  const words = driftOf(was, actual).map((one) => one.words);
  expect(words).toEqual(['author: unique index one (mail) is not part of the version.']);
  expect(comparedTexts(was, actual).actual).not.toMatch(/heavy|watched/);
});

it('writes both sides of a drift in the words of the engine, so that only what differs differs', () => {
  const dialect = 'postgresql';
  const parts = [{ kind: 'key', name: 'customer_pkey', text: '("id")', columns: ['id'] } as const];
  const native = (as: string, of: 'String' | 'LocalDate', type: string) =>
    ({ dialect, as, of, type }) as const;
  const attributes: Attribute[] = [
    {
      id: 'i',
      name: 'Id',
      column: 'id',
      type: 'String',
      optional: false,
      native: native('id', 'String', '"uuid"'),
    },
    {
      id: 'b',
      name: 'Born',
      type: 'LocalDate',
      optional: true,
      native: native('born', 'LocalDate', '"date"'),
    },
  ];
  const table = { dialect, as: 'customer', columns: ['id', 'born'], key: ['id'], parts } as const;
  const entity = { id: 'c', name: 'Customer', isUuid: false, attributes, native: table };
  const version = structureOf({ entities: [entity], optionSets: [] });
  const [expected] = named(version).tables;
  const column = (name: string, type: string, exact: string, required: boolean) =>
    ({ id: name, name, type, required, native: { dialect, type: exact } }) as const;
  const born = (name: string): Structure => ({
    dialect,
    tables: [
      {
        id: 'customer',
        name: 'customer',
        key: 'Uuid',
        extras: ['unique index'],
        columns: [{ id: name, name, type: 'LocalDate', required: false }],
        exact: {
          extras: [],
          native: { dialect, as: 'customer', needs: [], parts: expected?.native?.parts ?? [] },
          columns: [column('id', 'String', '"uuid"', true), column(name, 'LocalDate', '"date"', false)],
        },
      },
    ],
  });
  const same = comparedTexts(version, born('born'));
  expect(same.actual).toBe(same.expected);
  expect(same.expected).toContain('key customer_pkey (id)');
  const { expected: should, actual: is } = comparedTexts(version, born('birth'));
  const lines = (text: string) => new Set(text.split('\n'));
  expect([...lines(is)].filter((line) => !lines(should).has(line))).toEqual(['  birth "date"']);
});

it('says what a generated column is made from by the names of those columns', () => {
  const native = (rest: string) => ({ dialect: 'mysql' as const, type: 'int', rest });
  const made = (rest: string): Structure => {
    const column = { required: false, native: native(rest), type: `int ${rest}` };
    const columns = [
      { id: '1', name: 'a', type: 'Int', required: false },
      { ...column, id: '2', name: 'b' },
    ];
    const its = { dialect: 'mysql' as const, as: 't', needs: [], parts: [] };
    return { tables: [{ id: 't', name: 't', key: 'of attributes', columns, extras: [], native: its }] };
  };
  const words = driftOf(made('AS (⟦1⟧ + 1)'), made(`AS (⟦1⟧ + 2) COMMENT '⟦⟧1⟧'`)).map((one) => one.words);
  expect(words).toEqual([`t.b should be int AS (a + 1), but is int AS (a + 2) COMMENT '⟦1⟧'.`]);
});
