/** Runs the server with the port and the data folder of the real one's image, so that its log survives a restart. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { connect, createServer } from 'node:net';
import { deserialize, serialize } from 'node:v8';
import { EventLog, type StoredEvent } from './event-log';
import { startEventStoreDb } from './server';

const PORT = 2113;
const FILE = '/var/lib/eventstore/log';

const main = async (): Promise<void> => {
  const kept = existsSync(FILE) ? (deserialize(readFileSync(FILE)) as StoredEvent[]) : [];
  const { url, log } = await startEventStoreDb({ log: new EventLog(kept) });
  process.once('SIGTERM', () => {
    writeFileSync(FILE, serialize(log.events));
    process.exit();
  });
  createServer((outer) => {
    const inner = connect(Number(/:(\d+)\?/.exec(url)?.[1]));
    outer.on('error', () => inner.destroy()).pipe(inner);
    inner.on('error', () => outer.destroy()).pipe(outer);
  }).listen(PORT);
};

void main();
