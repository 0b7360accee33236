import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { openEventStore } from '@quarterdeck/events/store';
import type { EventStore } from '@quarterdeck/log/store';
import {
  startPostgres,
  stopPostgres,
  type PostgresServer,
} from '../../apps/backend/src/platform/database/postgres-server';
import { describeEventStore } from './conformance';

// A commit reaches the operating system before it is acknowledged, so a killed server loses none. It need not reach the
// disk, since the machine keeps running.
const settings = { fsync: 'off', full_page_writes: 'off', max_connections: '60', shared_buffers: '64MB' };

const dir = fs.mkdtempSync(path.join(os.tmpdir(), 'quarterdeck-log-'));
const stores: EventStore[] = [];
let server: PostgresServer;

const start = async (): Promise<void> => {
  const port = server ? Number(new URL(server.url).port) : undefined;
  server = await startPostgres({ dir, settings, skipSync: true, ...(port === undefined ? {} : { port }) });
};

beforeAll(async () => {
  fs.chmodSync(dir, 0o755);
  await start();
});
afterAll(async () => {
  await Promise.all(stores.map((store) => store.close()));
  await stopPostgres(dir, 'immediate');
  fs.rmSync(dir, { recursive: true, force: true });
});

describeEventStore('the Postgres engine', {
  open: async () => {
    const store = await openEventStore({ url: server.url });
    stores.push(store);
    return store;
  },
  outage: {
    cut: () => stopPostgres(dir, 'immediate'),
    restore: start,
  },
});
