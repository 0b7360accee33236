/**
 * Sends the largest input that each call accepts, alone, and measures the processor time of the main thread: while it
 * works, nobody else is served. Texts are made long in several ways, lists as long as they may be; the worst counts.
 * The input of a call on a data model is the model, so those are measured with 3,000 tables of ten columns, and that of a
 * list are its rows: 10,000 servers and domains, and 20,000 keys with texts in 14 languages.
 */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { contract, isRead } from '@quarterdeck/contract';
import { exampleOf } from '../e2e/examples';
import { largestCalls, MAX_MS, spentBy, thingsOf } from '../e2e/fuzz/largest-calls';
import { databaseAt } from '../e2e/data-model/database-at';
import { byWebhook, type Issued } from '../e2e/mails/mail-world';
import { MAX_MAIL_BYTES } from '../apps/backend/src/mails/mails';
import { signIn } from '../testing/backend';
import { operator, type Operator } from '../testing/operator';
import { spawnConsole } from './backend';
import { newDatabase, withDurablePostgres } from './durable-postgres';
import { amountOf, finish, isQuick, state, type Line } from './harness';
import { databaseWithTables, writeModel } from './large-model';
import { ofTexts } from './large-texts';
import { writeRows } from './many-rows';

const TABLES = amountOf(3000);

const ROWS = amountOf(10_000);

const KEYS = amountOf(20_000);

const lines: Line[] = [];

type Part = 'inputs' | 'lists' | 'mails' | 'models' | 'texts';

/** `BENCH_ONLY`: one part of this program. The walk over all calls is left out of `--quick`: `npm test` makes it too. */
const isMeasured = (part: Part): boolean =>
  process.env.BENCH_ONLY === undefined ? !(isQuick && part === 'inputs') : process.env.BENCH_ONLY === part;

const tell = (what: string, { ms, status }: { ms: number; status: number }, bytes: number): void => {
  const words = `${ms.toFixed(0).padStart(5)} ms, ${bytes.toLocaleString('en').padStart(9)} bytes, answered by ${status}`;
  lines.push(state(what, ms, { atMost: MAX_MS }, words));
};

const idOf = async (who: Operator, path: string, body: object): Promise<string> => {
  const { status, body: made } = await who.post<{ id: string }>(path, body);
  if (status !== 200) throw new Error(`${path} answered ${status} ${JSON.stringify(made)}`);
  return made.id;
};

async function ofInputs(who: Operator, pid: number): Promise<void> {
  for (const call of largestCalls(await thingsOf(who))) {
    let worst = { ms: 0, status: 0, bytes: 0 };
    for (const body of call.bodies()) {
      const spent = await spentBy(pid, () => call.send(who, body));
      if (spent.ms > worst.ms) worst = { ...spent, bytes: JSON.stringify(body).length };
    }
    tell(call.path, worst, worst.bytes);
  }
}

/** @param large the product with the model */
async function ofModels(
  who: Operator,
  pid: number,
  large: string,
  databases: { empty: string; full: string },
): Promise<void> {
  const product = { id: large };
  const add = (address: string, within: string) =>
    idOf(who, 'database/insert', { data: databaseAt(address), product: { id: within } });
  const empty = await add(databases.empty, large);
  const full = await add(databases.full, large);
  const other = await idOf(who, 'product/insert', { data: { name: 'Imported' } });
  const structure = { id: await add(databases.full, other) };
  const measured = new Set<string>();
  const call = async <T>(path: string, body: object, name = path): Promise<T> => {
    let answer: T | undefined;
    const spent = await spentBy(pid, async () => {
      const { status, body: said } = await who.post<T>(path, body);
      if (status === 200 || answer === undefined) answer = said;
      return { status };
    });
    measured.add(path);
    tell(`${name}, ${TABLES} tables`, spent, JSON.stringify(body).length);
    return answer as T;
  };
  const model = 'data-model';
  for (const path of ['entity/list', 'entity/page', 'entity/visualization', 'attribute/listWEntity'])
    await call(
      `${model}/${path}`,
      path.endsWith('page') ? { product, search: 'table', size: 100 } : { product },
    );
  await call(`${model}/version/pending`, product);
  await call(`${model}/version/create`, product);
  const [version] = (await who.post<{ uuid: string }[]>(`${model}/version/list`, product)).body;
  const uuid = version?.uuid ?? '';
  await call(`${model}/version/list`, product);
  await call(`${model}/version/detail`, { id: uuid });
  await call(`${model}/version/difference`, { product, from: 0, to: 1 });
  await call(`${model}/version/origins`, { id: uuid });
  await call(`${model}/version/get`, { uuid, dialect: 'mysql' });
  for (const file of ['getJs', 'getTypes', 'bundle']) await call(`${model}/version/${file}`, { uuid });
  await call(`${model}/migration/list`, { product, version: { uuid } });
  await call(`${model}/version/plan`, { uuid, database: { id: empty } });
  await call(`${model}/version/plan`, { uuid, database: { id: full } }, `${model}/version/plan of a repair`);
  await call(`${model}/version/import/preview`, { product: { id: other }, database: structure });
  await call(`${model}/version/apply`, { uuid, database: { id: empty } });
  const unknown = [...measured].filter((path) => !contract.some((call) => call.path === path));
  if (unknown.length > 0) throw new Error(`there is no call ${unknown.join(', ')}`);
}

