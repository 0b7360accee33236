/**
 * The SSL monitor over a thousand and over ten thousand domains, without pauses: from the call to the recorded end,
 * with name resolution, rows, events and an activity log. Floor: a loop of handshakes only, at known addresses and with
 * the same concurrency. Then a page of ten thousand domains, and all of them, compared with the bare driver reading all views.
 */
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { Client } from 'pg';
import { openSslGround, type SslGround } from '../e2e/certificates/ssl-ground';
import { withDurablePostgres } from './durable-postgres';
import { compare, amountOf, finish, percentile, state, turnsOf, type Line } from './harness';

const AT_ONCE = 20;
const TURNS = turnsOf(5, 2);
const CALLS = 40;

const lines: Line[] = [];
const names: string[] = [];

const grow = async (ground: SslGround, server: string, count: number): Promise<void> => {
  const wanted = Array.from(
    { length: count - names.length },
    (_, at) => `n${names.length + at}.up.${ground.bind.zone}`,
  );
  const queue = wanted.values();
  const adding = async (): Promise<void> => {
    for (const name of queue) {
      ground.serve(name, 'valid');
      await ground.domain(name, server);
    }
  };
  await Promise.all(Array.from({ length: 24 }, adding));
  names.push(...wanted);
};

const bareLoop = (prober: Worker) => async (): Promise<number> => {
  prober.postMessage(names);
  const [{ took, lost }] = (await once(prober, 'message')) as [{ took: number; lost: number }];
  if (lost > 0) throw new Error(`the floor lost ${lost} of ${names.length} handshakes`);
  return took;
};

const sslRun = (ground: SslGround) => async (): Promise<number> => {
  const began = performance.now();
  const runId = randomUUID();
  const { status, body } = await ground.alice.post('ssl/run', { runId, checkOnly: true });
  if (status !== 200) throw new Error(`ssl/run answered ${status}: ${JSON.stringify(body)}`);
  const { state: how } = await ground.ended(runId);
  const took = performance.now() - began;
  const bad = (await ground.checks(runId)).filter(({ found }) => found?.valid !== true);
  if (how !== 'succeeded' || bad.length > 0) throw new Error(`it ${how}, with ${bad.length} not valid`);
  return took;
};

/** @returns the 99th percentile of that many calls, one after the other */
const slowest = (call: () => Promise<unknown>) => async (): Promise<number> => {
  const each: number[] = [];
  for (let turn = 0; turn < CALLS; turn += 1) {
    const began = performance.now();
    await call();
    each.push(performance.now() - began);
  }
  return percentile(each, 99);
};

const measure = async (ground: SslGround, url: string): Promise<void> => {
  const { address, port, ca } = ground.endpoints;
  const prober = new Worker('./bench/bare-probe.mjs', { workerData: { address, port, ca, atOnce: AT_ONCE } });
  const settings = { checkPauseMs: 0, renewPauseMs: 0, concurrency: AT_ONCE, expiringDays: 30 };
  await ground.alice.post('workspace/ssl-monitor', settings);
  const server = await ground.server(ground.up);
  const runOf = (turns: number): Promise<Line> =>
    compare({
      what: `an SSL run over ${names.length.toLocaleString('en')} domains, ${AT_ONCE} at once`,
      unit: 'ms',
      target: { atMost: 1.5 },
      turns,
      floor: { name: 'tls.connect in a loop', turn: bareLoop(prober) },
      ours: { name: 'SSL run', turn: sslRun(ground) },
    });

  await grow(ground, server, amountOf(1000, 1 / 4));
  lines.push(await runOf(TURNS));

  await grow(ground, server, amountOf(10_000, 1 / 20));
  const before = ground.memory();
  lines.push(await runOf(1));
  const grown = Math.round((ground.memory().most - before.now) / 1024);
  lines.push(state('memory for it, at its most', grown, { atMost: 200 }, `${grown} MB more than before`));

  const client = new Client({ connectionString: url });
  await client.connect();
  lines.push(
    await compare({
      what: `list of ${names.length.toLocaleString('en')} domains, 99th percentile`,
      unit: 'ms',
      target: { atMost: 2 },
      turns: 3,
      floor: {
        name: 'the same views by the bare driver',
        turn: slowest(() => client.query('select view from read.domains order by "serverName"')),
      },
      ours: { name: 'domain/list', turn: slowest(() => ground.alice.get('domain/list')) },
    }),
  );
  const page = async (): Promise<void> => {
    const { status, body } = await ground.alice.post('domain/page', {
      search: 'n',
      sort: 'serverName',
      size: 50,
    });
    if (status !== 200) throw new Error(`domain/page answered ${status}: ${JSON.stringify(body)}`);
  };
  lines.push(
    await compare({
      what: 'a page of them, searched and sorted, 99th percentile',
      unit: 'ms',
      target: { atMost: 2 },
      turns: 3,
      floor: {
        name: 'all of these views by the bare driver',
        turn: slowest(() => client.query('select view from read.domains order by "serverName"')),
      },
      ours: { name: 'domain/page', turn: slowest(page) },
    }),
  );
  await client.end();
  await prober.terminate();
};

await withDurablePostgres(async (url) => {
  const postgres = { url, stop: () => Promise.resolve() };
  const ground = await openSslGround({ CHECK_ANSWERS: 'off', LOG_LEVEL: 'warn' }, Promise.resolve(postgres));
  try {
    await measure(ground, url);
  } finally {
    await ground.end();
  }
});
finish(lines);
