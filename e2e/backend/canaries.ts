/** Plants secrets, uses them in every way, and then searches for them everywhere. */
import { randomBytes, randomUUID } from 'node:crypto';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Pool } from 'pg';
import type { Operator } from '../../testing/backend';
import type { Sshd } from '../../testing/sshd';
import { startToldServer, withJson, withStatus, type ToldServer } from '../../testing/told-server';
import { connectSocket, textOf } from '../../testing/socket';
import { fieldsOf, type World } from './world';

/** Everything in the database that is readable as text. */
const dump = async (db: Pool): Promise<string> => {
  const { rows } = await db.query<{ name: string }>(
    `select format('%I.%I', schemaname, tablename) as name from pg_tables
     where schemaname not in ('pg_catalog', 'information_schema')`,
  );
  const parts: string[] = [];
  for (const { name } of rows) {
    const table = await db.query<{ row: string }>(`select t::text as row from ${name} t`);
    parts.push(...table.rows.map(({ row }) => row));
  }
  expect(rows.length).toBeGreaterThan(10);
  return parts.join('\n');
};

/** An operator whose answers are all recorded. */
const heardBy = (who: Operator, heard: string[]): Operator => ({
  ...who,
  post: async (path, body, headers) => {
    const answer = await who.post<never>(path, body, headers);
    if (path !== 'server/private-key/download')
      heard.push(JSON.stringify(answer.body), JSON.stringify([...answer.headers]));
    return answer;
  },
});

export interface Canaries {
  secrets: string[];
  /** Everything that the system has returned or stored, by place. */
  places: Record<string, string>;
}

/** Addresses with a secret in each part that may contain one. @returns the secrets */
const plantAddresses = async (who: Operator, server: string, delivery: ToldServer): Promise<string[]> => {
  const secrets = ['query', 'user', 'password', 'path', 'hook', 'hookquery', 'tsig', 'token'].map(
    (part) => `${part}${randomBytes(12).toString('hex')}`,
  );
  const [query, user, password, path, hook, hookQuery, tsig = '', token] = secrets;
  const secretOfKey = Buffer.from(tsig).toString('base64');
  const at = new URL(delivery.url).host;
  const addresses = [
    `http://${at}/deploy/shop?token=${query}`,
    `http://${user}:${password}@${at}/shop`,
    `http://${at}/deploy/${path}`,
    `http://${at}/${path}`,
  ];
  for (const answer of [withStatus(500), withJson({ version: { version: '1.4.2' } })]) {
    delivery.answer(answer);
    for (const cdUrl of addresses) await who.post('deploy/pull', { server: { id: server }, cdUrl });
  }
  expect(delivery.asked.map(({ path: asked }) => asked)).toContain(`/deploy/shop?token=${query}`);
  const basic = Buffer.from(`${user}:${password}`).toString('base64');
  expect(delivery.asked.map(({ headers }) => headers.authorization)).toContain(`Basic ${basic}`);
  const { body: log } = await who.post<{ id: string }[]>('deploy/logs/list');
  expect(log).toHaveLength(8);
  for (const { id } of log) {
    await who.post('deploy/pull', { server: { id: server }, deployLog: { id } });
    await who.post('moment/difference', { subject: { category: 'deploy', id }, from: '1' });
  }
  const webhook = { url: `http://${at}/services/${hook}?key=${hookQuery}` };
  expect((await who.post('workspace/alerts', { thresholds: [7], webhook })).status).toBe(200);
  await who.post('alert/test');
  const provider = {
    kind: 'rfc2136',
    zone: 'example.org',
    server: '127.0.0.1',
    port: 53,
    keyName: 'key.example.org',
    algorithm: 'hmac-sha256',
    secret: secretOfKey,
  };
  const dns = { resolvers: [], ttl: 60, provider };
  expect((await who.post('workspace/dns', dns)).status).toBe(200);
  expect((await who.post('profile/gh-token/update', { value: token })).status).toBe(200);
  for (const call of ['workspace/detail', 'deploy/logs/list', 'alert/list']) await who.post(call, {});
  return [...secrets, basic, secretOfKey];
};

