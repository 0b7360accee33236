/** The commands that the page of a database shows, typed into a real shell with names that clients may misread. */
// covers: DB-01
import { execFile } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import type { Connection } from 'mysql2/promise';
import { Client } from 'pg';
import { commandsFor } from '../../apps/console/src/features/databases/database-commands';
import { startTestMariadb, type TestMariadb } from '../../testing/mariadb';
import { startTestPostgres, type TestPostgres } from '../../testing/postgres';

const names = ['shop', 'a=b', '-x', '--help', 'postgresql://x', "it's \\ odd", 'a/b', '$(reboot) `x`'];
const PASSWORD = 'of the owner';

const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'quarterdeck-typed-'));
let mariadb: TestMariadb;
let postgres: TestPostgres;
let mysqlRoot: Connection;
let postgresRoot: Client;

beforeAll(async () => {
  [mariadb, postgres] = await Promise.all([startTestMariadb(), startTestPostgres({ own: true })]);
  mysqlRoot = (await mariadb.newDatabase()).connection;
  postgresRoot = new Client({ connectionString: postgres.url });
  await postgresRoot.connect();
});
afterAll(async () => {
  await mysqlRoot?.end();
  await postgresRoot?.end();
  await mariadb?.stop();
  await postgres?.stop();
  fs.rmSync(folder, { recursive: true, force: true });
});

const execute = promisify(execFile);

/** Types the command, and then this into the client. MySQL's clients ask for the password on a terminal. */
const typed = async (command: string, sql = ''): Promise<string> => {
  const env = { PATH: process.env.PATH, HOME: folder, PGPASSWORD: PASSWORD, MYSQL_PWD: PASSWORD };
  const running = execute('sh', ['-c', command.replace(' --password ', ' ')], { cwd: folder, env });
  // Not every command reads it.
  running.child.stdin?.on('error', () => undefined).end(sql);
  return (await running).stdout;
};

interface Kind {
  title: string;
  dbType: number;
  port: () => number;
  asRoot: (sql: string) => Promise<unknown>;
}

const kinds: Kind[] = [
  { title: 'MySQL', dbType: 1, port: () => mariadb.port, asRoot: (sql) => mysqlRoot.query(sql) },
  {
    title: 'PostgreSQL',
    dbType: 2,
    port: () => Number(new URL(postgres.url).port),
    asRoot: (sql) => postgresRoot.query(sql),
  },
];

describe.each(kinds)('$title', ({ dbType, port, asRoot }) => {
  test.each(names)(
    'creates, opens, dumps and restores a database and a user of the name %s',
    async (name) => {
      const username = `${name}${dbType}`;
      const target = {
        name,
        username,
        host: '127.0.0.1',
        port: port(),
        certificate: '',
        clientCertificate: null,
      };
      const commands = commandsFor(dbType, target, PASSWORD);
      const text = (title: string): string => commands.find((one) => one.title === title)?.text ?? '';
      for (const { text: sql } of commands.filter(({ where }) => where === 'SQL')) await asRoot(sql);
      await typed(text('Connect'), 'create table kept (n int); insert into kept values (7);');
      await typed(text('Dump')).catch(async (error: { stderr: string }) => {
        // This machine may have an older pg_dump. It says so once it is connected, and its file is written here.
        if (!error.stderr.includes('server version mismatch')) throw error;
        const lines = 'create table kept (n int); insert into kept values (7);';
        await typed(text('Dump').replace(/^.* (?=> )/, `echo '${lines}' `));
      });
      await typed(text('Connect'), 'drop table kept;');
      await typed(text('Restore'));
      expect(await typed(text('Connect'), 'select n from kept;')).toMatch(/^\s*n\b[\s\S]*\b7\b/);
    },
  );
});
