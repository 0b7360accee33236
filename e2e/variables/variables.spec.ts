/**
 * Environment variables of a service: typed, imported, compared, exported, read by the running app, undone.
 *
 * covers: ENV-01
 */
import type { Answer, variables } from '@quarterdeck/contract';
import type { HistoryView, UndoPreview, VariableView } from '@quarterdeck/projections';
import { v7 as uuidv7 } from 'uuid';
import { VariableReader } from '../../apps/backend/src/variables';
import { AppTokens } from '../../apps/backend/src/variables/app-tokens';
import { fieldsOf, idleKey, nowhere, openWorld, type World } from '../backend/world';
import type { Operator } from '../../testing/backend';

type Preview = Answer<typeof variables.preview>;
type Issued = Answer<typeof variables.getAppToken>;
type Tokens = Answer<typeof variables.tokens>;
interface Ids {
  id: string;
}

/** Values that must not be found outside of the vault. */
const CANARY = 'canary-4711-of-a-variable';
const PASSWORD = 'canary-0815-of-a-database';
const MASK = '*******';

let world: World;
let alice: Operator;
let bob: Operator;
let product: string;
/** Every answer that is not meant to have a secret value. */
const heard: string[] = [];

const ask = async <T = Ids>(path: string, body: object = {}, who = alice) => {
  const answer = await who.post<T>(path, body);
  heard.push(JSON.stringify(answer.body));
  return answer;
};
const serviceOf = async (withDb = false): Promise<{ id: string }> => {
  const server = await alice.post<Ids>('server/insert', {
    ...fieldsOf(`web-${uuidv7()}`, nowhere),
    privateKey: idleKey(),
  });
  const fields = {
    name: `api-${uuidv7()}`,
    nameFront: '',
    organization: 'acme',
    repo: 'shop',
    repoFront: '',
    server: { id: server.body.id },
    port: 3000,
    packageType: 'container',
    packageSubfolder: '',
    withDb,
  };
  const { status, body } = await alice.post<Ids>('service/insert', {
    data: fields,
    product: { id: product },
  });
  expect({ status, body }).toMatchObject({ status: 200 });
  return { id: body.id };
};
const add = async (service: { id: string }, data: object) => {
  const fields = { env: { id: 1 }, ...data };
  return ask('env-var/insert', { data: fields, product: { id: product }, serviceDeploy: service });
};
const list = async (service: { id: string }, env?: number): Promise<VariableView[]> =>
  (await ask<VariableView[]>('env-var/list', { product: { id: product }, service: { deploy: service }, env }))
    .body;
const short = async (service: { id: string }, env?: number) =>
  (await list(service, env)).map(({ key, value, env: { id } }) => `${id} ${key}=${value}`);
const eventsOf = async (service: { id: string }): Promise<HistoryView[]> => {
  const subject = { category: 'variable', id: service.id };
  return (await ask<{ events: HistoryView[] }>('history/list', { subject })).body.events.toReversed();
};
const undone = async (position: string, given: object = {}) => {
  const { body: shown } = await ask<UndoPreview>('history/undo/preview', { position });
  return { shown, answer: await alice.post('history/undo', { position, seen: shown.seen, ...given }) };
};
const own = (token: string, query = '') =>
  fetch(`${world.backend.url}/api/env-var/own${query}`, { headers: { authorization: `Bearer ${token}` } });

beforeAll(async () => {
  world = await openWorld();
  const who = (email: string) => world.backend.signIn({ workspace: 'variables', role: 'admin', email });
  [alice, bob] = [await who('alice@example.org'), await who('bob@example.org')];
  product = (await alice.post<Ids>('product/insert', { data: { name: 'Shop', description: '' } })).body.id;
});
afterAll(() => world?.end());

