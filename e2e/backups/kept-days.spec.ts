/**
 * Databases of consoles of each day of the past, made by `scripts/keep-day.mjs`: the current code starts on each of
 * them, takes an archive first, and lists what was listed then.
 */
// covers: BAK-03
import { until } from '../patience';
import fs from 'node:fs';
import path from 'node:path';
import { pipeline } from 'node:stream/promises';
import { brotliDecompressSync } from 'node:zlib';
import { Client } from 'pg';
import { from } from 'pg-copy-streams';
import { archivesIn } from '../../apps/backend/src/backups/folder';
import { runHere, startBackend } from '../peers/backend';
import { startTestPostgres, type TestPostgres } from '../peers/postgres';

interface Kept {
  statements: string[];
  /** Text of COPY by table. */
  rows: Record<string, string>;
  /** Answers by call. */
  lists: Record<string, unknown>;
}

const folder = path.join(__dirname, 'days');
const days = fs.readdirSync(folder).map((name) => name.replace('.json.br', ''));

const keptOn = (day: string): Kept =>
  JSON.parse(brotliDecompressSync(fs.readFileSync(path.join(folder, `${day}.json.br`))).toString()) as Kept;

/** Which events a history shows. Their words are those of today, and a sign-in adds events. */
const eventsOf = (history: unknown): unknown[] =>
  (history as { events: Record<string, unknown>[] }).events.map(({ id, type, data, position, stream }) => ({
    ...{ id, type, data, position, stream },
  }));

/** The log had no identity yet that could sign an archive. */
const BEFORE_IDENTITIES = ['2026-11-21', '2026-11-22'];

let postgres: TestPostgres;
beforeAll(async () => {
  postgres = await startTestPostgres();
});
afterAll(() => postgres?.stop());

const databaseOf = async ({ statements, rows }: Kept): Promise<string> => {
  const databaseUrl = await postgres.newDatabase();
  const client = new Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    for (const statement of statements) await client.query(statement);
    // Without triggers, of which some refuse to remove or to write events.
    await client.query(`set session_replication_role = replica`);
    await client.query(`truncate ${Object.keys(rows).join()}`);
    for (const [table, text] of Object.entries(rows))
      await pipeline([text], client.query(from(`copy ${table} from stdin`)));
  } finally {
    await client.end();
  }
  return databaseUrl;
};

it('has a database of each day since the first one', () => {
  expect(days).toEqual(expect.arrayContaining([21, 22, 23, 24, 25, 26, 27].map((day) => `2026-11-${day}`)));
});

it.each(days)('starts on a database of %s, and lists what was listed then', async (day) => {
  const kept = keptOn(day);
  const databaseUrl = await databaseOf(kept);
  const backend = await startBackend({ databaseUrl, env: { BACKUPS: 'on' } });
  try {
    const line = backend.logs.map((text) => JSON.parse(text)).find(({ steps }) => steps !== undefined);
    if (BEFORE_IDENTITIES.includes(day)) expect(line.msg).toMatch(/without a backup: it is too old/);
    else if (line !== undefined) {
      const { archives } = await archivesIn(path.join(backend.resources.config.DATA_DIR, 'backups'));
      expect(archives).toMatchObject([{ file: line.archive, head: { base: null } }]);
    }
    const ada = await backend.signIn();
    for (const [call, answer] of Object.entries(kept.lists)) {
      const { body } = await ada.post<unknown>(call);
      if (call === 'history/list') expect(eventsOf(body)).toEqual(expect.arrayContaining(eventsOf(answer)));
      else expect([call, body]).toMatchObject([call, answer]);
    }
    // Read models of earlier versions are made anew beside the calls.
    await until(async () => (await runHere(['projections', 'verify'], { databaseUrl })).code === 0);
  } finally {
    await backend.close();
  }
  expect(await runHere(['audit', 'verify'], { databaseUrl })).toMatchObject({ code: 0 });
});
