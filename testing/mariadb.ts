/** A real MariaDB in its own folder, without fsync. The root user has no password. */
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
  /** Uses this certificate for new connections. */
  prove(leaf: { cert: string; key: string }): Promise<void>;
  kill(): Promise<void>;
  start(): Promise<void>;
  stop(): Promise<void>;
}

export async function startTestMariadb(): Promise<TestMariadb> {
  const folder = fs.mkdtempSync(path.join(fastFolder(), 'quarterdeck-mariadb-'));
  fs.chmodSync(folder, 0o755);
  const data = path.join(folder, 'data');
  const asUser = process.getuid?.() === 0 ? ['--user=mysql'] : [];
  const installed = spawnSync(
    'mariadb-install-db',
    [
      '--no-defaults',
      ...asUser,
      `--datadir=${data}`,
      '--auth-root-authentication-method=normal',
      '--skip-test-db',
    ],
    { encoding: 'utf8' },
  );
  if (installed.status !== 0) throw new Error(`mariadb-install-db: ${installed.stdout}${installed.stderr}`);
  const port = await freePort();
  const tls = { cert: path.join(data, 'server.crt'), key: path.join(data, 'server.key') };
  let server: ChildProcess;
  const connect = (database?: string) =>
    createConnection({ host: '127.0.0.1', port, user: 'root', ...(database ? { database } : {}) });
  const start = async () => {
    server = spawn(
      'mariadbd',
      [
        '--no-defaults',
        ...asUser,
        `--datadir=${data}`,
        `--port=${port}`,
        '--bind-address=127.0.0.1',
        `--socket=${data}/socket`,
        `--pid-file=${data}/pid`,
        '--skip-log-bin',
        '--skip-name-resolve',
        '--innodb-buffer-pool-size=64M',
        '--innodb-flush-log-at-trx-commit=0',
        '--innodb-doublewrite=0',
        ...(asUser.length > 0 ? [`--tmpdir=${data}`] : []),
        ...(fs.existsSync(tls.cert) ? [`--ssl-cert=${tls.cert}`, `--ssl-key=${tls.key}`] : []),
      ],
      { stdio: ['ignore', 'ignore', fs.openSync(path.join(folder, 'log'), 'a')] },
    );
    for (const began = Date.now(); ; await pause(20)) {
      const connection = await connect().catch(() => undefined);
      if (connection) return connection.end();
      if (server.exitCode !== null || Date.now() - began > PATIENCE_MS)
        throw new Error(`MariaDB did not start: ${fs.readFileSync(path.join(folder, 'log'), 'utf8')}`);
    }
  };
  const kill = async () => {
    if (server.exitCode !== null || server.signalCode !== null) return;
    const ended = once(server, 'exit');
    server.kill('SIGKILL');
    await ended;
  };
  await start();
  return {
    port,
    newDatabase: async () => {
      const name = `test_${randomBytes(6).toString('hex')}`;
      const connection = await connect();
      await connection.query(`create database ${name}`);
      await connection.changeUser({ database: name });
      return { name, connection };
    },
    prove: async ({ cert, key }) => {
      await kill();
      fs.writeFileSync(tls.cert, cert);
      fs.writeFileSync(tls.key, key);
      await start();
    },
    kill,
    start,
    stop: async () => {
      await kill();
      fs.rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** In memory if possible, because MariaDB writes a file for every table that it creates or changes. */
const fastFolder = (): string => (fs.existsSync('/dev/shm') ? '/dev/shm' : os.tmpdir());