describe('variables that are typed', () => {
  test('are listed by key for their environment, secrets as asterisks with a fingerprint', async () => {
    const service = await serviceOf();
    await add(service, { key: 'TOKEN', value: CANARY, secret: true });
    await add(service, { key: 'LOG_LEVEL', value: 'info' });
    await add(service, { key: 'LOG_LEVEL', value: 'info', env: { id: 3 } });
    await add(service, { key: 'A_COPY', value: CANARY, env: 2, secret: true });
    expect(await short(service, 1)).toEqual(['1 LOG_LEVEL=info', `1 TOKEN=${MASK}`]);
    const [copy, dev, prod, token] = await list(service);
    // Equal values have equal fingerprints in all environments, and not the hash that anybody can compute.
    expect(dev?.fingerprint).toBe(prod?.fingerprint);
    expect(copy?.fingerprint).toBe(token?.fingerprint);
    expect(copy?.fingerprint).not.toBe(dev?.fingerprint);
    const other = await serviceOf();
    await add(other, { key: 'LOG_LEVEL', value: 'info' });
    expect((await list(other))[0]?.fingerprint).not.toBe(dev?.fingerprint);
  });

  test('are refused by field: a wrong name, a name twice, no value, a secret that would be in the log', async () => {
    const service = await serviceOf();
    await add(service, { key: 'PORT', value: '3000' });
    const key = `-----BEGIN ${'PRIVATE KEY'}-----\nx\n-----END PRIVATE KEY-----`;
    for (const [data, field] of [
      [{ key: '2ND', value: 'x' }, 'data.key'],
      [{ key: 'WITH SPACE', value: 'x' }, 'data.key'],
      [{ key: 'PORT', value: '4000' }, 'data.key'],
      [{ key: 'NONE' }, 'data.value'],
      [{ key: 'NOWHERE', value: 'x', env: { id: 4 } }, 'data.env.id'],
      [{ key: 'KEY', value: key, secret: false }, 'data.secret'],
    ] as const) {
      const { status, body } = await add(service, data);
      expect([status, Object.keys((body as unknown as { data: object }).data)]).toEqual([400, [field]]);
    }
    expect((await add(service, { key: 'KEY', value: key, secret: true })).status).toBe(200);
  });

  test('PORT has the port of the service, because a deploy sets it', async () => {
    const service = await serviceOf();
    const refused = expect.stringContaining('is 3000: change it there');
    expect(await add(service, { key: 'PORT', value: '8080' })).toMatchObject({
      status: 400,
      body: { data: { 'data.key': refused } },
    });
    expect((await add(service, { key: 'PORT', value: '3000' })).status).toBe(200);
    const [port] = await list(service);
    const revised = { id: port?.id, data: { key: 'PORT', value: '1', env: 1 } };
    expect(await ask('env-var/update', revised)).toMatchObject({ status: 400 });
    const asked = { service, env: 2, content: 'A=1\nPORT=8080' };
    expect((await ask('env-var/import/preview', asked)).body).toMatchObject({
      added: [{ key: 'A' }],
      unread: [{ line: 2, key: 'PORT', problem: refused }],
    });
  });

  test('may be empty, and are secret if their name or value looks like it, unless somebody says otherwise', async () => {
    const service = await serviceOf();
    await add(service, { key: 'EMPTY', value: '' });
    await add(service, { key: 'DB_PASSWORD', value: 'x' });
    await add(service, { key: 'CACHE', value: 'redis://:hunter2@h:6379' });
    await add(service, { key: 'TOKEN_SECONDS', value: '60', secret: false });
    expect(await short(service)).toEqual([
      `1 CACHE=${MASK}`,
      `1 DB_PASSWORD=${MASK}`,
      '1 EMPTY=',
      '1 TOKEN_SECONDS=60',
    ]);
  });

  test('are changed by two operators at once; a stale edit is a conflict that shows the current variable', async () => {
    const service = await serviceOf();
    const { id } = (await add(service, { key: 'ONE', value: '1' })).body;
    const seen = (await ask<VariableView>('env-var/detail', { id })).body.revision;
    await add(service, { key: 'OTHER', value: '2' });
    const edit = (value: string, who: Operator) =>
      ask('env-var/update', { id, data: { key: 'ONE', value, env: { id: 1 } }, revision: seen }, who);
    expect((await edit('by bob', bob)).status).toBe(200);
    const late = await edit('by alice', alice);
    expect(late).toMatchObject({ status: 409, body: { current: { id, value: 'by bob' } } });
    // Without a value the present one stays; a secret does not become readable that way.
    const hidden = { key: 'ONE', env: { id: 1 }, secret: true };
    expect((await ask('env-var/update', { id, data: hidden })).status).toBe(200);
    expect(await short(service)).toEqual([`1 ONE=${MASK}`, '1 OTHER=2']);
    const { status } = await ask('env-var/update', { id, data: { ...hidden, secret: false } });
    expect(status).toBe(400);
    expect((await alice.post('env-var/reveal', { id })).body).toMatchObject({ value: 'by bob' });
    const events = await eventsOf(service);
    expect(events.map(({ says }) => says)).toEqual([
      'added ONE for dev',
      'added OTHER for dev',
      'changed ONE for dev',
      'changed ONE for dev',
      'viewed the value of ONE for dev',
    ]);
  });

  test('that are removed are destroyed, and an undo asks for the secret value', async () => {
    const service = await serviceOf();
    const { id } = (await add(service, { key: 'TOKEN', value: CANARY, secret: true })).body;
    const held = async () => (await world.backend.resources.vault.printable(workspace)).length;
    const [{ workspace } = { workspace: '' }] = (
      await world.backend.db.query<{ workspace: string }>(
        'select workspace from read.variables where id = $1',
        [service.id],
      )
    ).rows;
    const before = await held();
    expect((await ask('env-var/delete', { id })).status).toBe(200);
    expect(await held()).toBe(before - 1);
    const { position } = (await eventsOf(service)).at(-1) ?? { position: '' };
    const { shown, answer } = await undone(position, { secret: 'typed again' });
    expect([shown.needs, answer.status]).toEqual([['secret'], 200]);
    expect((await alice.post('env-var/reveal', { id })).body).toMatchObject({ value: 'typed again' });
  });
});

