/** The console's own table in a target database. It records which statements of a run were executed. */
import type { Dialect } from './sql';

export const JOURNAL = 'quarterdeck_journal';

/** `begun`: the outcome is unknown. Occurs only in MySQL, where DDL cannot be part of a transaction. */
export interface JournalRow {
  readonly run: string;
  /** Number of the statement, from 1. 0: the run is complete, and the database has the version. */
  readonly sequence: number;
  readonly version: number;
  readonly label: string;
  readonly state: 'begun' | 'done';
}

const both = {
  ofRun: `select run, sequence, version, label, state from ${JOURNAL} where run = ? order by sequence`,
  /** Parameters: run, sequence, version, label, state. */
  begin: `insert into ${JOURNAL} (run, sequence, version, label, state) values (?, ?, ?, ?, ?)`,
  /** Parameters: run, sequence. */
  done: `update ${JOURNAL} set state = 'done', at = current_timestamp(6) where run = ? and sequence = ?`,
  /** Parameters: run, sequence. */
  forget: `delete from ${JOURNAL} where run = ? and sequence = ?`,
  newest: `select run from ${JOURNAL} order by place desc limit 1`,
  version: `select version, label from ${JOURNAL} where sequence = 0 order by place desc limit 1`,
};

const columns = (uuid: string): string =>
  `run ${uuid} not null, sequence int not null, version int not null, label varchar(100) not null, state varchar(5) not null`;

/** MySQL 9.6 and newer have no MD5(). The name of a lock has at most 64 characters. */
const mysqlLock = `concat('quarterdeck:', left(sha2(database(), 256), 32))`;
const postgresqlLock = `hashtext('quarterdeck:' || current_database() || '.' || current_schema())`;

/** Label of a run's last row. It identifies the product that the database belongs to. */
export const doneLabel = (version: number, product: string): string =>
  `version ${version} of product ${product}`;
/** `undefined` for old journals, whose labels do not name the product. */
export const productIn = (label: string): string | undefined => / of product (\S+)$/.exec(label)?.[1];

/** `lock` waits for the lock, up to the session's lock timeout. It returns one row: whether the lock was acquired. */
export const journal = {
  mysql: {
    ...both,
    create: `create table if not exists ${JOURNAL} (
      place bigint not null auto_increment primary key, ${columns('char(36) character set ascii')},
      at datetime(6) not null default current_timestamp(6), unique key (run, sequence)) engine=InnoDB`,
    exists: `select count(*) as found from information_schema.tables where table_schema = database() and table_name = '${JOURNAL}'`,
    lock: `select get_lock(${mysqlLock}, @@session.lock_wait_timeout) as given`,
    unlock: `select release_lock(${mysqlLock}) as given`,
  },
  postgresql: {
    ...both,
    create: `create table if not exists ${JOURNAL} (
      place bigint generated always as identity primary key, ${columns('uuid')},
      at timestamptz not null default now(), unique (run, sequence))`,
    exists: `select count(*) as found from pg_class where relname = '${JOURNAL}' and relnamespace = current_schema()::regnamespace`,
    lock: `select pg_advisory_lock(${postgresqlLock}) is not null as given`,
    unlock: `select pg_advisory_unlock(${postgresqlLock}) as given`,
  },
} satisfies Record<Dialect, object>;