/** Uses a server with the secrets of `sshd` in every way, including wrong ones. */
export const plantCanaries = async ({ backend }: World, sshd: Sshd): Promise<Canaries> => {
  const heard: string[] = [];
  const alice = heardBy(await backend.signIn(), heard);
  const { privateKey, passphrase = '' } = await sshd.keyFor('encrypted');
  const line =
    privateKey.split('\n').find((text) => text.length > 60 && !text.includes('/') && !text.startsWith('-')) ??
    '';
  expect(passphrase.length).toBeGreaterThan(8);
  // A server that prints both: its folders have those names.
  for (const name of [passphrase, ...(line ? [line] : [])])
    mkdirSync(join(sshd.folder, 'static', name), { recursive: true });
  const socket = await connectSocket(alice);
  const pushed: string[] = [];
  socket.socket.onAny((...args: unknown[]) => pushed.push(JSON.stringify(args)));
  await socket.resume('0');

  const fields = { ...fieldsOf(`canary-${randomUUID()}`, sshd), path: join(sshd.folder, 'static') };
  const inserted = await alice.post('server/insert', { ...fields, privateKey, passphrase });
  const id = String(inserted.body.id);
  const runId = randomUUID();
  const watching = socket.watch(runId);
  const command = await alice.post('server/execCmd', { id, cmdType: 4, runId });
  expect(command.body).toMatchObject({ state: 'succeeded' });
  expect(command.body.out).toContain('*******');
  await watching;
  await socket.until(() => textOf(socket.output.get(runId)) === command.body.out);
  // Each mistake has an answer and a log line.
  const other = { ...fields, alias: `other-${randomUUID()}`, privateKey, passphrase };
  for (const wrong of [
    { ...fields, privateKey, passphrase },
    { ...other, passphrase: `${passphrase}x` },
    { ...other, privateKey: privateKey.slice(40) },
    { ...other, unknown: privateKey },
    `{"privateKey": "${line}", `,
  ])
    expect((await alice.post('server/insert', wrong)).status).not.toBe(200);
  await alice.post('server/update', { id, data: { ...fields, privateKey } });
  const keyed = () => ({ 'idempotency-key': randomUUID() });
  await alice.post('server/update/private-key', { id, privateKey, passphrase }, keyed());
  const download = await alice.post('server/private-key/download', { id }, keyed());
  expect(download.body.privateKey).toBe(privateKey);
  expect(download.body).not.toHaveProperty('passphrase');
  const delivery = await startToldServer();
  const planted = await plantAddresses(alice, id, delivery).finally(() => delivery.stop());
  for (const call of ['server/list', 'run/list', 'history/list']) await alice.post(call, {});
  await alice.post('run/output', { id: runId });
  for (const format of ['csv', 'jsonl']) {
    const file = await alice.get<string>(`history/export?format=${format}`);
    expect(file.body.length).toBeGreaterThan(500);
    heard.push(file.body);
  }
  socket.close();

  const lines = privateKey.split('\n').filter((text) => text.length > 20 && !text.startsWith('-'));
  return {
    secrets: [passphrase, ...lines, ...planted],
    places: {
      answers: heard.join('\n'),
      pushes: pushed.join('\n'),
      logs: backend.logs.join('\n'),
      database: await dump(backend.db),
    },
  };
};

/** @returns which secret was found where, for every relevant place */
export const foundIn = ({ secrets, places }: Canaries): string[] =>
  Object.entries(places).flatMap(([place, text]) => {
    expect(text.length).toBeGreaterThan(500);
    return secrets.filter((secret) => text.includes(secret)).map((secret) => `${place}: ${secret}`);
  });
