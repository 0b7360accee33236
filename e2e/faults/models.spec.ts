// covers: VER-02, VER-04
import type { Dialect, Model } from '@quarterdeck/data-model';
import * as fc from 'fast-check';
import { openTarget } from '../../apps/backend/src/databases/target';
import { startServers, type Server } from '../data-model/addresses';
import { databaseOn } from '../data-model/database-at';
import { startEngines, type Engine } from '../data-model/engines';
import { handWalk, type Walked } from '../data-model/hand-walk';
import { journey } from '../data-model/journey';
import { choices, EDITS, walk } from '../data-model/walk';
import { signIn, spawnBackend } from '../../testing/backend';
import { startTestPostgres, type TestPostgres } from '../../testing/postgres';
import { pause } from '../../testing/patience';
import { fault, moment, within } from './fault';

let engines: Engine[];
let servers: Server[];
let postgres: TestPostgres;
beforeAll(async () => {
  [engines, servers, postgres] = [await startEngines(), await startServers(), await startTestPostgres()];
});
afterAll(async () => {
  await Promise.all([...(engines ?? []), ...(servers ?? [])].map((server) => server.stop()));
  await postgres?.stop();
});

/** A version after every few edits, and the last one. */
const versionsOf = (models: readonly Model[], every: number): Model[] =>
  models.filter((_, at) => at % every === 0 || at === models.length - 1);

const total = { versions: 0, statements: 0, kept: 0 };
/** Totals of all turns so far; padded, because the report shows the text that sorts last. */
const figure = () =>
  Object.entries(total)
    .map(([what, count]) => `${String(count).padStart(6)} ${what}`)
    .join(', ');

fault({
  fault: `a walk of ${EDITS} random edits through a data model`,
  must: 'every version applied to MariaDB and PostgreSQL is what the model says, keeps its rows, and can be undone',
  share: 3,
  trial: async (turn) => {
    await fc.assert(
      fc.asyncProperty(choices, async (chosen) => {
        const versions = versionsOf(walk(chosen), 2 + (turn % 5));
        for (const engine of engines) {
          const done = await journey(engine, versions);
          for (const key of ['versions', 'statements', 'kept'] as const) total[key] += done[key];
        }
      }),
      { seed: turn, numRuns: 1, endOnFailure: true },
    );
    return figure();
  },
});

const walked: Walked = { versions: 0, hands: 0, keys: 0 };

fault({
  fault: 'a walk through versions, with a change made by hand before each',
  must: 'every version is carried out on each engine, a second reader finds what it says, and what was added stays',
  share: 3,
  trial: async (turn) => {
    await fc.assert(
      fc.asyncProperty(choices, choices, async (chosen, hands) => {
        const models = versionsOf(walk(chosen), 2 + (turn % 5));
        for (const server of servers) await handWalk(server, models, hands, walked);
      }),
      { seed: turn, numRuns: 1, endOnFailure: true },
    );
    return Object.entries(walked)
      .map(([what, count]) => `${String(count).padStart(6)} ${what}`)
      .join(', ');
  },
});

/** Several batches. */
const TABLES = 150;
/** Each table is an entity with four attributes. */
const EDITED = TABLES * 5;
const tablesIn = (dialect: Dialect): string[] =>
  Array.from({ length: TABLES }, (_, at) => {
    const key = dialect === 'mysql' ? 'bigint auto_increment primary key' : 'bigserial primary key';
    return `create table t${at} (id ${key}, name varchar(255), size integer not null, before_id bigint,
      constraint before_${at} foreign key (before_id) references t${Math.max(0, at - 1)} (id))`;
  });

const killed = (name: 'MariaDB' | 'PostgreSQL') => ({
  fault: `kill -9 of the back end while it imports a database of ${name} with ${TABLES} tables`,
  must: 'the import goes on by itself, and adds everything once',
  share: 0.2,
  trial: async (turn: number) => {
    const server = servers.find((one) => one.name === name);
    if (!server) throw new Error(`${name} is needed`);
    const [databaseUrl, shop] = [await postgres.newDatabase(), await server.fresh()];
    const inside = await openTarget(shop);
    for (const sql of tablesIn(server.dialect)) await inside.query(sql);
    await inside.end();
    const env = { OUTBOUND_ALLOW: '127.0.0.0/8' };
    let backend = await spawnBackend({ databaseUrl, env });
    try {
      const who = await signIn(backend.url, backend.signInLink);
      const product = { id: String((await who.post('product/insert', { data: { name: 'Shop' } })).body.id) };
      const data = await databaseOn(shop);
      const database = { id: String((await who.post('database/insert', { data, product })).body.id) };
      const parts = async (): Promise<string[]> => {
        const [entities, attributes] = [
          await who.post<{ name: string }[]>('data-model/entity/list', { product }),
          await who.post<{ name: string; entity: { name: string } }[]>('data-model/attribute/listWEntity', {
            product,
          }),
        ];
        return [
          ...entities.body.map(({ name }) => name),
          ...attributes.body.map(({ name, entity }) => `${entity.name}.${name}`),
        ];
      };
      const lost = () => undefined;
      const importing = who.post('data-model/version/import/structure', { product, database }).catch(lost);
      const after = 1 + moment(turn, EDITED - 1);
      while ((await parts()).length < after) await pause(5);
      // No version contains half of the edits.
      const { status } = await who.post('data-model/version/create', product);
      expect([status, status === 200 ? (await parts()).length : EDITED]).toEqual([
        status === 200 ? 200 : 409,
        EDITED,
      ]);
      await backend.kill('SIGKILL');
      await importing;
      backend = await spawnBackend({ databaseUrl, env, port: Number(new URL(backend.url).port) });
      const took = await within(60_000, 'the end of the import', async () => {
        const { body } = await who.post<{ runs: { state: string }[] }>('run/list', { kind: 'importModel' });
        return body.runs[0]?.state === 'succeeded';
      });
      const names = await parts();
      expect([names.length, new Set(names).size]).toEqual([EDITED, EDITED]);
      const events = (await who.get<string>('history/export?format=csv')).body;
      for (const [type, times] of Object.entries({ EntityAdded: TABLES, AttributeAdded: EDITED - TABLES }))
        expect([type, events.split(type).length - 1]).toEqual([type, times]);
      return `killed after ${after} edits, ended after ${took} ms`;
    } finally {
      await backend.stop();
    }
  },
});

fault(killed('PostgreSQL'));
fault(killed('MariaDB'));