describe('an import', () => {
  const asked = (service: { id: string }, content: string, more: object = {}) => ({
    product: { id: product },
    service,
    env: 1,
    content,
    ...more,
  });

  test('is shown as a preview, recorded as one event, and undone as a whole', async () => {
    const service = await serviceOf();
    await add(service, { key: 'LOG_LEVEL', value: 'info' });
    await add(service, { key: 'API_TOKEN', value: 'old secret', secret: true });
    await add(service, { key: 'OLD', value: 'x' });
    await add(service, { key: 'SAME', value: 'same' });
    const content = `LOG_LEVEL=debug\nAPI_TOKEN="${CANARY}"\nSAME=same\nDB_PASSWORD=${CANARY}2\n`;
    const input = asked(service, content, { removeOthers: true });
    const { body: preview } = await ask<Preview>('env-var/import/preview', input);
    expect(preview).toMatchObject({
      added: [{ key: 'DB_PASSWORD', secret: true }],
      changed: [
        { key: 'LOG_LEVEL', secret: false },
        { key: 'API_TOKEN', secret: true },
      ],
      removed: [{ key: 'OLD', secret: false }],
      unchanged: 1,
    });
    const before = (await eventsOf(service)).length;
    const done = await ask('env-var/import', { ...input, seen: preview.seen });
    expect(done).toMatchObject({ status: 200, body: { msg: 'env vars were imported successfully' } });
    expect(await short(service)).toEqual([
      `1 API_TOKEN=${MASK}`,
      `1 DB_PASSWORD=${MASK}`,
      '1 LOG_LEVEL=debug',
      '1 SAME=same',
    ]);
    const events = await eventsOf(service);
    expect(events.slice(before).map(({ says }) => says)).toEqual([
      'imported variables for dev: 1 added, 2 changed, 1 removed',
    ]);
    const { shown, answer } = await undone(events.at(-1)?.position ?? '');
    expect([shown.refused, shown.needs, answer.status]).toEqual([undefined, [], 200]);
    expect(await short(service)).toEqual([
      `1 API_TOKEN=${MASK}`,
      '1 LOG_LEVEL=info',
      '1 OLD=x',
      '1 SAME=same',
    ]);
    const [{ id } = { id: '' }] = await list(service);
    expect((await alice.post('env-var/reveal', { id })).body).toMatchObject({ value: 'old secret' });
    // The same import again is refused, because its preview is outdated.
    await add(service, { key: 'NEWER', value: '1' });
    const late = await ask<{ current: Preview }>('env-var/import', { ...input, seen: preview.seen });
    expect(late).toMatchObject({
      status: 409,
      body: { current: { removed: [{ key: 'OLD' }, { key: 'NEWER' }] } },
    });
  });

  test('whose variables changed since is not undone, and names the variable', async () => {
    const service = await serviceOf();
    await ask('env-var/import', asked(service, '[["A","1"],["B","2"]]'));
    const { position } = (await eventsOf(service)).at(-1) ?? { position: '' };
    const [{ id } = { id: '' }] = await list(service);
    await ask('env-var/update', { id, data: { key: 'A', value: '7', env: { id: 1 } } });
    const { shown } = await undone(position);
    expect(shown.refused).toBe('A (dev) was changed again since');
  });

  test.each([
    ['[["A","1"', "JSON cant't be parsed"],
    ['2A=1', 'line 1: "2A" is not a name: use letters, digits, _, . and -, and begin with a letter or _'],
    ['{"A":"1"}', "JSON cant't be parsed"],
    ['a=\n'.repeat(20_000), 'the text has more than 1000 variables'],
    ['# nothing', 'there is no variable in this text'],
    ['', 'This field is required'],
  ])('of %j is refused with the reason', async (content, message) => {
    const service = await serviceOf();
    for (const path of ['env-var/import/preview', 'env-var/import'])
      expect(await ask(path, asked(service, content))).toMatchObject({
        status: 400,
        body: { data: { content: message } },
      });
    expect(await list(service)).toEqual([]);
  });
});

