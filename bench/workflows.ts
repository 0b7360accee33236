/**
 * Instances of workflows that go from node to node, 50 at once, until all have ended. Each transition has a condition, so
 * each node is a step of its own: the condition is evaluated in a worker, and what was left and entered is recorded with
 * one append. Then nodes that send a saved request: each is a recorded run, and the end of that run lets the instance go
 * on. Floor of both: transactions of the bare driver that insert what one step records, two rows, with 50 callers.
 *
 * Then the two queries that look at all instances, one for what can go on and one for what alerts tell, while 1,000,000
 * wait, half of them for people. Floor: one instance by its id.
 */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Client, Pool } from 'pg';
import { ASKING } from '../apps/backend/src/alerts/asking-watch';
import { CAN_GO_ON } from '../apps/backend/src/workflows/workflow-pump';
import type { WorkflowDoes } from '@quarterdeck/events';
import { v7 as uuid } from 'uuid';
import { operator } from '../testing/operator';
import { pause } from '../testing/patience';
import { copyWaiting } from '../testing/waiting-instances';
import { spawnConsole } from './backend';
import { withDurablePostgres } from './durable-postgres';
import { amountOf, callers, compare, finish, isQuick, turnMsOf, turnsOf, type Line } from './harness';

const AT_ONCE = 50;
const NODES = amountOf(20);
const REQUESTS = amountOf(2, 1 / 2);
const TURNS = turnsOf(5);
const WAITING = isQuick ? 100_000 : 1_000_000;
const LOOKS = 200;
const FLOOR_MS = turnMsOf(1_500);
/** More connections made the floor slower. We compare with its best. */
const FLOOR_CONNECTIONS = 16;

const FLOOR_TABLE = `create table floor_events (
  position bigint generated always as identity primary key,
  stream text not null, type text not null, data jsonb not null, meta jsonb not null)`;

const floorOf = (pool: Pool) => {
  const meta = JSON.stringify({ id: uuid(), at: new Date().toISOString(), actor: uuid(), workspace: uuid() });
  const left = JSON.stringify({ visit: 1, end: 'done', result: null });
  const entered = JSON.stringify({
    visit: 2,
    state: uuid(),
    node: uuid(),
    name: 'Node 2',
    transition: uuid(),
  });
  const insert = (): Promise<unknown> =>
    pool.query({
      name: 'floor',
      text: `insert into floor_events (stream, type, data, meta)
             values ($1, 'Left', $2, $4), ($1, 'Entered', $3, $4)`,
      values: [`workflowInstance-${uuid()}`, left, entered, meta],
    });
  return async () => 1000 / (await callers(AT_ONCE, FLOOR_MS, insert));
};

