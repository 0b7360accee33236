/**
 * The import of a database of 138 tables with 1,614 columns into a data model, from the call to the end of its run. Floor:
 * reading the structure of the same database, alone.
 */
import { Client } from 'pg';
import { closed, openTarget } from '../apps/backend/src/databases/target';
import { databaseAt } from '../e2e/data-model/database-at';
import { pause } from '../testing/patience';
import { signIn } from '../testing/backend';
import { spawnConsole } from './backend';
import { newDatabase, withDurablePostgres } from './durable-postgres';
import { compare, finish, type Line } from './harness';
import { readStructure } from '../e2e/data-model/read-structure';

const TABLES = 138;
const COLUMNS = 1614;
/** The entities and all their attributes, among them those of the keys. */
const EDITS = TABLES + COLUMNS;
const MAX_RATIO = 20;

/** Each table points to the one before and to itself, so none can be recorded before its target. */
async function fill(address: string): Promise<void> {
  const client = new Client({ connectionString: address });
  await client.connect();
  for (let at = 0; at < TABLES; at += 1) {
    const its = Math.floor((COLUMNS * (at + 1)) / TABLES) - Math.floor((COLUMNS * at) / TABLES);
    const columns = Array.from({ length: its - 3 }, (_, column) => `column_${column} varchar(255)`);
    await client.query(
      `create table part_${at} (id bigserial primary key, before_id bigint references part_${Math.max(0, at - 1)} (id),
       parent_id bigint references part_${at} (id), ${columns.join(', ')})`,
    );
  }
  await client.end();
}

const lines: Line[] = [];

await withDurablePostgres(async (url) => {
  const address = await newDatabase(url, 'shop');
  await fill(address);
  const { host, port, username: user, password, name } = databaseAt(address);
  const backend = await spawnConsole(url, { OUTBOUND_ALLOW: '127.0.0.0/8', CALLS_PER_MINUTE: '0' });
  const who = await signIn(backend.url, backend.signInLink);
  const ask = async <T>(path: string, body: object): Promise<T> => {
    const { status, body: said } = await who.post<T>(path, body);
    if (status !== 200) throw new Error(`${path} answered ${status} ${JSON.stringify(said)}`);
    return said;
  };
  let turn = 0;
  const imports = async (): Promise<number> => {
    turn += 1;
    const product = await ask<{ id: string }>('product/insert', { data: { name: `Shop ${turn}` } });
    const data = databaseAt(address);
    const database = await ask<{ id: string }>('database/insert', { data, product: { id: product.id } });
    const began = performance.now();
    const source = { product: { id: product.id }, database: { id: database.id } };
    const { runId } = await ask<{ runId: string }>('data-model/version/import/structure', source);
    type State = { state: string; edits?: number };
    for (;;) {
      const { state, edits } = await ask<State>('data-model/version/import/detail', { run: runId });
      if (state === 'succeeded' && edits === EDITS) return performance.now() - began;
      if (state !== 'open') throw new Error(`the import ended as ${state} with ${edits} edits`);
      await pause(10);
    }
  };
  const reads = async (): Promise<number> => {
    const began = performance.now();
    const target = await openTarget({ dialect: 'postgresql', host, port, user, password, database: name });
    const { tables } = await closed(target, readStructure(target));
    if (tables.length !== TABLES) throw new Error(`${tables.length} tables were read`);
    return performance.now() - began;
  };
  lines.push(
    await compare({
      what: `import of ${TABLES} tables with ${COLUMNS} columns`,
      unit: 'ms',
      target: { atMost: MAX_RATIO },
      floor: { name: 'reading them', turn: reads },
      ours: { name: 'the import', turn: imports },
    }),
  );
  await backend.stop();
});

finish(lines);