/**
 * Every call that only reads, in a workspace with many servers and domains. Files such as the export of the history are
 * sent page by page, and others are served in between.
 */
async function ofLists(who: Operator, pid: number): Promise<void> {
  for (const call of contract) {
    const { method, path } = call;
    if (!isRead(call) || method === 'GET') continue;
    tell(`${path}, ${ROWS} rows`, await spentBy(pid, () => who.post(path, exampleOf(call))), 0);
  }
  tell(`domain/list, ${ROWS} rows`, await spentBy(pid, () => who.get('domain/list')), 0);
}

/** The largest e-mail that a product can send in by webhook. */
async function ofMail(who: Operator, pid: number, product: string): Promise<void> {
  const { body: issued } = await who.post<Issued>('email/token/issue', { product: { id: product } });
  const lines = 'A line of a long e-mail that a shop sends.\r\n'.repeat(MAX_MAIL_BYTES / 44 - 100);
  let sent = 0;
  let bytes = 0;
  const spent = await spentBy(pid, () => {
    const raw = `From: shop@example.org\r\nSubject: No. ${(sent += 1)}\r\n\r\n${lines}`;
    const body = JSON.stringify({ message: Buffer.from(raw).toString('base64') });
    bytes = body.length;
    return byWebhook({ ada: who, issued }, body);
  });
  if (spent.status !== 200) throw new Error(`the webhook answered ${spent.status}`);
  tell('public/email/receive, 10 MB', spent, bytes);
}

await withDurablePostgres(async (url) => {
  const env = { OUTBOUND_ALLOW: '127.0.0.0/8', CALLS_PER_MINUTE: '0' };
  const first = await spawnConsole(url, env);
  const someone = await signIn(first.url, first.signInLink);
  const product = await idOf(someone, 'product/insert', { data: { name: 'Large' } });
  const { body: session } = await someone.get<{ instance: { uuid: string } }>('session');
  await first.stop();
  const workspace = session.instance.uuid;
  if (isMeasured('lists')) await writeRows(url, workspace, ROWS);
  if (isMeasured('models')) await writeModel(url, { workspace, product, tables: TABLES });
  const empty = await newDatabase(url, 'empty_one');
  const full = await databaseWithTables(url, 'full_one', isMeasured('models') ? TABLES : 0);
  const place = await mkdtemp(join(tmpdir(), 'quarterdeck-inputs-'));
  const holds = join(place, 'holds');
  await writeFile(holds, '');
  const probe = { NODE_OPTIONS: `--import=${resolve('bench/hold-probe.mjs')}`, HOLD_FILE: holds };
  const backend = await spawnConsole(url, isMeasured('texts') ? { ...env, ...probe } : env);
  const who = operator(backend.url, someone.cookie);
  if (isMeasured('inputs')) await ofInputs(who, backend.pid);
  if (isMeasured('lists')) await ofLists(who, backend.pid);
  if (isMeasured('models')) await ofModels(who, backend.pid, product, { empty, full });
  if (isMeasured('mails')) await ofMail(who, backend.pid, product);
  if (isMeasured('texts')) {
    const { seconds, longestHoldMs } = await ofTexts(who, { pid: backend.pid, holds }, KEYS, tell);
    const words = `${longestHoldMs.toFixed(0)} ms at most, the import took ${seconds.toFixed(1)} s`;
    lines.push(
      state(`hold of the main thread in an import of ${KEYS} keys`, longestHoldMs, { atMost: MAX_MS }, words),
    );
  }
  await backend.stop();
  await rm(place, { recursive: true });
});

finish(lines);
