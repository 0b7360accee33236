/**
 * The texts of a product with 20,000 keys in 14 languages: a page of the list, a search in keys and texts, the states of
 * all languages, and the export. Floor: the bare query that has to touch the same rows, with nothing around it.
 */
import { languageCodes } from '@quarterdeck/texts';
import { streamName, type NewEvent } from '@quarterdeck/events';
import { projections } from '@quarterdeck/projections';
import { ProjectionRunner } from '@quarterdeck/projections/runner';
import { Pool } from 'pg';
import { v7 as uuid } from 'uuid';
import { migrate } from '../apps/backend/src/platform/database/migrations';
import { ownMeta } from '../apps/backend/src/platform/sessions/session';
import { contentOf, versionOf } from '../apps/backend/src/public-reads/public-contents';
import { tables } from '../apps/backend/src/tables';
import { completenessOf } from '../apps/backend/src/texts/completeness';
import { unitIdOf } from '../apps/backend/src/texts/texts';
import { textPage } from '../apps/backend/src/texts/texts.queries';
import { write } from '../testing/busy-log';
import { openLog } from '../testing/log';
import type { Append } from '../testing/teller';
import { withDurablePostgres } from './durable-postgres';
import { amountOf, finish, median, state } from './harness';

const KEYS = amountOf(20_000);
const LOOKS = 30;
/** Time of a call of ours to that of the bare query. */
const MAX_RATIO = 2;

const [workspace, product] = [uuid(), uuid()];

const words = ['order', 'payment', 'address', 'invoice', 'delivery', 'account', 'password', 'basket'];
const textOf = (at: number, language: number): string =>
  `${words[at % 8]} ${words[(at >> 3) % 8]} ${language} of the shop, number ${at}, for whoever reads it`;

function* appends(): Generator<Append> {
  const { correlationId, causationId, actor, at: now } = ownMeta('cli', workspace);
  const meta = { at: now, actor, workspace, correlationId, causationId, v: '1' };
  const append = (category: string, id: string, type: string, data: object): Append => ({
    stream: streamName(category as 'text', id),
    events: [{ type, data, meta: { ...meta, id: uuid() } } as NewEvent],
  });
  yield append('product', product, 'ProductAdded', { name: 'Shop', description: '' });
  for (let at = 0; at < KEYS; at += 1) {
    const id = uuid();
    const texts = languageCodes
      // Some are missing, others by key.
      .filter((_, language) => language === 0 || (at + language) % 9 !== 0)
      .map((code, language) => [code, { id: unitIdOf(id, code), text: textOf(at, language) }]);
    const key = `${words[at % 8]}.${words[(at >> 3) % 8]}.key${at}`;
    yield append('text', id, 'TextAdded', { product, key, isCms: false, texts: Object.fromEntries(texts) });
  }
}

const typical = async (work: () => Promise<unknown>): Promise<number> => {
  const figures: number[] = [];
  for (let look = 0; look < LOOKS; look += 1) {
    const began = performance.now();
    await work();
    figures.push(performance.now() - began);
  }
  return median(figures);
};

await withDurablePostgres(async (url) => {
  const pool = new Pool({ connectionString: url, max: 4 });
  pool.on('error', () => undefined);
  await migrate(pool, tables.steps);
  const store = await openLog(url);
  await write(store, appends());
  const runner = new ProjectionRunner({
    db: pool,
    connectionString: url,
    store,
    projections: [...projections],
  });
  await runner.start();
  await runner.ready(3_600_000);
  while (!(await runner.waitFor(await store.head(), 60_000)));
  await runner.stop();
  await pool.query('vacuum analyze');

  const ofProduct = `from read.texts where workspace = $1 and product = $2 and "isCms" = false and "removedAt" is null`;
  const bare =
    (text: string, more: unknown[] = []) =>
    () =>
      pool.query(text, [workspace, product, ...more]);
  const asked = { product: { id: product }, isCms: false };
  const read = { what: 'i18n', workspace, product, language: 'fr', fallback: 'none' } as const;
  const pairs: [name: string, ours: () => Promise<unknown>, floor: () => Promise<unknown>][] = [
    [
      'a page',
      () => textPage(pool, workspace, { ...asked, page: 400 }),
      async () => {
        await bare(
          `select id, key, english, states ${ofProduct} order by lower(key), id limit 25 offset 9975`,
        )();
        await bare(`select count(*) ${ofProduct}`)();
      },
    ],
    [
      'a search',
      () => textPage(pool, workspace, { ...asked, search: 'number 1234' }),
      async () => {
        const like = `and lower(key || ' ' || (view #>> '{texts}')) like '%number 1234%'`;
        await bare(`select id, key, english, states ${ofProduct} ${like} order by lower(key), id limit 25`)();
        await bare(`select count(*) ${ofProduct} ${like}`)();
      },
    ],
    [
      'keys without a text in French',
      () => textPage(pool, workspace, { ...asked, language: 'fr', states: ['missing'] }),
      async () => {
        const missing = `and substr(states, 2, 1) = 'm'`;
        await bare(
          `select id, key, english, states ${ofProduct} ${missing} order by lower(key), id limit 25`,
        )();
        await bare(`select count(*) ${ofProduct} ${missing}`)();
      },
    ],
    [
      'completeness',
      () => completenessOf(pool, workspace, product, false),
      bare(`select states, count(*) ${ofProduct} group by states`),
    ],
    [
      'all texts in a language',
      () => contentOf(pool, read),
      bare(`select key, view->'texts'->>'fr' ${ofProduct}`),
    ],
    ['position of the last change', () => versionOf(pool, read), bare('select $1::text, $2::text')],
  ];
  const lines = [];
  for (const [name, ours, floor] of pairs) {
    await ours();
    await floor();
    const [least, took] = [await typical(floor), await typical(ours)];
    const ratio = took / least;
    const said = `${ratio.toFixed(2)} x: ${took.toFixed(1)} ms, floor ${least.toFixed(1)} ms, target <= ${MAX_RATIO} x`;
    lines.push(state(name, ratio, { atMost: MAX_RATIO }, said));
  }
  await pool.end();
  await store.close();
  finish(lines);
});
