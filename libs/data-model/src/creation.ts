/** The statements that create a database and the user who owns it. An administrator of the server runs them. */
import { quoted, type Dialect } from './sql';

export interface NewDatabase {
  readonly name: string;
  readonly username: string;
}

/** In the order in which they have to run, which differs between the dialects. */
export interface CreationStep {
  readonly what: 'user' | 'database' | 'grant';
  readonly sql: string;
  /** Takes it back. A grant goes with its user. */
  readonly undo?: string;
}

/** MySQL: `\` quotes in a text, unless the session has the mode NO_BACKSLASH_ESCAPES. */
const textIn: Record<Dialect, (value: string) => string> = {
  mysql: (value) => `'${value.replaceAll(/['\\]/g, (one) => `\\${one}`)}'`,
  postgresql: (value) => `'${value.replaceAll("'", "''")}'`,
};

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
    // In a grant, `_` and `%` stand for other characters.
    const pattern = quoted(name.replaceAll(/[_%]/g, String.raw`\$&`), dialect);
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

/** One row if it exists already: `kind` is `database` or `user`. The parameters are the two names. */
export const existing: Record<Dialect, string> = {
  mysql: `select 'database' as kind from information_schema.schemata where schema_name = ?
    union all select 'user' from mysql.user where user = ? and host = '%'`,
  postgresql: `select 'database' as kind from pg_database where datname = ?
    union all select 'user' from pg_roles where rolname = ?`,
};
