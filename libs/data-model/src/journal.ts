/** The console's own table in a target: which statement of which run has been carried out. */
import type { Dialect } from './sql';

export const JOURNAL = 'quarterdeck_journal';

/** `begun`: its outcome was not seen. Only MySQL has it, whose changes of structure cannot be part of a transaction. */
export interface JournalRow {
  readonly run: string;
  /** From 1. 0: the whole run is done, and the database has the version. */
  readonly sequence: number;
  readonly version: number;
  readonly label: string;
  readonly state: 'begun' | 'done';
}

const both = {
  ofRun: `select run, sequence, version, label, state from ${JOURNAL} where run = ? order by sequence`,
  /** Run, sequence, version, label, state. */
  begin: `insert into ${JOURNAL} (run, sequence, version, label, state) values (?, ?, ?, ?, ?)`,
  /** Run, sequence. */
  done: `update ${JOURNAL} set state = 'done', at = current_timestamp(6) where run = ? and sequence = ?`,
  /** Run, sequence. */
  forget: `delete from ${JOURNAL} where run = ? and sequence = ?`,
  newest: `select run from ${JOURNAL} order by place desc limit 1`,
  version: `select version, label from ${JOURNAL} where sequence = 0 order by place desc limit 1`,
};

const columns = (uuid: string): string =>
  `run ${uuid} not null, sequence int not null, version int not null, label varchar(100) not null, state varchar(5) not null`;

const mysqlLock = `concat('quarterdeck:', md5(database()))`;
const postgresqlLock = `hashtext('quarterdeck:' || current_database() || '.' || current_schema())`;

/** The label of the last row of a run, by which a database of another product is told from an own one. */
export const doneLabel = (version: number, product: string): string =>
  `version ${version} of product ${product}`;
/** `undefined`: journals of before did not say it. */
export const productIn = (label: string): string | undefined => / of product (\S+)$/.exec(label)?.[1];

/** `lock` waits for whoever holds it, as long as the session waits for any lock. One row: whether it was given. */
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
