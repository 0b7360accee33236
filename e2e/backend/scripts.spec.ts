// covers: SRV-15
import type { ListPage, ScriptRow, ScriptView } from '@quarterdeck/projections';
import type { Operator } from '../../testing/backend';
import { connectSocket } from '../../testing/socket';
import { openWorld, type World } from './world';

let world: World;
let alice: Operator;
let bob: Operator;

beforeAll(async () => {
  world = await openWorld();
  alice = await world.backend.signIn({ email: 'alice@example.org' });
  bob = await world.backend.signIn({ email: 'bob@example.org' });
});
afterAll(() => world?.end());

const script = (name: string, change: object = {}) => ({
  name,
  body: 'df -h\n',
  changes: false,
  timeoutSeconds: 30,
  ...change,
});
const add = async (name: string, change: object = {}): Promise<string> => {
  const answer = await alice.post<{ id: string; uuid: string }>('script/insert', script(name, change));
  expect([answer.status, answer.body.uuid]).toEqual([200, answer.body.id]);
  return answer.body.id;
};
const detail = async (id: string) => (await alice.post<ScriptView>('script/detail', { id })).body;
const claimed = async (): Promise<string[]> => {
  const { rows } = await world.backend.db.query<{ key: string }>(
    `select key from app.claims where scope like 'script-name:%' order by key`,
  );
  return rows.map(({ key }) => key);
};

describe('the life of a script', () => {
  let id: string;

  test('it is added, and the next reader sees it', async () => {
    id = await add('Free space');
    const { body } = await bob.post<ScriptView[]>('script/list');
    expect(body).toEqual([
      expect.objectContaining({
        id,
        name: 'Free space',
        revision: 0,
        versions: [
          expect.objectContaining({ version: 1, body: 'df -h\n', changes: false, timeoutSeconds: 30 }),
        ],
      }),
    ]);
  });

  test('each revision is a new version; the detail has all of them, the list the newest', async () => {
    const data = script('Free space', { body: 'df -hT\n', changes: true });
    expect((await alice.post('script/update', { id, data, revision: 0 })).status).toBe(200);
    expect((await detail(id)).versions.map(({ version, body }) => [version, body])).toEqual([
      [1, 'df -h\n'],
      [2, 'df -hT\n'],
    ]);
    const { body } = await alice.post<ScriptView[]>('script/list');
    expect(body[0]?.versions).toEqual([expect.objectContaining({ version: 2, changes: true })]);
  });

  test('another name is not a new version, and no change records nothing', async () => {
    const data = script('Disk space', { body: 'df -hT\n', changes: true });
    const renamed = await alice.post('script/update', { id, data, revision: 1 });
    expect(await detail(id)).toMatchObject({ name: 'Disk space', revision: 2 });
    expect((await detail(id)).versions).toHaveLength(2);
    const again = await alice.post('script/update', { id, data });
    expect(again.headers.get('x-position')).toBe(renamed.headers.get('x-position'));
    expect(await claimed()).toEqual(['disk space']);
  });

  test('a stale edit gets the current state, and the name that it wanted stays free', async () => {
    const answer = await bob.post<{ msg: string; current: ScriptView }>('script/update', {
      id,
      data: script('Something else'),
      revision: 0,
    });
    expect(answer.status).toBe(409);
    expect(answer.body.current).toMatchObject({ id, name: 'Disk space', revision: 2 });
    expect(await claimed()).toEqual(['disk space']);
  });

  test('its history describes each change in words', async () => {
    const { body } = await alice.post<{ events: { says: string; subject: { name: string } }[] }>(
      'history/list',
      {
        subject: { category: 'script', id },
      },
    );
    expect(body.events.map(({ says }) => says)).toEqual([
      'renamed to Disk space',
      'changed the script',
      'added Free space',
    ]);
    expect(body.events[0]?.subject.name).toBe('Disk space');
  });

  test('it is removed by its typed name, and cannot be found afterwards', async () => {
    const wrong = await alice.post<{ data: object }>('script/delete', { id, name: 'disk space' });
    expect([wrong.status, wrong.body.data]).toEqual([400, { name: 'this is not the name of the script' }]);
    expect((await alice.post('script/delete', { id, name: 'Disk space' })).status).toBe(200);
    for (const [path, body] of [
      ['script/detail', { id }],
      ['script/update', { id, data: script('Disk space') }],
      ['script/delete', { id }],
    ] as const)
      expect(await alice.post(path, body)).toMatchObject({
        status: 404,
        body: { msg: 'script could not be found' },
      });
    expect((await alice.post('script/list')).body).toEqual([]);
    expect(await claimed()).toEqual([]);
  });
});

describe('one page of the list', () => {
  test('has the requested rows without their texts, and counts the others', async () => {
    const ids = [
      await add('Disk 10', { changes: true }),
      await add('Disk 9', { timeoutSeconds: 60 }),
      await add('Memory'),
    ];
    const page = async (body: object) => (await bob.post<ListPage<ScriptRow>>('script/page', body)).body;
    const named = ({ rows }: ListPage<ScriptRow>) => rows.map(({ name }) => name);
    const first = await page({ sort: 'name', size: 2 });
    expect(first).toMatchObject({
      rows: [
        { id: ids[1], name: 'Disk 9', newest: { version: 1, changes: false, timeoutSeconds: 60 } },
        { id: ids[0], name: 'Disk 10', newest: { version: 1, changes: true, timeoutSeconds: 30 } },
      ],
      found: 3,
      total: 3,
      options: { changes: ['makes changes', 'read-only'] },
    });
    expect(JSON.stringify(first)).not.toContain('df -h');
    expect(named(await page({ sort: 'name', size: 2, page: 2 }))).toEqual(['Memory']);
    expect(named(await page({ sort: '-limit', size: 1 }))).toEqual(['Disk 9']);
    const searched = await page({ search: 'DISK', filters: { changes: 'read-only' } });
    expect([named(searched), searched.found, searched.total]).toEqual([['Disk 9'], 1, 3]);
    for (const id of ids) await alice.post('script/delete', { id });
  });

  test.each([
    ['page', 0, 'numbers below 1 are not accepted'],
    ['size', 201, 'numbers above 200 are not accepted'],
    ['sort', '', 'This field is required'],
    ['filters', 'x', 'expected type object'],
  ])('refuses a wrong %s', async (field, value, message) => {
    const answer = await alice.post('script/page', { [field]: value });
    expect([answer.status, answer.body.data]).toEqual([400, { [field]: message }]);
  });
});