const startServer = async () => {
  const server = createServer((_, response) => {
    response.writeHead(200, { 'content-type': 'application/json' }).end('{"ok":true}');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}`, stop: () => server.close() };
};

type Ask = <T = { id: string }>(path: string, body: object) => Promise<T>;

/** A published workflow of nodes that follow each other. @returns its id */
const chain = async (ask: Ask, does: WorkflowDoes, nodes: number): Promise<string> => {
  const { id } = await ask('workflow/insert', { data: { name: `W ${uuid()}` } });
  const workflow = { id };
  let before: string | undefined;
  for (let at = 0; at < nodes; at += 1) {
    const data = { name: `Node ${at}`, does, isStart: at === 0, keepAs: '' };
    const node = await ask('workflow/node/insert', { data, workflow });
    const ends = { from: { id: before }, to: { id: node.id } };
    const way = { name: `Way ${at}`, ...ends, on: 'done', when: 'data.total > 100', order: at };
    if (before !== undefined) await ask('workflow/transition/insert', { data: way, workflow });
    before = node.id;
  }
  await ask('workflow/publish', { id });
  return id;
};

const consoleWith = async (databaseUrl: string) => {
  const backend = await spawnConsole(databaseUrl, { OUTBOUND_ALLOW: '127.0.0.1', CALLS_PER_MINUTE: '0' });
  const who = await operator(backend.url).signIn(new URL(backend.signInLink).searchParams.get('code') ?? '');
  const ask: Ask = async <T>(path: string, body: object) => {
    const answer = await who.post<T>(path, body);
    if (answer.status !== 200) throw new Error(`${path}: ${answer.status} ${JSON.stringify(answer.body)}`);
    return answer.body;
  };
  const db = new Client({ connectionString: databaseUrl });
  await db.connect();
  /** @returns milliseconds for one node, from the first start of an instance until the end of the last */
  const turn = async (workflow: string, nodes: number): Promise<number> => {
    const began = performance.now();
    const start = { workflow: { id: workflow }, data: { total: 120 } };
    await Promise.all(Array.from({ length: AT_ONCE }, () => ask('workflow/instance/insert', start)));
    const open = `select count(*)::int as open from read.workflow_instances
      where "workflowId" = $1 and "endedAt" is null`;
    for (let left = 1; left > 0;) {
      await pause(20);
      left = (await db.query<{ open: number }>(open, [workflow])).rows[0]?.open ?? 0;
    }
    return (performance.now() - began) / (AT_ONCE * nodes);
  };
  /** @returns milliseconds for one of them */
  const looks = async (query: string, values: unknown[]): Promise<number> => {
    const began = performance.now();
    for (let at = 0; at < LOOKS; at += 1) await db.query(query, values);
    return (performance.now() - began) / LOOKS;
  };
  /** @returns the id of an instance among many */
  const amongMany = async (): Promise<string> => {
    const workflow = { id: await chain(ask, { is: 'wait', until: '2099-01-01T00:00:00Z' }, 1) };
    const { id } = await ask('workflow/instance/insert', { workflow });
    const isWaiting = `select from read.workflow_instances where id = $1 and "is" = 'waiting'`;
    while ((await db.query(isWaiting, [id])).rowCount === 0) await pause(20);
    await copyWaiting(db, id, WAITING);
    return id;
  };
  const stop = async (): Promise<void> => {
    await db.end();
    await backend.stop();
  };
  return { ask, turn, looks, amongMany, stop };
};

const lines: Line[] = [];
await withDurablePostgres(async (databaseUrl) => {
  const house = await consoleWith(databaseUrl);
  const server = await startServer();
  const pool = new Pool({ connectionString: databaseUrl, max: FLOOR_CONNECTIONS });
  await pool.query(FLOOR_TABLE);
  const floor = { name: 'bare transactions', turn: floorOf(pool) };
  try {
    const { ask, turn, looks, amongMany } = house;
    const conditions = await chain(ask, { is: 'none' }, NODES);
    const request = await ask('request/insert', { data: { name: 'Ok', host: server.url, url: '/' } });
    const requests = await chain(ask, { is: 'savedRequest', request: { id: request.id } }, REQUESTS);
    lines.push(
      await compare({
        what: 'node to node by a condition, 50 at once',
        unit: 'ms',
        target: { atMost: 15 },
        floor,
        ours: { name: 'Quarterdeck', turn: () => turn(conditions, NODES) },
        turns: TURNS,
      }),
      await compare({
        what: 'node to node by a saved request, 50 at once',
        unit: 'ms',
        target: { atMost: 150 },
        floor,
        ours: { name: 'Quarterdeck', turn: () => turn(requests, REQUESTS) },
        turns: TURNS,
      }),
    );
    const one = await amongMany();
    const byId = () => looks('select view from read.workflow_instances where id = $1', [one]);
    const lookedAt = async (what: string, atMost: number, query: string, values: unknown[]) =>
      compare({
        what: `${what}, ${WAITING.toLocaleString('en')} wait`,
        unit: 'ms',
        target: { atMost },
        floor: { name: 'one by its id', turn: byId },
        ours: { name: 'Quarterdeck', turn: () => looks(query, values) },
        turns: TURNS,
      });
    lines.push(
      await lookedAt('what can go on', 10, CAN_GO_ON, [new Date().toISOString()]),
      await lookedAt('what alerts tell', 40, ASKING, []),
    );
  } finally {
    await pool.end();
    await house.stop();
    server.stop();
  }
});
finish(lines);
