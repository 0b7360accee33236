/**
 * A product with 300 entities and 600 references: the time in which its first version is generated, and its schema in
 * Chromium at 1440 px: when its boxes are there, the longest time without a frame until then, and frames per second
 * while it is panned. Floor: an almost empty page of the same console, over which the pointer moves in the same way.
 */
import { chromium, type Page } from '@playwright/test';
import { chromiumProgram } from '../testing/chromium';
import { signIn } from '../testing/backend';
import { buildConsole } from '../testing/backend-process';
import type { Operator } from '../testing/operator';
import { spawnConsole } from './backend';
import { withDurablePostgres } from './durable-postgres';
import { amountOf, compare, finish, state, turnMsOf, turnsOf } from './harness';

const ENTITIES = amountOf(300);
const FIELDS = 4;
const PAN_MS = turnMsOf(3000);
const VIEW = { width: 1440, height: 900 };
const FREEZE_MS = 500;
const GENERATED_MS = 2000;

/** @returns the id of a product whose entities point to two others each */
const modelled = async (who: Operator): Promise<string> => {
  const insert = async (path: string, body: object): Promise<string> => {
    const { status, body: made } = await who.post<{ id: string }>(path, body);
    if (status !== 200) throw new Error(`${path} answered ${status}`);
    return made.id;
  };
  const product = { id: await insert('product/insert', { data: { name: 'Large' } }) };
  const ids: string[] = [];
  for (let at = 0; at < ENTITIES; at += 1)
    ids.push(
      await insert('data-model/entity/insert', {
        data: { name: `Entity ${at}`, table: '', isUuid: false },
        product,
      }),
    );
  const plain = { column: '', optional: true, modelOptionSet: null };
  for (const [at, id] of ids.entries()) {
    const entity = { id };
    for (let field = 0; field < FIELDS; field += 1)
      await insert('data-model/attribute/insert', {
        data: { ...plain, name: `Field ${field}`, type: 1, foreignEntity: null },
        entity,
      });
    for (const [place, to] of [Math.floor(at / 2), (at * 7 + 13) % ENTITIES].entries())
      await insert('data-model/attribute/insert', {
        data: { ...plain, name: `Reference ${place}`, type: 8, foreignEntity: { id: ids[to] } },
        entity,
      });
  }
  return product.id;
};

/** The times at which the page drew, from now until the work is done. */
const framesDuring = async (page: Page, work: () => Promise<void>): Promise<number[]> => {
  await page.evaluate(
    `{ const mine = (globalThis.times = []);
      const draw = (time) => {
        if (globalThis.times !== mine) return;
        mine.push(time);
        requestAnimationFrame(draw);
      };
      requestAnimationFrame(draw); }`,
  );
  await work();
  return page.evaluate<number[]>('times');
};

/** Drags in circles around the middle. */
const pan = async (page: Page): Promise<void> => {
  const [x, y] = [VIEW.width / 2, VIEW.height / 2];
  await page.mouse.move(x, y);
  await page.mouse.down();
  for (const began = performance.now(); performance.now() - began < PAN_MS;) {
    const turn = (performance.now() - began) / 200;
    await page.mouse.move(x + 200 * Math.sin(turn), y + 150 * Math.cos(turn));
  }
  await page.mouse.up();
};

const perSecond = (times: readonly number[]): number =>
  ((times.length - 1) * 1000) / ((times.at(-1) ?? 0) - (times[0] ?? 0));

await withDurablePostgres(async (databaseUrl) => {
  await buildConsole();
  const backend = await spawnConsole(databaseUrl);
  const browser = await chromium.launch({
    executablePath: chromiumProgram,
    args: ['--headless', '--no-sandbox', '--disable-gpu', '--disable-quic'],
  });
  try {
    const who = await signIn(backend.url, backend.signInLink);
    const product = await modelled(who);
    const began = performance.now();
    const { status } = await who.post('data-model/version/create', { id: product });
    const generatedMs = performance.now() - began;
    if (status !== 200) throw new Error(`the first version was refused with ${status}`);
    const schema = `/app/product/${product}/detail/data-model/schema`;
    const context = await browser.newContext({ viewport: VIEW, baseURL: backend.url });
    const [name = '', value = ''] = who.cookie.split('=');
    await context.addCookies([{ name, value, url: backend.url }]);
    const [page, empty] = [await context.newPage(), await context.newPage()];
    await empty.goto('/app/profile');

    await page.goto('/app/product');
    await page.goto(schema, { waitUntil: 'commit' });
    const boxes = page.locator('.react-flow__node').first();
    const opening = await framesDuring(page, () => boxes.waitFor({ timeout: 120_000 }));
    const gaps = opening.slice(1).map((time, at) => time - (opening[at] ?? 0));
    const longest = Math.max(...gaps);
    const opened = (opening.at(-1) ?? 0) - (opening[0] ?? 0);

    const turn = (of: Page) => async (): Promise<number> => {
      await of.bringToFront();
      return perSecond(await framesDuring(of, () => pan(of)));
    };
    finish([
      state(
        `first version of ${ENTITIES} entities: until it is generated`,
        generatedMs,
        { atMost: GENERATED_MS },
        `${generatedMs.toFixed(0)} ms, target <= ${GENERATED_MS} ms`,
      ),
      state(
        `schema of ${ENTITIES} entities: longest frame while laid out`,
        longest,
        { atMost: FREEZE_MS },
        `${longest.toFixed(0)} ms of ${opened.toFixed(0)} ms, target <= ${FREEZE_MS} ms`,
      ),
      await compare({
        what: `schema of ${ENTITIES} entities: frames while panned`,
        unit: '/s',
        target: { atLeast: 0.5 },
        floor: { name: 'an almost empty page', turn: turn(empty) },
        ours: { name: 'the schema', turn: turn(page) },
        turns: turnsOf(3),
      }),
    ]);
  } finally {
    await browser.close();
    await backend.stop();
  }
});
