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
  /**
   * Presents this certificate on all connections from now on.
   *
   * @param clients PEM of the authority whose certificates its clients may present
   */
  prove(leaf: { cert: string; key: string }, clients?: string): Promise<void>;
  /** Creates a user whose certificate must have the user's name. Only MySQL asks for the password as well. */
  admit(user: string, password: string): Promise<void>;
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
    prove: (leaf, clients) => server.prove(leaf, clients),
    admit: async (user, password) => {
      const { connection } = await server.newDatabase();
      await connection.query(`create user ${user} identified by ? require subject '/CN=${user}'`, [password]);
      await connection.query(`grant all on *.* to ${user}`);
      await connection.end();
    },
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
    prove: async (leaf, clients) => {
      const client = new Client({ connectionString: server.url });
      await client.connect();
      const { rows } = await client.query<{ data_directory: string }>('show data_directory');
      const folder = rows[0]?.data_directory ?? '';
      const { uid, gid } = fs.statSync(folder);
      const files = { 'server.crt': leaf.cert, 'server.key': leaf.key };
      const more = clients === undefined ? {} : { 'clients.crt': clients };
      for (const [name, text] of Object.entries({ ...files, ...more })) {
        const file = path.join(folder, name);
        fs.writeFileSync(file, text, { mode: 0o600 });
        fs.chownSync(file, uid, gid);
      }
      await client.query('alter system set ssl = on');
      if (clients !== undefined) await client.query(`alter system set ssl_ca_file = 'clients.crt'`);
      await client.end();
      await server.restart();
    },
    admit: async (user) => {
      const client = new Client({ connectionString: server.url });
      await client.connect();
      const { rows } = await client.query<{ hba_file: string }>('show hba_file');
      const file = rows[0]?.hba_file ?? '';
      // The first line that fits counts.
      fs.writeFileSync(file, `hostssl all ${user} all cert\n${fs.readFileSync(file, 'utf8')}`);
      await client.query(`create role ${user} superuser login`);
      await client.query('select pg_reload_conf()');
      await client.end();
    },
    stop: () => server.stop(),
  };
}
