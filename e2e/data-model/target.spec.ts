// covers: DB-01
/** Connections to the databases of products: over TLS, through SSH, on a real MariaDB and a real PostgreSQL. */
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';

import { databaseFailure } from '../../apps/backend/src/databases/database-failure';
import { isLost } from '../../apps/backend/src/databases/lost-connection';
import {
  appliedVersion,
  openTarget,
  type Patience,
  socketTo,
  type Target,
  type TargetAddress,
} from '../../apps/backend/src/databases/target';
import { commandsFor } from '../../apps/console/src/features/databases/database-commands';
import { startSshd, type Sshd } from '../../testing/sshd';
import { testAuthority } from '../../testing/test-authority';
import { poolThatSees, rejection, targetOf } from '../ssh/targets';
import { startServers, type Server } from './addresses';
import { readStructure } from './read-structure';

const DAY_MS = 86_400_000;
const lasting = { notBefore: new Date(Date.now() - DAY_MS), notAfter: new Date(Date.now() + DAY_MS) };

let servers: Server[];
let sshd: Sshd;
beforeAll(async () => {
  [servers, sshd] = await Promise.all([startServers(), startSshd({ config: ['PermitOpen 127.0.0.1:*'] })]);
});
afterAll(() => Promise.all([...(servers ?? []), sshd].map((server) => server?.stop())));

const cipher = {
  mysql: `show session status like 'Ssl_cipher'`,
  postgresql: 'select cipher as "Value" from pg_stat_ssl where pid = pg_backend_pid()',
};

async function cipherOf(address: TargetAddress): Promise<unknown> {
  const target = await openTarget(address);
  const [row] = await target.query(cipher[target.dialect]);
  await target.end();
  return row?.Value;
}

/** Runs a command that the console shows, with the password that it would ask for. @returns its result and the dump */
function typed(task: 'Dump' | 'Restore', address: TargetAddress, file = '') {
  const { dialect, host, port, user, password, database: name, certificate = '', identity = '' } = address;
  const shown = { name, host, port, username: user, certificate, clientCertificate: identity };
  const commands = commandsFor(dialect === 'mysql' ? 1 : 2, shown, password);
  const { text } = commands.find(({ title }) => title === task)!;
  const cwd = fs.mkdtempSync(path.join(os.tmpdir(), 'quarterdeck-dump-'));
  const dump = path.join(cwd, `${name}.sql`);
  fs.writeFileSync(path.join(cwd, 'ca.pem'), certificate);
  fs.writeFileSync(path.join(cwd, 'client.pem'), identity.replace('-----BEGIN PRIVATE', '\n$&'), {
    mode: 0o600,
  });
  fs.writeFileSync(dump, file);
  const { status, stderr } = spawnSync(
    'sh',
    ['-c', text.replace(' --password ', ` --password=${password} `)],
    {
      cwd,
      encoding: 'utf8',
      env: { ...process.env, PGPASSWORD: password },
    },
  );
  const left = fs.readFileSync(dump, 'utf8');
  fs.rmSync(cwd, { recursive: true });
  return { status, stderr, dump: left };
}

it('uses TLS if a certificate is given, and only with the server that the certificate proves', async () => {
  const [ours, other] = await Promise.all([testAuthority('Ours'), testAuthority('Other')]);
  const [here, elsewhere] = await Promise.all([
    ours.leaf({ names: ['localhost'], ...lasting }),
    ours.leaf({ names: ['db.example.com'], ...lasting }),
  ]);
  for (const server of servers) {
    const address = { ...(await server.fresh()), host: 'localhost' };
    await server.prove(here);
    expect(await cipherOf({ ...address, certificate: ours.root })).toMatch(/^TLS_/);
    await expect(cipherOf({ ...address, certificate: other.root })).rejects.toThrow(/certificate/);
    const { dump, stderr } = typed('Dump', { ...address, certificate: ours.root });
    // A pg_dump older than the server refuses to dump, but only after it has connected.
    expect(dump || stderr).toMatch(/ dump|server version mismatch/i);
    expect(typed('Dump', { ...address, certificate: other.root })).toMatchObject({
      dump: '',
      stderr: expect.stringMatching(/(TLS|SSL) error|certificate verify failed/),
    });
    await server.prove(elsewhere);
    await expect(cipherOf({ ...address, certificate: ours.root })).rejects.toThrow(/altnames/);
  }
});