describe('an import with unusual lines', () => {
  const content = 'COLOR=#ff0000\n2ND=x\nA=1\nA=2\nspring.datasource.url=jdbc:x\nTOKEN=abc\n';
  const input = (service: { id: string }) => ({ product: { id: product }, service, env: 1, content });

  test('shows what each line becomes, leaves out what people choose, and never imports a part unseen', async () => {
    const service = await serviceOf();
    const preview = (more: object = {}) =>
      ask<Preview>('env-var/import/preview', { ...input(service), ...more });
    const { body } = await preview();
    expect(body.lines.map(({ line, key, value, secret }) => [line, key, secret ? MASK : value])).toEqual([
      [1, 'COLOR', '#ff0000'],
      [3, 'A', '1'],
      [5, 'spring.datasource.url', 'jdbc:x'],
      [6, 'TOKEN', MASK],
    ]);
    expect(body.lines[0]?.note).toContain('# belongs to the value');
    expect(body.unread.map(({ line }) => line)).toEqual([2, 4]);
    // Nobody has seen what would be left out.
    const refused = await ask('env-var/import', input(service));
    expect(refused).toMatchObject({
      status: 400,
      body: { data: { content: expect.stringContaining('line 4') } },
    });
    expect(await list(service)).toEqual([]);
    const leaveOut = [3, 5];
    const { body: chosen } = await preview({ leaveOut });
    expect(chosen.unread.map(({ line }) => line)).toEqual([2]);
    expect(chosen.lines.filter(({ leftOut }) => leftOut).map(({ line }) => line)).toEqual(leaveOut);
    await ask('env-var/import', { ...input(service), leaveOut, seen: chosen.seen });
    expect(await short(service)).toEqual(['1 A=2', '1 COLOR=#ff0000', `1 TOKEN=${MASK}`]);
  });

  test('takes a file of a million characters', async () => {
    const service = await serviceOf();
    const large = Array.from({ length: 40 }, (_, at) => `K${at}=${'é'.repeat(24_900)}`).join('\n');
    const done = await ask('env-var/import', { ...input(service), content: large });
    expect([done.status, (await list(service)).length]).toEqual([200, 40]);
    const { status, body } = await ask('env-var/import', {
      ...input(service),
      content: 'A'.repeat(1_000_001),
    });
    expect([status, body]).toMatchObject([
      400,
      { data: { content: 'at most 1000000 characters are accepted' } },
    ]);
  });
});

describe('the environment of a service', () => {
  test('has its variables and the lines of its database, in the export, for the app, and for runs', async () => {
    const service = await serviceOf(true);
    const database = {
      name: 'shop',
      host: 'db.example.org',
      port: 3306,
      username: 'shop',
      password: PASSWORD,
      env: { id: 1 },
      dbType: 1,
      certificate: '',
      server: null,
    };
    await alice.post('database/insert', { data: database, product: { id: product } });
    await add(service, { key: 'TOKEN', value: CANARY, secret: true });
    await add(service, { key: 'DATABASE_HOST', value: 'other.example.org' });
    const input = { product: { id: product }, service, env: 1 };
    const lines = [
      'DATABASE_HOST=other.example.org',
      'DATABASE_NAME=shop',
      `DATABASE_PASSWORD=${PASSWORD}`,
      'DATABASE_PORT=3306',
      'DATABASE_USER=shop',
      `TOKEN=${CANARY}`,
    ];
    const { status, body } = await alice.post<Issued>('env-var/generate-export', input);
    expect([status, body.lines]).toEqual([200, lines.map((line) => `${line}\n`).join('')]);
    expect(Date.parse(body.expiresAt ?? '')).toBeGreaterThan(Date.now());
    const asApp = await own(body.token, `?service=${service.id}&env=dev`);
    expect([asApp.status, asApp.headers.get('cache-control')]).toEqual([200, 'no-store']);
    expect(await asApp.json()).toMatchObject({ service, env: { id: 1 }, lines: body.lines });
    expect((await eventsOf(service)).at(-1)?.says).toBe('exported all 6 variables for dev');
    const of = world.backend.app.get(VariableReader, { strict: false });
    const [{ workspace } = { workspace: '' }] = (
      await world.backend.db.query<{ workspace: string }>(
        'select workspace from read.services where id = $1',
        [service.id],
      )
    ).rows;
    const open = await of.read(service.id, 1, workspace);
    expect(open.map(({ key, value }) => `${key}=${value}`)).toEqual(lines);
    const { body: prints } = await ask('env-var/prints', input);
    expect(prints).toEqual(open.map(({ key, secret, fingerprint }) => ({ key, secret, fingerprint })));
    expect(await of.read(service.id, 3, workspace)).toEqual([]);
  });
});

