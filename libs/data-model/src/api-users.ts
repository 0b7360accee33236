/** The console's own tables in a target database, for the users of its generated API. Times are ISO 8601 texts in UTC. */
import type { Dialect } from './sql';

export const USERS = 'quarterdeck_users';
export const USER_SESSIONS = 'quarterdeck_user_sessions';
/** Codes that set a new password. */
export const USER_RESETS = 'quarterdeck_user_resets';
/** Their accounts with services. */
export const USER_IDENTITIES = 'quarterdeck_user_identities';
const USER_TABLES: readonly string[] = [USERS, USER_SESSIONS, USER_RESETS, USER_IDENTITIES];

/** In words, if it is one of them. */
export const usersIn = (table: string): string | undefined =>
  USER_TABLES.includes(table)
    ? `table ${table}, which belongs to the users of the generated API,`
    : undefined;

/** Names and e-mail addresses are compared by their bytes, as in PostgreSQL. */
const words = {
  mysql: {
    ascii: ' character set ascii collate ascii_bin',
    text: ' character set utf8mb4 collate utf8mb4_bin',
    end: ' engine=InnoDB',
  },
  postgresql: { ascii: '', text: '', end: '' },
} satisfies Record<Dialect, object>;

/** To be executed in this order. Those that exist stay. */
export const userTables = (dialect: Dialect): string[] => {
  const { ascii, text, end } = words[dialect];
  const uuid = `varchar(36)${ascii}`;
  const time = `varchar(24)${ascii}`;
  return [
    `create table if not exists ${USERS} (
      id ${uuid} not null primary key, instance ${uuid} not null, email varchar(254)${text} not null,
      password_hash varchar(200)${ascii}, permission varchar(10)${ascii} not null, tenant varchar(100)${text},
      added_at ${time} not null, signed_in_at ${time}, locked_at ${time}, unique (instance, email))${end}`,
    `create table if not exists ${USER_SESSIONS} (
      token_hash varchar(64)${ascii} not null primary key, user_id ${uuid} not null,
      added_at ${time} not null, expires_at ${time} not null,
      foreign key (user_id) references ${USERS} (id) on delete cascade)${end}`,
    `create table if not exists ${USER_RESETS} (
      token_hash varchar(64)${ascii} not null primary key, user_id ${uuid} not null, expires_at ${time} not null,
      foreign key (user_id) references ${USERS} (id) on delete cascade)${end}`,
    `create table if not exists ${USER_IDENTITIES} (
      identity varchar(64)${ascii} not null primary key, user_id ${uuid} not null,
      service varchar(20)${ascii} not null, added_at ${time} not null,
      foreign key (user_id) references ${USERS} (id) on delete cascade)${end}`,
    ...(dialect === 'postgresql'
      ? [USER_SESSIONS, USER_RESETS, USER_IDENTITIES].map(
          (table) => `create index if not exists ${table}_of on ${table} (user_id)`,
        )
      : []),
  ];
};
