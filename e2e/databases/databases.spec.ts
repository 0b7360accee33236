/**
 * Databases: their fields, and a password that is shown only on demand.
 *
 * covers: DB-01
 */
import { createPrivateKey } from 'node:crypto';
import { Client } from 'pg';
import { testAuthority } from '../../testing/test-authority';
import { fieldsOf, idleKey, nowhere, openWorld, type World } from '../backend/world';
import type { Operator } from '../../testing/backend';

interface Ids {
  id: string;
}
interface DatabaseView {
  revision: number;
  password: { ref: string };
}

const fields = {
  name: 'shop',
  host: 'db.example.test',
  port: 3306,
  username: 'shop',
  password: 'correct horse',
  env: { id: 1 },
  dbType: 1,
  certificate: '',
  server: null,
};

let world: World;
let alice: Operator;
let product: string;
let id: string;

const insert = (data: object) => alice.post<Ids>('database/insert', { data, product: { id: product } });
const reveal = (who = alice) => who.post<{ value: string }>('database/reveal', { id, field: 'password' });

beforeAll(async () => {
  world = await openWorld();
  alice = await world.backend.signIn({ workspace: 'databases', role: 'admin', email: 'alice@example.org' });
  product = (await alice.post<Ids>('product/insert', { data: { name: 'Shop' } })).body.id;
});
afterAll(() => world?.end());

test('a database needs its fields, and a valid port', async () => {
  const refused = async (changed: object, data: object) =>
    expect(await insert({ ...fields, ...changed })).toMatchObject({ status: 400, body: { data } });
  await refused(
    { host: '', password: undefined },
    {
      'data.host': 'This field is required',
      'data.password': 'This field is required',
    },
  );
  await refused({ port: 70_000 }, { 'data.port': 'numbers above 65535 are not accepted' });
  await refused({ port: 0 }, { 'data.port': 'numbers below 1 are not accepted' });
  await refused({ env: { id: 4 } }, { 'data.env.id': 'numbers above 3 are not accepted' });
  await refused({ server: { id: product } }, { 'server.id': 'this server could not be found' });
  const key = '-----BEGIN PRIVATE KEY-----\nMIIE\n-----END PRIVATE KEY-----';
  await refused({ certificate: key }, { certificate: expect.stringContaining('looks like a private key') });
});