describe('the token of an app', () => {
  const tokenOf = async (service: { id: string }, env = 1) =>
    (await alice.post<Issued>('env-var/get-app-token', { product: { id: product }, service, env })).body;

  test('reads its own variables and nothing else, until it is revoked', async () => {
    const [service, other] = [await serviceOf(), await serviceOf()];
    await add(service, { key: 'TOKEN', value: CANARY, secret: true });
    const { id, token } = await tokenOf(service);
    const read = await own(token);
    expect(await read.json()).toMatchObject({ envVars: [{ key: 'TOKEN', value: CANARY }] });
    const wrong = [
      own(`${token}x`),
      own(`qd_app_${'x'.repeat(43)}`),
      own(''),
      own(token, `?service=${other.id}`),
      own(token, '?env=prod'),
    ];
    for (const answer of await Promise.all(wrong))
      expect([answer.status, ((await answer.json()) as { msg: string }).msg]).toEqual([
        401,
        'this token is not valid for these variables',
      ]);
    expect((await own(token, `?service=${service.id}&env=1`)).status).toBe(200);
    const tokens = (await ask<Tokens>('env-var/token/list', { service })).body;
    expect(tokens).toMatchObject([{ id, uses: 2, env: { id: 1 } }]);
    expect((await ask('env-var/token/revoke', { id })).status).toBe(200);
    expect((await own(token)).status).toBe(401);
    expect((await ask<Tokens>('env-var/token/list', { service })).body).toEqual([]);
    const subject = { category: 'apptoken', id };
    const { body } = await ask<{ events: HistoryView[] }>('history/list', { subject });
    // Many uses of a day are one event.
    expect(body.events.map(({ type }) => type).toReversed()).toEqual([
      'AppTokenIssued',
      'AppTokenUsed',
      'AppTokenRevoked',
    ]);
  });

  test('cannot be guessed: 10,000 guesses find nothing, and do not block the app itself', async () => {
    const service = await serviceOf();
    const { token } = await tokenOf(service);
    const statuses = new Map<number, number>();
    const guess = async (): Promise<void> => {
      const { status } = await own(`qd_app_${uuidv7()}${uuidv7()}`);
      statuses.set(status, (statuses.get(status) ?? 0) + 1);
    };
    for (let sent = 0; sent < 100; sent += 10) await Promise.all(Array.from({ length: 10 }, guess));
    expect([...statuses.keys()].filter((status) => ![401, 429].includes(status))).toEqual([]);
    expect(statuses.get(429)).toBeGreaterThan(0);
    // The rest without HTTP, as if it came from one other address.
    const tokens = world.backend.app.get(AppTokens, { strict: false });
    const outcomes = new Map<string, number>();
    const guessBelow = async (): Promise<void> => {
      const outcome = await tokens.read(`qd_app_${uuidv7()}${uuidv7()}`, {}, '192.0.2.7').then(
        () => 'read',
        ({ code }: { code: string }) => code,
      );
      outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1);
    };
    for (let sent = 0; sent < 9_900; sent += 50) await Promise.all(Array.from({ length: 50 }, guessBelow));
    expect([...outcomes.keys()].toSorted()).toEqual(['tooMany', 'unauthenticated']);
    // Ten in a minute, however long this takes.
    expect(outcomes.get('tooMany')).toBeGreaterThan(9_000);
    expect((await own(token)).status).toBe(200);
  });
});

test('secret values are in no answer, no log line and no table', async () => {
  const { rows } = await world.backend.db.query<{ name: string }>(
    `select format('%I.%I', schemaname, tablename) as name from pg_tables
     where schemaname in ('app', 'read', 'log')`,
  );
  const texts = [heard.join('\n'), world.backend.logs.join('\n')];
  for (const { name } of rows) {
    const table = await world.backend.db.query<{ row: string }>(`select t::text as row from ${name} t`);
    texts.push(table.rows.map(({ row }) => row).join('\n'));
  }
  expect(rows.length).toBeGreaterThan(20);
  for (const text of texts) {
    expect(text).not.toContain(CANARY);
    expect(text).not.toContain(PASSWORD);
  }
});
