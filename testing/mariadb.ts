/** A real MariaDB or MySQL in its own folder, without fsync. The root user has no password. */
import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { createConnection, type Connection } from 'mysql2/promise';
import { freePort } from './free-port';
import { PATIENCE_MS } from './patience';

export interface TestMariadb {
  readonly port: number;
  /** Creates an empty database, and connects to it. */
  newDatabase(): Promise<{ name: string; connection: Connection }>;
  /** Uses this certificate for new connections. @param clients PEM of the authority of its clients' certificates */
  prove(leaf: { cert: string; key: string }, clients?: string): Promise<void>;
  kill(): Promise<void>;
  start(): Promise<void>;
  stop(): Promise<void>;
}

/** How to start a server of one of the two products. */
interface Product {
  readonly name: string;
  readonly program: string;
  /** Creates the data folder. */
  readonly install: readonly [program: string, ...options: string[]];
  /** Statements of the installation. */
  readonly first: string;
  readonly options: readonly string[];
}

const MARIADB: Product = {
  name: 'MariaDB',
  program: 'mariadbd',
  install: [
    'mariadb-install-db',
    '--no-defaults',
    '--auth-root-authentication-method=normal',
    '--skip-test-db',
  ],
  first: '',
  options: ['--skip-log-bin'],
};

const MYSQL = (program: string): Product => ({
  name: 'MySQL',
  program,
  install: [program, '--no-defaults', '--initialize-insecure'],
  // Otherwise root is only known by a socket: the server looks up no names.
  first: `create user root@'127.0.0.1'; grant all on *.* to root@'127.0.0.1' with grant option;`,
  options: ['--disable-log-bin', '--mysqlx=OFF', '--secure-file-priv=NULL'],
});

/** Where MariaDB is installed, `mysqld` is another name of it. `MYSQL_SERVER` names a server that is not in the path. */
const mysqlProgram = (): string | undefined => {
  const program = process.env.MYSQL_SERVER ?? 'mysqld';
  const { status, stdout } = spawnSync(program, ['--version'], { encoding: 'utf8' });
  if (status === 0 && !stdout.includes('MariaDB')) return program;
  if (process.env.MYSQL_SERVER !== undefined) throw new Error(`MYSQL_SERVER is no MySQL server: ${program}`);
  return undefined;
};

/** @param options more options of the server, which its data folder is created with as well */
export const startTestMariadb = (options: readonly string[] = []): Promise<TestMariadb> =>
  start(MARIADB, options);

/** `undefined` if no MySQL server is installed. */
export const startTestMysql = async (options: readonly string[] = []): Promise<TestMariadb | undefined> => {
  const program = mysqlProgram();
  if (program === undefined) return undefined;
  return start(MYSQL(program), options);
};

export const hasMysql = (): boolean => mysqlProgram() !== undefined;

async function start(product: Product, options: readonly string[]): Promise<TestMariadb> {
  const folder = fs.mkdtempSync(path.join(fastFolder(), 'quarterdeck-mariadb-'));
  fs.chmodSync(folder, 0o755);
  const data = path.join(folder, 'data');
  const asUser = process.getuid?.() === 0 ? ['--user=mysql'] : [];
  const [program, ...words] = product.install;
  const first = path.join(folder, 'first.sql');
  fs.writeFileSync(first, product.first);
  const installed = spawnSync(
    program,
    [
      ...words,
      ...asUser,
      ...options,
      ...(product.first === '' ? [] : [`--init-file=${first}`]),
      `--datadir=${data}`,
    ],
    { encoding: 'utf8' },
  );
  if (installed.status !== 0) throw new Error(`${program}: ${installed.stdout}${installed.stderr}`);
  const port = await freePort();
  const tls = { cert: path.join(data, 'server.crt'), key: path.join(data, 'server.key') };
  const authority = path.join(data, 'clients.crt');
  let server: ChildProcess;
  const connect = (database?: string) =>
    createConnection({ host: '127.0.0.1', port, user: 'root', ...(database ? { database } : {}) });
  const begin = async () => {
    server = spawn(
      product.program,
      [
        '--no-defaults',
        ...asUser,
        `--datadir=${data}`,
        `--port=${port}`,
        '--bind-address=127.0.0.1',
        `--socket=${data}/socket`,
        `--pid-file=${data}/pid`,
        ...product.options,
        ...options,
        '--skip-name-resolve',
        '--innodb-buffer-pool-size=64M',
        '--innodb-flush-log-at-trx-commit=0',
        '--innodb-doublewrite=0',
        ...(asUser.length > 0 ? [`--tmpdir=${data}`] : []),
        ...(fs.existsSync(tls.cert) ? [`--ssl-cert=${tls.cert}`, `--ssl-key=${tls.key}`] : []),
        ...(fs.existsSync(authority) ? [`--ssl-ca=${authority}`] : []),
      ],
      { stdio: ['ignore', 'ignore', fs.openSync(path.join(folder, 'log'), 'a')] },
    );
    for (const began = Date.now(); ; await pause(20)) {
      const connection = await connect().catch(() => undefined);
      if (connection) return connection.end();
      if (server.exitCode !== null || Date.now() - began > PATIENCE_MS)
        throw new Error(
          `${product.name} did not start: ${fs.readFileSync(path.join(folder, 'log'), 'utf8')}`,
        );
    }
  };
  const kill = async () => {
    if (server.exitCode !== null || server.signalCode !== null) return;
    const ended = once(server, 'exit');
    server.kill('SIGKILL');
    await ended;
  };
  await begin();
  return {
    port,
    newDatabase: async () => {
      const name = `test_${randomBytes(6).toString('hex')}`;
      const connection = await connect();
      await connection.query(`create database ${name}`);
      await connection.changeUser({ database: name });
      return { name, connection };
    },
    prove: async ({ cert, key }, clients) => {
      await kill();
      if (clients !== undefined) fs.writeFileSync(authority, clients);
      fs.writeFileSync(tls.cert, cert);
      fs.writeFileSync(tls.key, key);
      await begin();
    },
    kill,
    start: begin,
    stop: async () => {
      await kill();
      fs.rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** In memory if possible, because MariaDB writes a file for every table that it creates or changes. */
const fastFolder = (): string => (fs.existsSync('/dev/shm') ? '/dev/shm' : os.tmpdir());
