import { mkdtempSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Pool } from 'pg';
import { v7 as uuidv7 } from 'uuid';
import { startTestPostgres, type TestPostgres } from '../../../../../testing/postgres';
import { migrate } from '../database/migrations';
import {
  FIRST_KEY_LOCK,
  MissingMasterKey,
  PLAIN_RELEASE_VARIABLE,
  PostgresVault,
  WrongMasterKey,
} from './vault';
import { KeyFile, keyFromEnvironment, masterKey, newMasterKey } from './vault-key';
import { tables } from '../../tables';

describe('the vault', () => {
  let postgres: TestPostgres;
  let pool: Pool;
  let dir: string;
  const about = { kind: 'private key', fingerprint: 'SHA256:abc' };
  const secret = '-----BEGIN OPENSSH PRIVATE KEY----- canary';

  beforeAll(async () => {
    postgres = await startTestPostgres();
  });
  beforeEach(async () => {
    pool = new Pool({ connectionString: await postgres.newDatabase() });
    dir = mkdtempSync(join(tmpdir(), 'quarterdeck-vault-'));
    await migrate(pool, tables.steps);
  });
  afterEach(async () => {
    await pool.end();
    rmSync(dir, { recursive: true });
  });
  afterAll(() => postgres.stop());

  const open = (): Promise<PostgresVault> => PostgresVault.open(pool, new KeyFile(dir));
  const name = () => ({ workspace: uuidv7(), ref: uuidv7() });

  it('returns what was stored, nothing under another name, and nothing after shredding', async () => {
    const [vault, secretName] = [await open(), name()];
    await vault.put(secretName, secret, about);
    expect(await vault.get(secretName)).toBe(secret);
    expect(await vault.get({ ...secretName, workspace: uuidv7() })).toBeUndefined();
    await vault.shred(secretName);
    expect(await vault.get(secretName)).toBeUndefined();
  });

  it('keeps a shredded secret for masking while a run is active that may print it, and gives it to nobody else', async () => {
    const [vault, secretName] = [await open(), name()];
    const lease = (run: string) =>
      pool.query(
        `insert into app.leases (name, holder, token, until) values ($1, $2, 1, clock_timestamp())`,
        [`run-${run}`, uuidv7()],
      );
    const kept = async () => (await vault.printable(secretName.workspace)).length;
    await lease('before');
    await vault.put(secretName, secret, about);
    await vault.shred(secretName);
    await lease('after');
    expect(await vault.get(secretName)).toBeUndefined();
    expect(await vault.printable(secretName.workspace)).toEqual([secretName.ref]);
    expect(await vault.get(secretName, 'alsoShredded')).toBe(secret);
    await vault.forget();
    expect(await kept()).toBe(1);
    await pool.query(`delete from app.leases where name = 'run-before'`);
    await vault.forget();
    expect(await kept()).toBe(0);
    expect((await pool.query('select from app.vault')).rowCount).toBe(0);
  });

  it('has nothing masked that is kept in it without being a secret', async () => {
    const [vault, secretName] = [await open(), name()];
    const { workspace } = secretName;
    await vault.put(secretName, secret, { kind: 'release-variable' });
    for (const kind of ['gh-username', PLAIN_RELEASE_VARIABLE])
      await vault.put({ workspace, ref: uuidv7() }, 'acme', { kind });
    expect(await vault.printable(workspace)).toEqual([secretName.ref]);
  });

  it('leaves no readable trace of a secret in the database', async () => {
    const vault = await open();
    await vault.put(name(), secret, about);
    const { rows } = await pool.query('select * from app.vault');
    expect(JSON.stringify(rows)).not.toContain('canary');
    expect(Buffer.concat([rows[0].sealed, rows[0].wrapped_key]).toString('latin1')).not.toContain('canary');
    expect(rows[0]).toMatchObject({ kind: 'private key', fingerprint: 'SHA256:abc' });
  });

  it('refuses a row that was moved to another workspace or altered', async () => {
    const [vault, secretName] = [await open(), name()];
    await vault.put(secretName, secret, about);
    const thief = uuidv7();
    await pool.query('update app.vault set workspace = $1', [thief]);
    await expect(vault.get({ ...secretName, workspace: thief })).rejects.toThrow();
    await pool.query(
      'update app.vault set workspace = $1, sealed = set_byte(sealed, 40, 255 - get_byte(sealed, 40))',
      [secretName.workspace],
    );
    await expect(vault.get(secretName)).rejects.toThrow();
  });

  it('creates a master key at the first start that only its owner can read', async () => {
    await open();
    expect(statSync(join(dir, 'master.key')).mode & 0o777).toBe(0o600);
  });

  it('has one key, even if processes with two keys open it at the same time', async () => {
    const other = await pool.connect();
    await other.query('select pg_advisory_lock($1)', [FIRST_KEY_LOCK]);
    const opening = Promise.allSettled(
      [newMasterKey(), newMasterKey()].map((text) => PostgresVault.open(pool, keyFromEnvironment(text))),
    );
    const waiting = `select from pg_stat_activity where wait_event = 'advisory' and datname = current_database()`;
    while ((await other.query(waiting)).rowCount !== 2) await sleep(5);
    await other.query('select pg_advisory_unlock($1)', [FIRST_KEY_LOCK]);
    other.release();
    const outcomes = (await opening).map(({ status }) => status);
    expect(outcomes.toSorted()).toEqual(['fulfilled', 'rejected']);
    expect((await pool.query('select from app.vault_keys')).rowCount).toBe(1);
  });

  it('does not start with another master key', async () => {
    await open();
    const other = keyFromEnvironment(newMasterKey());
    await expect(PostgresVault.open(pool, other)).rejects.toThrow(WrongMasterKey);
    await expect(PostgresVault.open(pool, other)).rejects.toThrow(
      /^MASTER_KEY gives .*DATA_DIR\/master\.key/,
    );
  });

  it('reports a missing master key, makes no other one, and opens when it is restored', async () => {
    const [vault, secretName] = [await open(), name()];
    await vault.put(secretName, secret, about);
    const file = join(dir, 'master.key');
    renameSync(file, `${file}.away`);
    await expect(open()).rejects.toThrow(MissingMasterKey);
    await expect(open()).rejects.toThrow(
      new RegExp(`^DATA_DIR=${dir} has no file master\\.key, .*; put master\\.key back .* or set MASTER_KEY`),
    );
    expect(() => statSync(file)).toThrow('ENOENT');
    renameSync(`${file}.away`, file);
    expect(await (await open()).get(secretName)).toBe(secret);
  });

  it.each([
    ['truncated', (text: string) => text.slice(0, 20)],
    ['empty', () => ''],
    ['altered', (text: string) => `!${text.slice(1)}`],
  ])('names a master key file that is %s, but not its content', async (_what, damage) => {
    await open();
    const file = join(dir, 'master.key');
    const text = readFileSync(file, 'utf8');
    writeFileSync(file, damage(text));
    const problem: unknown = await open().catch((error: unknown) => error);
    expect(problem).toMatchObject({
      exitCode: 78,
      message: expect.stringMatching(
        /^DATA_DIR=\S+ has no master key in \S+master\.key: .*; put .*MASTER_KEY/,
      ),
    });
    expect(String(problem)).not.toContain(text.slice(1, 15));
  });

  it('opens only with the new key after a rotation, while a running process finds the new key by itself', async () => {
    const [running, secretName] = [await open(), name()];
    const old = new KeyFile(dir).read();
    await running.put(secretName, secret, about);
    const file = new KeyFile(dir);
    const rotating = await PostgresVault.open(pool, file);
    const next = file.prepare(newMasterKey());
    expect(await rotating.rotate(next)).toBe(1);
    file.following(next.id);

    expect(await running.get(secretName)).toBe(secret);
    const later = name();
    await running.put(later, 'another', about);
    expect(await (await open()).get(later)).toBe('another');
    const keyText = old!.key.toString('base64');
    await expect(PostgresVault.open(pool, keyFromEnvironment(keyText))).rejects.toThrow(WrongMasterKey);
  });

  it('opens after a crash between the rotation and the new key file', async () => {
    const [file, secretName] = [new KeyFile(dir), name()];
    const vault = await open();
    await vault.put(secretName, secret, about);
    await vault.rotate(file.prepare(newMasterKey()));
    expect(await (await open()).get(secretName)).toBe(secret);
    expect(await (await open()).get(secretName)).toBe(secret);
  });

  it('does not write under a key that was rotated away, and says what to do', async () => {
    const text = newMasterKey();
    const running = await PostgresVault.open(pool, keyFromEnvironment(text));
    const rotating = await PostgresVault.open(pool, keyFromEnvironment(text));
    const before = name();
    await running.put(before, secret, about);
    await rotating.rotate(masterKey(newMasterKey()));
    const restart = { code: 'unavailable', msg: 'the master key was changed: restart with the new one' };
    await expect(running.put(name(), secret, about)).rejects.toMatchObject(restart);
    await expect(running.get(before)).rejects.toMatchObject(restart);
    expect((await pool.query('select from app.vault')).rowCount).toBe(1);
  });
});
