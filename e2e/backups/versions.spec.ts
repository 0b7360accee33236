// covers: BAK-03
import { runCommand, startBackend } from '../peers/backend';
import { startTestPostgres, type TestPostgres } from '../peers/postgres';

let postgres: TestPostgres;
beforeAll(async () => {
  postgres = await startTestPostgres();
});
afterAll(() => postgres?.stop());

it('refuses a database of a newer version in one line, and changes nothing in it', async () => {
  const databaseUrl = postgres.url;
  const backend = await startBackend({ databaseUrl });
  const { db } = backend;
  await db.query(`insert into app.migrations (name) values ('999-of-later')`);
  await db.query(`delete from app.migrations where name = '016-backups'`);
  await backend.close();
  await expect(startBackend({ databaseUrl })).rejects.toThrow(
    /was last used by a newer version of the console/,
  );
  const command = await runCommand(['projections', 'status'], { databaseUrl });
  expect(command).toMatchObject({ code: 78, stdout: '' });
  expect(command.stderr).toMatch(
    /^DATABASE_URL=\S+ was last used by a newer version of the console: step 999-of-later is .*; start that version.*\n$/,
  );
});
