/**
 * `npm run import-check -- dump.sql …`: loads each dump into a database of its own on a real server, imports it into a data
 * model, and prints whether it came in whole, what version 1 would do to it, and whether version 1 makes the same in an
 * empty database. Needs what the tests of data models need: MariaDB, and for MySQL `MYSQL_SERVER`; and `mariadb` and `psql`.
 */
import './supported-node.mjs';
import { spawnSync } from 'node:child_process';
import path from 'node:path';
import { bundle } from './bundle.mjs';

const dumps = process.argv.slice(2).map((file) => path.resolve(file));
if (dumps.length === 0) {
  console.error('usage: npm run import-check -- dump.sql …');
  process.exit(2);
}
process.chdir(path.resolve(import.meta.dirname, '..'));
const program = await bundle('e2e/data-model/import-check.ts');
const { status } = spawnSync(process.execPath, ['--enable-source-maps', program, ...dumps], {
  stdio: 'inherit',
});
process.exitCode = status ?? 3;
