/**
 * The schemas of two public sample databases (Chinook and Pagila, small files of our own after their shape), imported and served
 * by one click for each entity. What the documents of PostgREST and Directus answer is asked here, and by hand in SQL.
 *
 * covers: API-02, API-04
 */
import { randomUUID } from 'node:crypto';
import {
  compile,
  perform,
  serve,
  compileCall,
  type ApiModel,
  type Block,
  type Endpoint,
} from '@quarterdeck/api';
import { endpointsOf } from '../../apps/backend/src/api-instances/entity-endpoints';
import { startGrounds, type Ground } from './grounds';
import { importedModel } from './imported-model';
import { QUESTIONS, ROWS, TABLES } from './samples';

let grounds: Ground[];

beforeAll(async () => {
  grounds = await startGrounds();
});

afterAll(() => Promise.all(grounds.map((ground) => ground.stop())));

const NOW = '2026-11-28T13:30:00.000000';
const effects = (ground: Ground) => ({
  ask: ground.ask,
  uuid: randomUUID,
  snippet: () => Promise.reject(new Error('no guests here')),
});

/** As a join would list it: an object beside its row, and a row again for each of its list. */
const flat = (row: unknown): unknown[][] =>
  Object.values(row as object).reduce<unknown[][]>(
    (lines, value) => {
      const parts: unknown[][] = Array.isArray(value)
        ? value.flatMap(flat)
        : typeof value === 'object' && value !== null
          ? flat(value)
          : [[value]];
      return lines.flatMap((line) => parts.map((part) => [...line, ...part]));
    },
    [[]],
  );

/** Texts, because decimals and long numbers are texts in JSON. */
const texts = (rows: readonly unknown[][]) =>
  rows.map((row) => row.map((value) => (value === null ? null : String(value as string | number | boolean))));

test('has 60 questions', () => {
  expect(QUESTIONS.length).toBeGreaterThanOrEqual(60);
  expect(new Set(QUESTIONS.map(({ asks }) => asks)).size).toBe(QUESTIONS.length);
});

describe.each([
  ['PostgreSQL', 0],
  ['MariaDB', 1],
])('%s', (_, at) => {
  let ground: Ground;
  let model: ApiModel;

  beforeAll(async () => {
    ground = grounds[at] as Ground;
    model = await importedModel(ground, [...TABLES(ground.dialect), ...ROWS]);
  });

  test.each(QUESTIONS.map((one) => [one.asks, one] as const))(
    '%s',
    async (_asks, { block, query = {}, sql }) => {
      const compiled = compileCall(block as Block, model);
      if (compiled.type === 'snippet') throw new Error('no snippet');
      const values = { params: {}, query, body: null, user: null, chain: {}, in: {}, now: NOW };
      const answer = (await perform(compiled, values, effects(ground))).value();
      const { rows } = await ground.ask({ text: sql, values: [] });
      const byHand = rows.map((row) => Object.values(row));
      expect(byHand.length).toBeGreaterThan(0);
      expect(texts([answer].flat().flatMap(flat))).toEqual(texts(byHand));
    },
  );

  test('one click for each entity: five endpoints, and all rows by them', async () => {
    for (const entity of model.entities.values()) {
      const made = endpointsOf(entity);
      // A table of two keys has nothing that could be set.
      if (made.length === 0) {
        expect([...entity.attributes.values()].every((one) => entity.key.includes(one))).toBe(true);
        continue;
      }
      expect([entity.name, made.map(({ method }) => method)]).toEqual([
        entity.name,
        ['GET', 'GET', 'POST', 'PUT', 'DELETE'],
      ]);
      const [list] = made;
      const result = await serve(
        compile(list as Endpoint, model),
        { params: {}, query: { take: '100' }, body: null, user: { id: '1' }, now: NOW },
        effects(ground),
      );
      const { rows } = await ground.ask({ text: `select count(*) as n from ${entity.table}`, values: [] });
      expect([entity.name, (result.value() as unknown[]).length]).toEqual([
        entity.name,
        Number(rows[0]?.['n']),
      ]);
    }
  });
});
