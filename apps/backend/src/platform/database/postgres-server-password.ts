/**
 * The password of the embedded Postgres, and whether its cluster still exists. If one of the two is missing, it is
 * never created again: a new password would open nothing, and a new cluster would hide the loss.
 */
import { randomBytes } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { replaceFile } from './durable-file';
import { StartProblem, WRONG_ENVIRONMENT } from '../start-problem';

export const isMade = (data: string): boolean => fs.existsSync(path.join(data, 'PG_VERSION'));

/** @throws StartProblem */
export function readOrMakePassword({ home, data }: { home: string; data: string }): string {
  const file = path.join(home, 'postgres.password');
  const isThere = fs.existsSync(file);
  const password = isThere ? fs.readFileSync(file, 'utf8').trim() : '';
  const missing = (wrong: string, remedy: string): StartProblem =>
    new StartProblem({ variable: 'DATA_DIR', value: home }, { wrong, remedy, exitCode: WRONG_ENVIRONMENT });
  if (isMade(data)) {
    if (password !== '') return password;
    const wrong = `has no password for its database: ${file} is ${isThere ? 'empty' : 'missing'}`;
    throw missing(wrong, 'put postgres.password back from a backup of that folder');
  }
  const port = path.join(home, 'postgres.port');
  // This file is written after a server has started. A first start that was killed before that may be repeated.
  if (fs.existsSync(port))
    throw missing(
      `had a database, and ${data} is missing or empty`,
      `put it back from a backup, or remove ${port} to begin with an empty one`,
    );
  if (password !== '') return password;
  const made = randomBytes(24).toString('hex');
  replaceFile(file, `${made}\n`);
  return made;
}