test('a host with a password and a text that is no certificate are refused before they are kept or used', async () => {
  const damaged = '-----BEGIN CERTIFICATE-----\nMIIE\n-----END CERTIFICATE-----';
  for (const [changed, data] of [
    [{ host: 'mysql://app:LEAKED-pw@db.example.test:3306/shop' }, { 'data.host': /without mysql:\/\// }],
    [{ name: 'mysql://app:LEAKED-pw@db.example.test/shop' }, { 'data.name': /contains a password/ }],
    [{ username: 'postgres://app:LEAKED-pw@db/shop' }, { 'data.username': /contains a password/ }],
    [{ certificate: 'hello' }, { certificate: /PEM certificate is expected/ }],
    [{ certificate: damaged }, { certificate: /PEM certificate is expected/ }],
  ] as const) {
    const refusal = Object.fromEntries(
      Object.entries(data).map(([field, says]) => [field, expect.stringMatching(says)]),
    );
    const refused = { status: 400, body: { data: refusal } };
    expect(await insert({ ...fields, ...changed })).toMatchObject(refused);
    expect(await alice.post('database/try', { data: { ...fields, ...changed } })).toMatchObject(refused);
  }
});

test('no answer contains the password until an administrator reveals it, which the history records', async () => {
  const answer = await insert(fields);
  expect(answer).toMatchObject({ status: 200 });
  id = answer.body.id;
  const detail = await alice.post<DatabaseView>('database/detail', { id });
  expect(detail.body).toMatchObject({ name: 'shop', env: { id: 1 }, password: { ref: expect.any(String) } });
  expect(JSON.stringify(detail.body)).not.toContain('correct horse');

  const mia = await world.backend.signIn({
    workspace: 'databases',
    role: 'member',
    email: 'mia@example.org',
  });
  expect(await reveal(mia)).toMatchObject({ status: 403 });
  expect(await reveal()).toMatchObject({ status: 200, body: { value: 'correct horse' } });
  const subject = { category: 'database', id };
  const { body } = await alice.post<{ events: { says: string }[] }>('history/list', { subject });
  expect(body.events.map(({ says }) => says)).toEqual(['viewed the password', 'added shop']);
  // To see it is no change that an editor could have missed.
  const { password: _, ...data } = fields;
  const edit = { id, data: { ...data, port: 3307 }, revision: detail.body.revision };
  expect(await alice.post('database/update', edit)).toMatchObject({ status: 200 });
  expect(await alice.post('database/update', { ...edit, data })).toMatchObject({ status: 409 });
});

test('an edit without a password keeps it; a new one replaces it, which cannot be undone', async () => {
  const { password: _, ...others } = fields;
  const update = (data: object) => alice.post('database/update', { id, data });
  expect(await update({ ...others, env: { id: 3 } })).toMatchObject({ status: 200 });
  expect((await reveal()).body.value).toBe('correct horse');
  expect(await update({ ...others, env: { id: 3 }, password: 'battery staple' })).toMatchObject({
    status: 200,
  });
  expect((await reveal()).body.value).toBe('battery staple');
  const { body } = await alice.post<{ events: { position: string; type: string }[] }>('history/list', {
    subject: { category: 'database', id },
  });
  const position = body.events.find(({ type }) => type === 'DatabaseRevised')?.position;
  const preview = await alice.post('history/undo/preview', { position });
  expect(preview.body).toMatchObject({ refused: 'a replaced secret was destroyed: set it again' });
});

test('a replaced password that outlived a crash is destroyed when the edit is repeated', async () => {
  const client = new Client({ connectionString: world.postgres.url });
  await client.connect();
  const kept = async () =>
    (await client.query(`select * from app.vault where kind = 'database-password' and shredded_at is null`))
      .rows;
  const [old] = await kept();
  const update = () =>
    alice.post('database/update', { id, data: { ...fields, env: { id: 3 }, password: 'open sesame' } });
  expect(await update()).toMatchObject({ status: 200 });
  // As if the process had died after the event, before the old password was deleted.
  await client.query(
    `insert into app.vault (workspace, ref, kind, key_id, wrapped_key, sealed) values ($1, $2, $3, $4, $5, $6)`,
    [old.workspace, old.ref, old.kind, old.key_id, old.wrapped_key, old.sealed],
  );
  expect(await kept()).toHaveLength(2);
  expect(await update()).toMatchObject({ status: 200 });
  expect(await kept()).toHaveLength(1);
  await client.end();
  expect((await reveal()).body.value).toBe('open sesame');
});

describe('a client certificate', () => {
  const says = (text: RegExp) => ({
    status: 400,
    body: { data: { clientCertificate: expect.stringMatching(text) } },
  });
  const stored = async (client: Client) =>
    (
      await client.query(
        `select from app.vault where kind = 'database-clientCertificate' and shredded_at is null`,
      )
    ).rowCount;
  let own: { cert: string; key: string };
  let other: { cert: string; key: string };

  beforeAll(async () => {
    const lasting = { notBefore: new Date(0), notAfter: new Date(Date.now() + 86_400_000), isClient: true };
    const [ours, others] = await Promise.all([testAuthority('Ours'), testAuthority('Others')]);
    own = await ours.leaf({ names: ['shop'], ...lasting });
    other = await others.leaf({ names: ['shop'], ...lasting });
  });

  test('is refused unless it is one with its private key', async () => {
    const locked = createPrivateKey(own.key).export({
      type: 'pkcs8',
      format: 'pem',
      cipher: 'aes-256-cbc',
      passphrase: 'hush',
    });
    for (const [clientCertificate, text] of [
      ['hello', /the certificate is missing/],
      [own.key, /the certificate is missing/],
      [own.cert, /the private key is missing/],
      [own.cert + other.key, /not the one of the first certificate/],
      [`${own.cert}\n${own.key}\n${other.key}`, /one private key is expected, not 2/],
      [`${own.cert}\n${locked.toString()}`, /has a passphrase/],
      [own.cert.replace('MII', 'XXX') + own.key, /damaged/],
    ] as const) {
      const data = { ...fields, clientCertificate };
      expect(await insert(data)).toMatchObject(says(text));
      expect(await alice.post('database/try', { data })).toMatchObject(says(text));
    }
  });

  test('is stored as a secret, kept by edits, and destroyed when it is removed', async () => {
    const client = new Client({ connectionString: world.postgres.url });
    await client.connect();
    const pem = `${own.cert}\n${own.key}`;
    const { body } = await insert({ ...fields, clientCertificate: pem });
    const { password: _, ...others } = fields;
    const update = (data: object) =>
      alice.post('database/update', { id: body.id, data: { ...others, ...data } });
    const seen = async () => (await alice.post<object>('database/detail', { id: body.id })).body;
    const shown = () =>
      alice.post<{ value: string }>('database/reveal', { id: body.id, field: 'clientCertificate' });

    expect(await seen()).toMatchObject({ clientCertificate: { ref: expect.any(String) } });
    expect(await update({ env: { id: 2 } })).toMatchObject({ status: 200 });
    expect(await update({ clientCertificate: own.cert + other.key })).toMatchObject(says(/not the one/));
    expect((await shown()).body.value).toBe(pem);
    expect(await stored(client)).toBe(1);

    expect(await update({ env: { id: 2 }, clientCertificate: '' })).toMatchObject({ status: 200 });
    expect(await seen()).toMatchObject({ clientCertificate: null });
    expect(await shown()).toMatchObject({
      status: 400,
      body: { data: { field: 'there is no such secret' } },
    });
    expect(await stored(client)).toBe(0);
    const subject = { category: 'database', id: body.id };
    const { events } = (
      await alice.post<{ events: { says: string; position: string }[] }>('history/list', { subject })
    ).body;
    expect(events[0]?.says).toBe('changed client certificate');
    const preview = await alice.post('history/undo/preview', { position: events[0]?.position });
    expect(preview.body).toMatchObject({ refused: 'a replaced secret was destroyed: set it again' });

    expect(await update({ clientCertificate: pem })).toMatchObject({ status: 200 });
    expect((await shown()).body.value).toBe(pem);
    expect(await update({ clientCertificate: null })).toMatchObject({ status: 200 });
    expect(await stored(client)).toBe(0);
    expect(await update({ clientCertificate: ' \n ' })).toMatchObject({ status: 200 });
    expect(await seen()).toMatchObject({ clientCertificate: null });
    await client.end();
  });
});

test('edits at once that set a secret, also to what it is, leave one that can be opened', async () => {
  const { password: _, ...others } = fields;
  for (let round = 0; round < 5; round += 1) {
    const passwords = ['first', 'stored', 'third', 'stored', 'fifth', 'stored'];
    const { body } = await insert({ ...fields, password: 'stored' });
    await Promise.all(
      passwords.map((password, at) =>
        alice.post('database/update', { id: body.id, data: { ...others, port: 4000 + at, password } }),
      ),
    );
    const shown = await alice.post<{ value: string }>('database/reveal', { id: body.id, field: 'password' });
    expect(shown.status).toBe(200);
    expect(passwords).toContain(shown.body.value);
  }
});

test('a database can be reached through a server, and shows its name', async () => {
  const server = (
    await alice.post<Ids>('server/insert', { ...fieldsOf('bastion', nowhere), privateKey: idleKey() })
  ).body.id;
  const { password: _, server: __, ...others } = fields;
  const reachedThrough = async (data: object): Promise<unknown> => {
    expect(await alice.post('database/update', { id, data })).toMatchObject({ status: 200 });
    return (await alice.post('database/detail', { id })).body['server'];
  };
  expect(await reachedThrough({ ...others, server: { id: server } })).toEqual({
    id: server,
    name: 'bastion',
  });
  // An edit keeps what it omits.
  expect(await reachedThrough({ ...others, name: 'shops' })).toMatchObject({ id: server });
  expect(await reachedThrough({ ...others, server: null })).toBeNull();
});
