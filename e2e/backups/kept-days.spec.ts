/**
 * The current code starts on a database of each day of the past, takes an archive first, and lists what was listed
 * then.
 */
// covers: BAK-03
import { until } from '../../testing/patience';
import path from 'node:path';
import { archivesIn } from '../../apps/backend/src/backups/folder';
import { runHere, startBackend } from '../../testing/backend';
import { startTestPostgres, type TestPostgres } from '../../testing/postgres';
import { BEFORE_IDENTITIES, days, fillAs, keptOn } from './kept-days';

interface Shown {
  id: string;
  type: string;
  data: Record<string, unknown>;
  position: string;
  stream: string;
}

/** Which events a history shows. Their words are those of today, and a sign-in adds events. */
const eventsOf = (history: unknown): Shown[] =>
  (history as { events: Shown[] }).events.map(({ id, type, data, position, stream }) => ({
    id,
    type,
    data,
    position,
    stream,
  }));

/** The same, perhaps with fields that nouns have got since. */
const withMore = (events: readonly Shown[]): unknown[] =>
  events.map(({ data, ...event }) => ({ ...event, data: expect.objectContaining(data) }));

const holding = (fields: object): unknown => expect.objectContaining(fields);

let postgres: TestPostgres;
beforeAll(async () => {
  postgres = await startTestPostgres();
});
afterAll(() => postgres?.stop());

it('has a database of each day since the first one', () => {
  expect(days).toEqual(expect.arrayContaining([21, 22, 23, 24, 25, 26, 27].map((day) => `2026-11-${day}`)));
});

it.each(days)('starts on a database of %s, and lists what was listed then', async (day) => {
  const kept = keptOn(day);
  const databaseUrl = await postgres.newDatabase();
  await fillAs(kept, databaseUrl);
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
      // The start and the sign-in added events, and the history then was one page of it.
      const { body } = await ada.post<unknown>(call, call === 'history/list' ? { limit: 200 } : {});
      if (call === 'history/list')
        expect(eventsOf(body)).toEqual(expect.arrayContaining(withMore(eventsOf(answer))));
      // After the start, the console also raises alerts about what is wrong now.
      else if (call === 'alert/list')
        expect(body).toMatchObject(expect.arrayContaining((answer as object[]).map(holding)));
      else expect([call, body]).toMatchObject([call, answer]);
    }
    // Read models of earlier versions are made anew beside the calls.
    await until(async () => (await runHere(['projections', 'verify'], { databaseUrl })).code === 0);
  } finally {
    await backend.close();
  }
  expect(await runHere(['audit', 'verify'], { databaseUrl })).toMatchObject({ code: 0 });
});
