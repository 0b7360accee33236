/**
 * The leanest pipeline for the same job: node's own HTTP server, one INSERT with its NOTIFY, one upsert per event, one
 * emit. No framework, validation, session, ordering beyond the insert's, retry or history.
 */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Client, Pool } from 'pg';
import { Server } from 'socket.io';

const CONNECTIONS = 16;
const TABLES = `
  create table if not exists floor_log (
    position bigint generated always as identity primary key, stream text not null, data jsonb not null);
  create table if not exists floor_read (id text primary key, position bigint not null, view jsonb not null);`;

interface Told {
  position: string;
  stream: string;
  data: object;
}

export async function serveFloor(databaseUrl: string): Promise<void> {
  const pool = new Pool({ connectionString: databaseUrl, max: CONNECTIONS });
  // The benchmark stops the database.
  pool.on('error', () => process.exit());
  await pool.query(TABLES);
  const append = async (stream: string, data: object): Promise<void> => {
    await pool.query({
      name: 'append',
      text: `with appended as (insert into floor_log (stream, data) values ($1, $2) returning position, stream, data)
        select pg_notify('floor', row_to_json(appended)::text) from appended`,
      values: [stream, JSON.stringify(data)],
    });
  };
  const http = createServer((request, response) => {
    let body = '';
    request.on('data', (chunk: Buffer) => (body += chunk.toString()));
    request.on('end', () => {
      const { id, data } = JSON.parse(body) as { id: string; data: object };
      append(`server-${id}`, data).then(
        () => response.setHeader('content-type', 'application/json').end('{"ok":true}'),
        (error: unknown) => response.writeHead(500).end(String(error)),
      );
    });
  });
  const sockets = new Server(http, { serveClient: false, perMessageDeflate: false });
  sockets.on('connection', (socket) => void socket.join('all'));

  const listening = new Client({ connectionString: databaseUrl });
  await listening.connect();
  const projecting = new Client({ connectionString: databaseUrl });
  await projecting.connect();
  let last: Promise<unknown> = Promise.resolve();
  const project = async ({ position, stream, data }: Told): Promise<void> => {
    await projecting.query({
      name: 'project',
      text: `insert into floor_read (id, position, view) values ($1, $2, $3)
        on conflict (id) do update set position = excluded.position, view = excluded.view`,
      values: [stream, position, JSON.stringify(data)],
    });
    sockets.to('all').emit('changes', { events: [{ type: 'Changed', stream, position }], position });
  };
  listening.on('notification', ({ payload = '{}' }) => {
    const told = JSON.parse(payload) as Told;
    last = last.then(() => project(told));
  });
  await listening.query('listen floor');
  http.listen(0, '127.0.0.1', () =>
    console.log(`ready http://127.0.0.1:${(http.address() as AddressInfo).port}`),
  );
}
