// covers: LOG-01
import { Pool } from 'pg';
import { fieldsOf, idleKey, nowhere, openWorld, type World } from '../backend/world';
import { startEventStoreDb, type EventStoreDbServer } from '../../testing/eventstoredb/server';
import { runHere, type Operator, type RunningBackend } from '../../testing/backend';
import { startBind, type Bind } from '../../testing/bind';
import { startTestPostgres, type TestPostgres } from '../../testing/postgres';

interface Profile {
  profile: { id: string };
  instance: { uuid: string };
}

const SCRIPT = { name: 'Uptime', body: 'uptime', changes: false, timeoutSeconds: 60 };
const ROOT = { role: 'superadmin', email: 'root@example.test' } as const;

describe.each(['postgres', 'eventstoredb'] as const)(
  'an empty database beside an old log in %s',
  (engine) => {
    let postgres: TestPostgres;
    let server: EventStoreDbServer | undefined;
    let bind: Bind;
    let env: Record<string, string>;
    let server1: string;
    let mia: string;
    let main: string;
    let first: string;
    const worlds: World[] = [];

    const begin = async (databaseUrl?: string): Promise<RunningBackend> => {
      const world = await openWorld({ env, ...(databaseUrl ? { databaseUrl } : {}) });
      worlds.push(world);
      return world.backend;
    };
    const whoIs = async (who: Operator): Promise<Profile> => (await who.get<Profile>('session')).body;
    const insertServer = (who: Operator, alias: string) =>
      who.post<{ id: string; data?: object }>('server/insert', {
        ...fieldsOf(alias, nowhere),
        privateKey: idleKey(),
      });
    const firstOf = async (backend: RunningBackend): Promise<string> =>
      (await whoIs(await backend.signIn({ actor: 'system' }))).profile.id;
    const workspaces = async (url: string): Promise<unknown[]> => {
      const db = new Pool({ connectionString: url, max: 1 });
      const { rows } = await db.query('select id, name from read.workspaces order by name');
      await db.end();
      return rows;
    };
    const link = async (args: string[], databaseUrl: string): Promise<string> => {
      const { code, stdout, stderr } = await runHere(['sign-in-link', ...args], { databaseUrl, env });
      if (code !== 0) throw new Error(`${code}: ${stdout}${stderr}`);
      return new URL(stdout.trim()).searchParams.get('code') ?? '';
    };

    beforeAll(async () => {
      [postgres, bind] = await Promise.all([startTestPostgres(), startBind()]);
      server = engine === 'eventstoredb' ? await startEventStoreDb() : undefined;
      const EVENT_STORE_URL = server?.url ?? (await postgres.newDatabase());
      env = { EVENT_STORE_URL, DNS_SERVERS: bind.server, OUTBOUND_ALLOW: '127.0.0.0/8' };
      const backend = await begin();
      first = await firstOf(backend);
      const root = await backend.signIn(ROOT);
      ({ uuid: main } = (await whoIs(root)).instance);
      mia = (await whoIs(await backend.signIn({ role: 'member', email: 'mia@example.test' }))).profile.id;
      await backend.signIn({ workspace: 'Lab' });
      server1 = (await insertServer(root, 'web')).body.id;
      bind.change(`add shop.${bind.zone} 60 A 127.0.0.1`);
      const domain = await root.post('domain/insert', {
        serverName: `shop.${bind.zone}`,
        server: { id: server1 },
      });
      const script = await root.post('script/insert', SCRIPT);
      expect([domain.status, script.status]).toEqual([200, 200]);
      await worlds.pop()?.end();
    });
    afterEach(async () => {
      for (const world of worlds.splice(0)) await world.end();
    });
    afterAll(async () => {
      await server?.stop();
      await bind.stop();
      await postgres.stop();
    });

    test('names stay taken, and the same people sign in', async () => {
      const url = await postgres.newDatabase();
      const backend = await begin(url);
      expect(await firstOf(backend)).toBe(first);
      const root = await backend.signIn({ ...ROOT, workspace: 'MAIN' });
      expect((await whoIs(root)).instance.uuid).toBe(main);
      expect(await workspaces(url)).toMatchObject([{ name: 'Lab' }, { id: main, name: 'main' }]);

      expect((await insertServer(root, 'WEB')).body.data).toEqual({
        alias: 'another server already has this alias',
      });
      const again = { serverName: `shop.${bind.zone}`, server: { id: server1 } };
      expect((await root.post('domain/insert', again)).body.data).toEqual({
        serverName: 'a domain with this name already exists',
      });
      expect((await root.post('script/insert', SCRIPT)).body.data).toEqual({
        name: 'another script already has this name',
      });
      expect((await insertServer(root, 'web-2')).status).toBe(200);

      const people = (await root.post<{ id: string; name?: string }[]>('person/list')).body;
      expect(people.find(({ id }) => id === mia)?.name).toMatch(/^Member \(joined \d{4}-\d\d-\d\d\)$/);
      const ofMia = { person: mia, email: 'mia@example.test' };
      expect((await whoIs(await backend.signIn(ofMia))).profile.id).toBe(mia);
      const known = await backend.signIn({ role: 'member', email: 'mia@example.test' });
      expect((await whoIs(known)).profile.id).toBe(mia);
      // Nobody can get the e-mail of another person, or a second one.
      await expect(backend.signInLink({ ...ofMia, person: first })).rejects.toMatchObject({
        msg: `somebody else has the e-mail mia@example.test: ${mia}`,
      });
      await expect(backend.signInLink({ ...ofMia, email: 'other@example.test' })).rejects.toMatchObject({
        msg: `the e-mail of ${mia} is mia@example.test`,
      });
    });

    test('a command before the first start finds the workspace, and the console restores the rest', async () => {
      const url = await postgres.newDatabase();
      const nobody = ['sign-in-link', '--workspace', 'main', '--person', 'nobody'];
      const refused = await runHere(nobody, { databaseUrl: url, env });
      const members = expect.stringContaining(`\n  ${mia}  member  Member (joined `) as string;
      expect([refused.code, refused.stderr]).toEqual([1, members]);
      const code = await link(['--workspace', 'main', '--person', first], url);
      expect(await workspaces(url)).toMatchObject([{ name: 'Lab' }, { id: main, name: 'main' }]);
      const backend = await begin(url);
      const ada = await (await backend.signIn({ workspace: 'Lab' })).signIn(code);
      expect((await whoIs(ada)).instance.uuid).toBe(main);
      expect((await insertServer(ada, 'web')).status).toBe(400);
    });
  },
);
