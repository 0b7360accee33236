/** Inspects a database: engine, size, tables, version of the data model. */
import { INSTANCES, JOURNAL } from '@quarterdeck/data-model';
import type { Answer, databases } from '@quarterdeck/contract';
import { UnknownAnswer } from './postgres-messages';
import { appliedVersion, type Target } from './target';

export type DatabaseLook = Answer<typeof databases.try>;

const own = `('${JOURNAL}', '${INSTANCES}')`;
const questions = {
  mysql: {
    server: 'select version() as version',
    size: `select coalesce(sum(data_length + index_length), 0) as bytes, coalesce(sum(table_name not in ${own}), 0) as tables
      from information_schema.tables where table_schema = database() and table_type = 'BASE TABLE'`,
    cipher: `select variable_value as cipher from information_schema.session_status where variable_name = 'Ssl_cipher'`,
  },
  postgresql: {
    server: `select current_setting('server_version') as version`,
    size: `select pg_database_size(current_database()) as bytes, (select count(*) from pg_tables
      where schemaname = current_schema() and tablename not in ${own}) as tables`,
    cipher: `select coalesce((select cipher from pg_stat_ssl where pid = pg_backend_pid()), '') as cipher`,
  },
} as const;

const isCount = (value: number): boolean => Number.isSafeInteger(value) && value >= 0;

/** @throws UnknownAnswer if the answers are not those of a database */
export async function lookInto(target: Target, startedAt: number): Promise<DatabaseLook> {
  const ask = questions[target.dialect];
  const [server] = await target.query(ask.server);
  const [size] = await target.query(ask.size);
  // MySQL and MariaDB have this table in different places.
  const [tls] = await target
    .query(ask.cipher)
    .catch(() => target.query(`show session status like 'Ssl_cipher'`));
  const said = server?.version;
  const [bytes, tables] = [Number(size?.bytes), Number(size?.tables)];
  const applied = await appliedVersion(target);
  // What answers every question in the right form may still be no database.
  if (typeof said !== 'string' || ![bytes, tables, applied].every(isCount))
    throw new UnknownAnswer('no version or size of a database');
  const isMariadb = /mariadb/i.test(said);
  const mysql = isMariadb ? 'MariaDB' : 'MySQL';
  return {
    engine: target.dialect === 'postgresql' ? 'PostgreSQL' : mysql,
    // For example `10.11.6-MariaDB-0+deb12u1` or `16.4 (Debian 16.4-1)`.
    version: /^[\d.]+/.exec(said)?.[0] ?? said,
    bytes,
    tables,
    applied,
    encrypted: Boolean(tls?.cipher ?? tls?.Value),
    tookMs: Math.round(performance.now() - startedAt),
  };
}

/** The report of a step can contain only strings. */
export const reported = (found: DatabaseLook): Record<string, string> =>
  Object.fromEntries(Object.entries(found).map(([key, value]) => [key, String(value)]));

export const foundIn = (report: Readonly<Record<string, string>>): DatabaseLook => ({
  engine: report['engine'] ?? '',
  version: report['version'] ?? '',
  bytes: Number(report['bytes']),
  tables: Number(report['tables']),
  applied: Number(report['applied']),
  encrypted: report['encrypted'] === 'true',
  tookMs: Number(report['tookMs']),
});

export const linesOf = ({
  engine,
  version,
  bytes,
  tables,
  applied,
  encrypted,
  tookMs,
}: DatabaseLook): string =>
  [
    `${engine} ${version}, ${encrypted ? 'encrypted' : 'not encrypted'}`,
    `${tables} ${tables === 1 ? 'table' : 'tables'}, ${bytes} bytes`,
    applied === 0 ? 'No version of the data model was applied.' : `Version ${applied} was applied last.`,
    `${tookMs} ms`,
    '',
  ].join('\n');
