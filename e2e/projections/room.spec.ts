/** How much room an event takes in the indexes of the history. `npm run bench -- disk` measures all tables. */
import { history } from '@quarterdeck/projections';
import { v7 as uuid } from 'uuid';
import { registered, renamed } from './happenings';
import { openWorld, type World } from './world';

const SERVERS = 60;
const RENAMED = 99;
const EVENTS = SERVERS * (1 + RENAMED);
/**
 * With ids as text: 830 bytes. With indexes of row ids and of all times, and with the ids of subjects: 536. With the
 * default of Postgres for what a search index collects: 840.
 */
const MAX = { btree: 420, gin: 600 };

let world: World;
beforeAll(async () => {
  world = await openWorld();
});
afterAll(() => world.close());

test('ids take little room in the indexes of the history, and so does what a search index collects', async () => {
  const runner = await world.runner({ projections: [history] });
  await runner.ready(60_000);
  for (let server = 0; server < SERVERS; server += 1)
    await world.append(
      `server-${uuid()}`,
      registered(`web-${server}`),
      ...Array.from({ length: RENAMED }, (_, n) => renamed(`web-${server}-${uuid()}-${n}`)),
    );
  expect(await runner.waitFor(await world.store.head(), 60_000)).toBe(true);
  const sizes = await world.rows(
    `select a.amname as kind, sum(pg_relation_size(c.oid))::int / $1::int as bytes
     from pg_index i join pg_class c on c.oid = i.indexrelid join pg_am a on a.oid = c.relam
       join pg_class t on t.oid = i.indrelid
     where t.relname like 'history\\_v%' group by 1 order by 1`,
    [EVENTS],
  );
  expect(sizes.map(({ kind }) => kind)).toEqual(Object.keys(MAX));
  for (const { kind, bytes } of sizes) expect(bytes).toBeLessThan(MAX[kind as keyof typeof MAX]);
});