it('shows a client certificate to a server that asks for one', async () => {
  const [ours, other] = await Promise.all([testAuthority('Ours'), testAuthority('Other')]);
  const here = await ours.leaf({ names: ['localhost'], ...lasting });
  const certified = { names: ['certified'], ...lasting, isClient: true };
  const [client, stranger] = [await ours.leaf(certified), await other.leaf(certified)];
  const identity = client.cert + client.key;
  for (const server of servers) {
    await server.prove(here, ours.root);
    await server.admit('certified', '');
    const fresh = { ...(await server.fresh()), host: 'localhost', user: 'certified', password: '' };
    const address = { ...fresh, certificate: ours.root };
    expect(await cipherOf({ ...address, identity })).toMatch(/^TLS_/);
    const { dump, stderr } = typed('Dump', { ...address, identity });
    expect(dump || stderr).toMatch(/ dump|server version mismatch/i);
    const without = await failureOf(address);
    expect(without.msg).toContain('client certificate');
    const wrong = await failureOf({ ...address, identity: stranger.cert + stranger.key });
    expect(wrong).toMatchObject({
      field: 'clientCertificate',
      msg: expect.stringContaining('does not accept this client certificate'),
    });
    // Without a certificate of the server, only the authorities that everybody trusts can prove it.
    expect(await failureOf({ ...fresh, identity })).toMatchObject({
      field: 'certificate',
      msg: expect.stringContaining('Enter the certificate of its authority'),
    });
  }
});

it('restores a dump by the command that is shown, or reports that it could not', async () => {
  for (const server of servers) {
    const [from, to] = [await server.fresh(), await server.fresh()];
    const [source, target] = [await openTarget(from), await openTarget(to)];
    await source.query('create table author (name varchar(9))');
    await source.query(`insert into author values ('Ada')`);
    const text =
      server.dialect === 'mysql'
        ? typed('Dump', from).dump
        : `create table author (name varchar(9));\nCOPY author FROM stdin;\nAda\n\\.\n`;
    const wrong = typed('Restore', to, `insert into nowhere values (1);\n${text}`);
    expect(wrong).toMatchObject({ stderr: expect.stringContaining('nowhere') });
    expect(wrong.status).not.toBe(0);
    expect((await readStructure(target)).tables).toEqual([]);
    expect(typed('Restore', to, text)).toMatchObject({ status: 0 });
    expect(await target.query('select name from author')).toEqual([{ name: 'Ada' }]);
    await Promise.all([source.end(), target.end()]);
  }
});

it("checks a server's certificate against its IP address if it is reached by that", async () => {
  const ours = await testAuthority('Ours');
  const byAddress = await ours.leaf({ names: ['127.0.0.1'], ...lasting });
  const byName = await ours.leaf({ names: ['localhost'], ...lasting });
  for (const server of servers) {
    const address = { ...(await server.fresh()), certificate: ours.root };
    expect(address.host).toBe('127.0.0.1');
    await server.prove(byAddress);
    expect(await cipherOf(address)).toMatch(/^TLS_/);
    await server.prove(byName);
    await expect(cipherOf(address)).rejects.toThrow(/altnames/);
  }
});

it('goes through a server by SSH, with TLS to the database, and closes with the connection', async () => {
  const ours = await testAuthority('Ours');
  const leaf = await ours.leaf({ names: ['127.0.0.1'], ...lasting });
  const { pool } = poolThatSees();
  const through = await targetOf(sshd);
  const connect: TargetAddress['connect'] = (to) => pool.forward(through, to);
  const open: Target[] = [];
  for (const server of servers) {
    await server.prove(leaf);
    const address = { ...(await server.fresh()), connect, certificate: ours.root };
    expect(await cipherOf(address)).toMatch(/^TLS_/);
    open.push(await openTarget(address));
  }
  const failing = (host: string) => rejection(pool.forward(through, { host, port: 1 }));
  expect(await failing('127.0.0.1')).toMatchObject({
    code: 'forwardFailed',
    msg: expect.stringContaining('could not connect to 127.0.0.1 port 1'),
  });
  expect(await failing('127.0.0.2')).toMatchObject({
    code: 'forwardRefused',
    msg: expect.stringContaining('AllowTcpForwarding'),
  });
  await pool.close();
  for (const target of open) {
    expect(isLost(await rejection(target.query('select 1')))).toBe(true);
    target.destroy();
  }
});

