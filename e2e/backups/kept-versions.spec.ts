/**
 * Data folders of released versions, each with an archive in it, made by `scripts/keep-version.mjs`: the current code
 * starts on each of them, and restores its archive.
 */
// covers: BAK-03
import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { brotliDecompressSync, constants } from 'node:zlib';
import { Client } from 'pg';
import { serverAccount } from '../../apps/backend/src/platform/database/postgres-server-host';
import { startPostgres, stopPostgres } from '../../apps/backend/src/platform/database/postgres-server';
import { VERSION } from '../../apps/backend/src/platform/version';
import { runCommand, runHere, signIn, spawnBackend } from '../../testing/backend';

const kept = path.join(__dirname, 'versions');
const versions = fs.readdirSync(kept).map((name) => name.replace('.tar.br', ''));
const root = fs.mkdtempSync(path.join(os.tmpdir(), 'quarterdeck-kept-'));
// When root runs this, Postgres runs as another user, who must be able to reach the folder.
fs.chmodSync(root, 0o755);
afterAll(() => fs.rmSync(root, { recursive: true, force: true }));

/** Unpacks the folder as the version left it, with the owner that Postgres requires. */
const unpacked = (version: string): string => {
  const dataDir = path.join(root, version);
  fs.mkdirSync(dataDir);
  const packed = fs.readFileSync(path.join(kept, `${version}.tar.br`));
  const params = { [constants.BROTLI_DECODER_PARAM_LARGE_WINDOW]: 1 };
  execFileSync('tar', ['-C', dataDir, '-xf', '-'], { input: brotliDecompressSync(packed, { params }) });
  const { uid, gid } = serverAccount();
  if (uid !== undefined) execFileSync('chown', ['-R', `${uid}:${gid}`, path.join(dataDir, 'postgres')]);
  return dataDir;
};

const productsOf = async (dataDir: string): Promise<string[]> => {
  const console = await spawnBackend({ dataDir, env: { BACKUPS: 'on' } });
  try {
    const who = await signIn(console.url, console.signInLink);
    const { body } = await who.post<{ name: string }[]>('product/list');
    return body.map(({ name }) => name).sort();
  } finally {
    await console.stop();
  }
};

it('has a folder of this version, which is part of every release', () => {
  expect(versions).toContain(VERSION);
});

it.each(versions)('starts on a folder of version %s, and restores its archive', async (version) => {
  const dataDir = unpacked(version);
  expect(await productsOf(dataDir)).toEqual(['Kept product', 'Later product']);
  const archives = fs.readdirSync(path.join(dataDir, 'backups')).sort();
  const restored = path.join(root, `${version}-restored`);
  fs.mkdirSync(restored, { mode: 0o755 });
  fs.copyFileSync(path.join(dataDir, 'master.key'), path.join(restored, 'master.key'));
  const done = await runCommand(['restore', path.join(dataDir, 'backups', archives[0]!)], {
    dataDir: restored,
  });
  expect(done).toMatchObject({ code: 0 });
  expect(await productsOf(restored)).toEqual(['Kept product']);
  const verified = await runHere(['projections', 'verify'], { dataDir: restored });
  expect([version, verified.code]).toEqual([version, 0]);
  // As if a newer version had used the folder.
  const { url } = await startPostgres({ dir: restored });
  const client = new Client({ connectionString: url });
  await client.connect();
  await client.query(`insert into app.migrations (name) values ('999-of-later')`);
  await client.end();
  await stopPostgres(restored, 'fast');
  const refused = await runHere(['projections', 'status'], { dataDir: restored });
  expect(refused).toMatchObject({ code: 78, stdout: '' });
  expect(refused.stderr).toMatch(/^DATA_DIR=\S+ was last used by a newer version of the console: .*\n$/);
});
