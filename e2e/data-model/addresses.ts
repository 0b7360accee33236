/** Each engine, with the addresses of fresh databases as operators would type them. */
import fs from 'node:fs';
import path from 'node:path';
import { Client } from 'pg';
import type { TargetAddress } from '../../apps/backend/src/databases/target';
import { startTestMariadb, startTestMysql, type TestMariadb } from '../../testing/mariadb';
import { startTestPostgres, type TestPostgres } from '../../testing/postgres';

export interface Server {
  readonly name: 'MariaDB' | 'MySQL' | 'PostgreSQL';
  readonly dialect: TargetAddress['dialect'];
  fresh(): Promise<TargetAddress>;
  /** Ends the connections of all clients, as an administrator can. */
  disconnectAll(): Promise<void>;
  /** Kills the server, and starts it again. */
  crash(): Promise<void>;
  /** Presents this certificate on all connections from now on. */
  prove(leaf: { cert: string; key: string }): Promise<void>;
  stop(): Promise<void>;
}

/** MySQL comes last, if it is installed. */
export const startServers = async (): Promise<Server[]> => {
  const [mariadb, postgres, mysql] = await Promise.all([startTestMariadb(), postgresql(), startTestMysql()]);
  return [serverOf('MariaDB', mariadb), postgres, ...(mysql ? [serverOf('MySQL', mysql)] : [])];
};

function serverOf(name: 'MariaDB' | 'MySQL', server: TestMariadb): Server {
  return {
    name,
    dialect: 'mysql',
    fresh: async () => {
      const { name, connection } = await server.newDatabase();
      await connection.end();
      return {
        dialect: 'mysql',
        host: '127.0.0.1',
        port: server.port,
        user: 'root',
        password: '',
        database: name,
      };
    },
    disconnectAll: async () => {
      const { connection } = await server.newDatabase();
      const [rows] = await connection.query(
        'select id from information_schema.processlist where id <> connection_id()',
      );
      for (const { id } of rows as { id: number }[])
        await connection.query(`kill ${id}`).catch(() => undefined);
      await connection.end();
    },
    crash: async () => {
      await server.kill();
      await server.start();
    },
    prove: (leaf) => server.prove(leaf),
    stop: () => server.stop(),
  };
}

async function postgresql(): Promise<Server> {
  const server: TestPostgres = await startTestPostgres({ own: true });
  return {
    name: 'PostgreSQL',
    dialect: 'postgresql',
    fresh: async () => {
      const { hostname, port, username, password, pathname } = new URL(await server.newDatabase());
      return {
        dialect: 'postgresql',
        host: hostname,
        port: Number(port),
        user: username,
        password: decodeURIComponent(password),
        database: pathname.slice(1),
      };
    },
    disconnectAll: async () => {
      const client = new Client({ connectionString: server.url });
      await client.connect();
      await client.query(
        'select pg_terminate_backend(pid) from pg_stat_activity where pid <> pg_backend_pid() and datname is not null',
      );
      await client.end();
    },
    crash: () => server.restart('immediate'),
    prove: async (leaf) => {
      const client = new Client({ connectionString: server.url });
      await client.connect();
      const { rows } = await client.query<{ data_directory: string }>('show data_directory');
      const folder = rows[0]?.data_directory ?? '';
      const { uid, gid } = fs.statSync(folder);
      for (const [name, text] of Object.entries({ 'server.crt': leaf.cert, 'server.key': leaf.key })) {
        const file = path.join(folder, name);
        fs.writeFileSync(file, text, { mode: 0o600 });
        fs.chownSync(file, uid, gid);
      }
      await client.query('alter system set ssl = on');
      await client.end();
      await server.restart();
    },
    stop: () => server.stop(),
  };
}
