/** A rebuild copies its rows, and a live read model inserts them from JSON: both have to write the same. */
import type { ColumnType } from '@quarterdeck/projections';
import fc from 'fast-check';
import { Client } from 'pg';
import { asJson } from '../../libs/projections/src/runner/batch-statement';
import { copyIn, copyLines } from '../../libs/projections/src/runner/copy-in';
import type { Row } from '../../libs/projections/src/runner/row';
import { copyRows, createTable, writeRows, type Target } from '../../libs/projections/src/runner/tables';
import { startTestPostgres, type TestPostgres } from '../peers/postgres';

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
const target = (table: string): Target => ({
  projection: { name: 'all', version: 1, columns, indexes: [], keys: () => [], evolve: (view) => view },
  table,
});

/** What Postgres can store: neither NUL nor lone surrogates. */
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

test('a copied row equals an inserted one, for every type of column and any text', async () => {
  for (const table of ['copied', 'inserted']) await client.query(createTable(target(table), 'temporary'));
  await fc.assert(
    fc.asyncProperty(fc.array(view, { minLength: 1, maxLength: 20 }), async (views) => {
      await client.query('truncate copied, inserted');
      const rows = views.map((one, n): [string, Row] => [
        `${n}\\\t${n}`,
        { workspace: 'w\\', position: String(n), view: one },
      ]);
      await copyIn(client, copyRows(target('copied'), { temporary: true }), copyLines(columns, rows));
      await client.query(writeRows(target('inserted'), 'insert', '$1', { temporary: true }), [asJson(rows)]);
      const read = async (table: string) =>
        (await client.query<object>(`select t.*, t::text as exactly from ${table} t order by position`)).rows;
      expect(await read('copied')).toEqual(await read('inserted'));
      expect(await read('copied')).toHaveLength(views.length);
    }),
    { numRuns: 50 },
  );
});

test('a refused row fails the copy, and the connection stays usable', async () => {
  await client.query(createTable(target('refused'), 'temporary'));
  const rows: [string, Row][] = [['a', { workspace: 'w', position: '1', view: { at: 'no instant' } }]];
  const copied = copyIn(client, copyRows(target('refused'), { temporary: true }), copyLines(columns, rows));
  await expect(copied).rejects.toMatchObject({ code: '22007' });
  expect((await client.query('select from refused')).rowCount).toBe(0);
});