describe('names', () => {
  test('are unique in the workspace, ignoring case', async () => {
    const id = await add('Backup');
    const other = await add('Restore');
    const taken = { status: 400, body: { data: { name: 'another script already has this name' } } };
    expect(await bob.post('script/insert', script('BACKUP'))).toMatchObject(taken);
    expect(await bob.post('script/update', { id: other, data: script('backup') })).toMatchObject(taken);
    // A rename may change only the case.
    expect((await alice.post('script/update', { id, data: script('BackUp') })).status).toBe(200);
    expect(await claimed()).toEqual(['backup', 'restore']);
    for (const each of [id, other]) await alice.post('script/delete', { id: each });
  });

  test('only one of twenty scripts with the same name is added', async () => {
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, i) =>
        alice.post('script/insert', script(i % 2 ? 'Twin' : 'twin', { body: `echo ${i}\n` })),
      ),
    );
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(answers.filter(({ status }) => status === 400)).toHaveLength(19);
    expect((await alice.post<ScriptView[]>('script/list')).body).toHaveLength(1);
  });

  test('a repeated insert with the same Idempotency-Key adds one script', async () => {
    const key = { 'idempotency-key': '0193f0a0-0000-4000-8000-000000000015' };
    const answers = await Promise.all(
      Array.from({ length: 10 }, () => alice.post('script/insert', script('Once'), key)),
    );
    expect(new Set(answers.map(({ body }) => body.id)).size).toBe(1);
    expect(answers.every(({ status }) => status === 200)).toBe(true);
  });
});

describe('permissions', () => {
  test('a member may neither read nor change scripts', async () => {
    const id = await add('Secret recipe');
    const member = await world.backend.signIn({ email: 'mo@example.org', role: 'member' });
    for (const [path, body] of [
      ['script/list', {}],
      ['script/page', {}],
      ['script/detail', { id }],
      ['script/insert', script('Mine')],
      ['script/update', { id, data: script('Mine') }],
      ['script/delete', { id }],
    ] as const)
      expect([path, (await member.post(path, body)).status]).toEqual([path, 403]);
  });

  test('another workspace finds nothing, may use the same name, and gets no pushes', async () => {
    const stranger = await world.backend.signIn({ workspace: 'theirs', email: 'stranger@example.org' });
    const socket = await connectSocket(stranger);
    await socket.resume((await stranger.get('session')).headers.get('x-position') ?? '0');
    const id = await add('Ours');
    expect((await stranger.post('script/list')).body).toEqual([]);
    for (const [path, body] of [
      ['script/detail', { id }],
      ['script/update', { id, data: script('Ours') }],
      ['script/delete', { id }],
    ] as const)
      expect(await stranger.post(path, body)).toMatchObject({
        status: 404,
        body: { msg: 'script could not be found' },
      });
    const theirs = await stranger.post<{ id: string }>('script/insert', script('Ours'));
    expect(theirs.status).toBe(200);
    await socket.until(() => socket.changes.some(({ stream }) => stream === `script-${theirs.body.id}`));
    expect(socket.changes.map(({ stream }) => stream)).toEqual([`script-${theirs.body.id}`]);
    socket.close();
  });
});

describe('invalid input is reported by field', () => {
  test.each([
    ['name', { name: '' }, 'This field is required'],
    ['name', { name: 'a'.repeat(101) }, 'at most 100 characters are accepted'],
    ['name', { name: 'two\nlines' }, 'this text contains characters that cannot be stored'],
    ['body', { body: '' }, 'This field is required'],
    ['body', { body: 'a'.repeat(65_537) }, 'at most 65536 characters are accepted'],
    ['body', { body: 'ü'.repeat(40_000) }, 'at most 64 kB are accepted'],
    ['body', { body: 'echo \u0000' }, 'this text contains characters that cannot be stored'],
    ['changes', { changes: 'yes' }, 'expected type boolean'],
    ['timeoutSeconds', { timeoutSeconds: 0 }, 'numbers below 1 are not accepted'],
    ['timeoutSeconds', { timeoutSeconds: 86_401 }, 'numbers above 86400 are not accepted'],
    ['timeoutSeconds', { timeoutSeconds: 1.5 }, 'expected type integer'],
    ['more', { more: 1 }, 'this key cannot be included'],
  ])('%s in %#', async (field, change, message) => {
    const answer = await alice.post('script/insert', script('Wrong', change));
    expect([answer.status, answer.body.data]).toEqual([400, { [field]: message }]);
  });

  test('64 kB of script are accepted', async () => {
    const id = await add('Long', { body: 'a'.repeat(65_536) });
    expect((await detail(id)).versions[0]?.body).toHaveLength(65_536);
  });
});
