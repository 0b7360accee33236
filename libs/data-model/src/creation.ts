/** The statements that create a database and its owner. An administrator of the server must run them. */
import { quoted } from './quoted';
import { textIn, type Dialect } from './sql';

export interface NewDatabase {
  readonly name: string;
  readonly username: string;
}

/** Steps run in the returned order, which differs between the dialects. */
export interface CreationStep {
  readonly what: 'user' | 'database' | 'grant';
  readonly sql: string;
  /** SQL that reverts the step. A grant needs none, because it is dropped with its user. */
  readonly undo?: string;
}

export const creationOf = (
  dialect: Dialect,
  { name, username }: NewDatabase,
  password: string,
): CreationStep[] => {
  const text = textIn[dialect];
  const database = quoted(name, dialect);
  const undoDatabase = `DROP DATABASE ${database}`;
  if (dialect === 'mysql') {
    const user = `${text(username)}@'%'`;
    // In a grant, `_` and `%` are wildcards, and `\` escapes them: `a\b` would be the database `ab`.
    const pattern = quoted(name.replaceAll(/[\\_%]/g, String.raw`\$&`), dialect);
    return [
      { what: 'database', sql: `CREATE DATABASE ${database} CHARACTER SET utf8mb4`, undo: undoDatabase },
      {
        what: 'user',
        sql: `CREATE USER ${user} IDENTIFIED BY ${text(password)}`,
        undo: `DROP USER ${user}`,
      },
      { what: 'grant', sql: `GRANT ALL PRIVILEGES ON ${pattern}.* TO ${user}` },
    ];
  }
  const user = quoted(username, dialect);
  return [
    { what: 'user', sql: `CREATE USER ${user} WITH PASSWORD ${text(password)}`, undo: `DROP USER ${user}` },
    { what: 'database', sql: `CREATE DATABASE ${database} OWNER ${user}`, undo: undoDatabase },
    { what: 'grant', sql: `GRANT ALL PRIVILEGES ON DATABASE ${database} TO ${user}` },
  ];
};

/** One row for each that already exists: `kind` is `database` or `user`. The parameters are the two names. */
export const existing: Record<Dialect, string> = {
  mysql: `select 'database' as kind from information_schema.schemata where schema_name = ?
    union all select 'user' from mysql.user where user = ? and host = '%'`,
  postgresql: `select 'database' as kind from pg_database where datname = ?
    union all select 'user' from pg_roles where rolname = ?`,
};