it("makes MySQL refuse values that do not fit, even if the server's own mode accepts them", async () => {
  const address = await (servers.find(({ dialect }) => dialect === 'mysql') as Server).fresh();
  const administrator = await openTarget(address);
  const [was] = await administrator.query('select @@global.sql_mode as mode');
  await administrator.query(`set global sql_mode = 'NO_BACKSLASH_ESCAPES'`);
  const target = await openTarget(address);
  await administrator.query('set global sql_mode = ?', [was?.mode]);
  await administrator.end();
  await target.query('create table author (age varchar(9))');
  await target.query('insert into author values (?)', ['a\\b']);
  expect(await target.query('select age from author')).toEqual([{ age: 'a\\b' }]);
  await expect(target.query('alter table author modify column age int')).rejects.toThrow(
    /Incorrect|Truncated/,
  );
  await target.end();
});

it('finds no version in a database that nothing was applied to', async () => {
  for (const server of servers) {
    const target = await openTarget(await server.fresh());
    expect(await appliedVersion(target)).toBe(0);
    await target.end();
  }
});

const failureOf = async (address: TargetAddress, patience?: Patience) => {
  const { host, port, user, database, dialect, certificate, identity } = address;
  const type = { mysql: 'MySQL', postgresql: 'PostgreSQL' }[dialect];
  const error = await rejection(openTarget(address, patience));
  const [hasCertificate, hasIdentity] = [certificate !== undefined, identity !== undefined];
  const tried = { host, port, username: user, name: database, type };
  const isEncrypted = hasCertificate || hasIdentity;
  return databaseFailure(error, { ...tried, isEncrypted, hasCertificate, hasIdentity });
};

it('says which field is wrong when a database cannot be opened', async () => {
  const certificate = (await testAuthority('Ours')).root;
  for (const server of servers) {
    const address = await server.fresh();
    const failing = async (changed: Partial<TargetAddress>, field: string, words: RegExp) => {
      const failure = await failureOf({ ...address, ...changed });
      expect(failure).toMatchObject({ code: 'upstream', field, data: { [field]: failure.msg } });
      expect(failure.msg).toMatch(words);
    };
    await failing({ user: 'nobody', password: 'wrong' }, 'password', /refused the user nobody/);
    await failing({ database: 'missing' }, 'name', /has no database missing/);
    await failing({ port: 1 }, 'port', /Nothing listens at 127\.0\.0\.1 port 1/);
    await failing({ host: 'nowhere.invalid' }, 'host', /name nowhere\.invalid could not be found/);
    await failing({ certificate: 'no certificate' }, 'certificate', /encrypt/);
    await failing({ certificate }, 'certificate', /encrypt/);
  }
  const [mysql, postgresql] = servers;
  if (!mysql || !postgresql) throw new Error('two engines are needed');
  const atMysql = { ...(await postgresql.fresh()), port: (await mysql.fresh()).port };
  expect(await failureOf(atMysql)).toMatchObject({ field: 'dbType' });
  // A PostgreSQL server waits for the client to speak first, as a MySQL client waits for the server.
  const socket = await socketTo(await postgresql.fresh(), 10_000);
  const atPostgresql = { ...(await mysql.fresh()), connect: () => Promise.resolve(socket) };
  const silent = await failureOf(atPostgresql, { connectMs: 100, lockMs: 1000 });
  expect(silent).toMatchObject({
    field: 'port',
    msg: expect.stringContaining('did not answer as MySQL does'),
  });
});

it('does not read the structure of a database with more columns than a model may have', async () => {
  const postgresql = servers.find(({ dialect }) => dialect === 'postgresql');
  if (!postgresql) throw new Error('PostgreSQL is needed');
  const target = await openTarget(await postgresql.fresh());
  const columns = Array.from({ length: 1501 }, (_, at) => `c${at} boolean`).join(', ');
  for (let table = 0; table < 20; table += 1) await target.query(`create table t${table} (${columns})`);
  await expect(readStructure(target)).rejects.toMatchObject({
    code: 'unprocessable',
    msg: 'the database has 30020 columns, and at most 30000 can be compared with a data model',
  });
  await target.query('drop table t0');
  expect((await readStructure(target)).tables).toHaveLength(19);
  await target.end();
});
