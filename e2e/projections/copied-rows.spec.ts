/** A rebuild copies its rows, and a live read model inserts them from JSON: both have to write the same rows. */
import type { ColumnType } from '@quarterdeck/projections';
import fc from 'fast-check';
import { Client } from 'pg';
import { asJson } from '../../libs/projections/src/runner/batch-statement';
import { copyIn, copyLines } from '../../libs/projections/src/runner/copy-in';
import type { Row } from '../../libs/projections/src/runner/row';
import {
  copyRows,
  createTable,
  selectShown,
  writeRows,
  type Target,
} from '../../libs/projections/src/runner/tables';
import { startTestPostgres, type TestPostgres } from '../../testing/postgres';

let postgres: TestPostgres;
let client: Client;
beforeAll(async () => {
  postgres = await startTestPostgres();
  client = new Client({ connectionString: postgres.url });
  await client.connect();
});
afterAll(async () => {
  await client.end();
  await postgres.stop();
});

const columns: Record<string, ColumnType> = {
  name: 'text',
  tags: 'text[]',
  ref: 'uuid',
  shown: 'boolean',
  count: 'integer',
  at_position: 'bigint',
  load: 'double precision',
  at: 'timestamptz',
  more: 'jsonb',
};
const target = (table: string, appendOnly = {}): Target => ({
  projection: {
    name: 'all',
    version: 1,
    columns,
    indexes: [],
    keys: () => [],
    evolve: (view: object | undefined) => view,
    ...appendOnly,
  },
  table,
});

/** Text that Postgres can store: without NUL and lone surrogates. */
const text = fc
  .string({
    unit: fc.oneof(
      fc.constantFrom('\\', '\t', '\n', '\r', '"', "'", '{', '}', ',', 'N', '.'),
      fc.string({ unit: 'grapheme' }),
    ),
  })
  .filter((value) => !value.includes('\0'));
const maybe = <T>(value: fc.Arbitrary<T>) => fc.option(value, { nil: undefined });
const view = fc.record(
  {
    name: maybe(fc.oneof(text, fc.integer(), fc.boolean(), fc.constant(null))),
    tags: maybe(fc.array(fc.oneof(text, fc.constant(null)))),
    ref: maybe(fc.uuid()),
    shown: maybe(fc.boolean()),
    count: maybe(fc.integer()),
    at_position: maybe(fc.maxSafeNat().map(String)),
    load: maybe(fc.double({ noNaN: true, noDefaultInfinity: true })),
    at: maybe(
      fc
        .date({ min: new Date(0), max: new Date('2099-01-01'), noInvalidDate: true })
        .map((date) => date.toISOString()),
    ),
    more: maybe(fc.oneof(text, fc.array(text), fc.dictionary(text, text), fc.integer())),
    unlifted: maybe(text),
  },
  { requiredKeys: [] },
);

const exactly = async (from: string) =>
  (await client.query<object>(`select t.*, t::text as exactly from ${from} t order by position`)).rows;

/** Writes the same rows to tables `copied` and `inserted`. */
const writeBoth = async (
  views: readonly object[],
  { appendOnly }: { appendOnly: boolean },
): Promise<void> => {
  const [copied, inserted] = [target('copied', { appendOnly }), target('inserted', { appendOnly })];
  await client.query('drop table if exists copied, inserted');
  for (const one of [copied, inserted]) await client.query(createTable(one, 'temporary'));
  const rows = views.map((one, n): [string, Row] => [
    `${n}\\\t${n}`,
    { workspace: 'w\\', position: String(n), view: one },
  ]);
  await copyIn(client, copyRows(copied, { temporary: true }), copyLines(copied.projection, rows));
  await client.query(writeRows(inserted, 'insert', '$1', { temporary: true }), [asJson(rows)]);
};

test('a copied row equals an inserted one, for every type of column and any text', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(view, { minLength: 1, maxLength: 20 }),
      fc.boolean(),
      async (views, appendOnly) => {
        await writeBoth(views, { appendOnly });
        expect(await exactly('copied')).toEqual(await exactly('inserted'));
        expect(await exactly('copied')).toHaveLength(views.length);
      },
    ),
    { numRuns: 50 },
  );
});

test('readers get the same view from an append-only row, which stores its texts once', async () => {
  const views = [
    { name: 'web-1', count: 1, more: { name: 'web-2' } },
    { count: 2 },
    { name: "'\\", tags: ['a'] },
  ];
  const read: object[][] = [];
  for (const appendOnly of [false, true]) {
    await writeBoth(views, { appendOnly });
    read.push(await exactly(`(${selectShown(target('copied', { appendOnly }).projection, 'copied')})`));
  }
  expect(read[1]).toEqual(read[0]);
  expect((await exactly(`(select position, view->'name' as name from copied)`))[0]).toMatchObject({
    name: null,
  });
});

test('a refused row fails the copy, and the connection stays usable', async () => {
  await client.query(createTable(target('refused'), 'temporary'));
  const rows: [string, Row][] = [['a', { workspace: 'w', position: '1', view: { at: 'no instant' } }]];
  const copied = copyIn(
    client,
    copyRows(target('refused'), { temporary: true }),
    copyLines({ columns }, rows),
  );
  await expect(copied).rejects.toMatchObject({ code: '22007' });
  expect((await client.query('select from refused')).rowCount).toBe(0);
});
