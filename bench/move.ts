/**
 * Copies the whole log to EventStoreDB and back, with the command that an operator uses. The protocol server runs in a
 * separate process without a disk, so this measures our side and Postgres.
 */
import { fork, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { openEventStore } from '@quarterdeck/events/store';
import { startEventStoreDb } from '../testing/eventstoredb/server';
import { busyLog, write } from '../testing/busy-log';
import { withDurablePostgres } from './durable-postgres';
import { amountOf, finish, state, type Line } from './harness';

const EVENTS = amountOf(1_000_000, 1 / 100);
const MAX_SECONDS = 600;
const SERVER = '--eventstoredb';

const seconds = (began: number) => (performance.now() - began) / 1000;

async function copy(to: string, env: Record<string, string>): Promise<number> {
  const began = performance.now();
  const child = spawn(process.execPath, ['dist/backend/cli.js', 'log', 'copy', '--to', to], {
    stdio: ['ignore', 'ignore', 'pipe'],
    env: { ...process.env, ...env },
  });
  // Progress every half minute: a line a second would hide the figures.
  let told = 0;
  createInterface({ input: child.stderr }).on('line', (line) => {
    if (told++ % 30 === 0) console.log(`  ${seconds(began).toFixed(0)} s ${line}`);
  });
  const [code] = (await once(child, 'exit')) as [number | null];
  if (code !== 0) throw new Error(`log copy --to ${to} ended with ${code}`);
  return seconds(began);
}

const line = (what: string, events: number, took: number): Line =>
  state(
    what,
    (took * 1_000_000) / events,
    { atMost: MAX_SECONDS },
    `${took.toFixed(1)} s for ${events.toLocaleString('en')} events, ${Math.round(events / took).toLocaleString('en')}/s, target ${MAX_SECONDS} s for 1,000,000`,
  );

async function measure(): Promise<void> {
  await withDurablePostgres(async (url) => {
    const masterKey = randomBytes(32);
    const store = await openEventStore({ url, masterKey });
    const began = performance.now();
    const events = await write(store, busyLog({ events: EVENTS }).appends);
    await store.close();
    console.log(`  written in ${seconds(began).toFixed(0)} s`);

    const server = fork(process.argv[1] ?? '', [SERVER]);
    const [eventStoreDb] = (await once(server, 'message')) as [string];
    const env = { DATABASE_URL: url, MASTER_KEY: masterKey.toString('base64') };
    try {
      const there = await copy(eventStoreDb, env);
      const back = await copy('database', { ...env, EVENT_STORE_URL: eventStoreDb });
      finish([line('log copied to EventStoreDB', events, there), line('and back', events, back)]);
    } finally {
      server.kill();
    }
  });
}

if (process.argv[2] === SERVER) {
  const { url } = await startEventStoreDb();
  process.send?.(url);
} else await measure();
