/** Commands to create, connect to, dump and restore a database. Pure. */
import { creationOf, type Dialect } from '@quarterdeck/data-model';

export interface CommandTarget {
  name: string;
  host: string;
  port: number;
  username: string;
  certificate: string;
}

export interface DatabaseCommand {
  title: string;
  /** Whether it is typed into the administrator's database client or into a shell. */
  where: 'SQL' | 'shell';
  text: string;
}

/** Quotes a word for a shell, unless it is plain. */
const word = (text: string): string =>
  /^[\w@%+=:,./-]+$/.test(text) && !text.startsWith('-')
    ? text
    : `'${text.replaceAll("'", String.raw`'\''`)}'`;

const CERTIFICATE = 'ca.pem';

/** The first option is MySQL's, the second MariaDB's. Each client only warns about the other one. */
const VERIFY = '--loose-ssl-mode=VERIFY_IDENTITY --loose-ssl-verify-server-cert';

const titles = { database: 'Create database', user: 'Create user', grant: 'Grant' };

const creation = (dialect: Dialect, target: CommandTarget, password: string): DatabaseCommand[] =>
  creationOf(dialect, target, password).map(({ what, sql }) => ({
    title: titles[what],
    where: 'SQL',
    text: `${sql};`,
  }));

const mysql = (target: CommandTarget, password: string): DatabaseCommand[] => {
  const { name, host, port, username, certificate } = target;
  const tls = certificate === '' ? '' : ` --ssl-ca=${CERTIFICATE} ${VERIFY}`;
  const login = `--host=${word(host)} --port=${port} --user=${word(username)} --password${tls}`;
  const file = word(`${name}.sql`);
  return [
    ...creation('mysql', target, password),
    { title: 'Connect', where: 'shell', text: `mysql ${login} ${word(name)}` },
    {
      title: 'Dump',
      where: 'shell',
      text: `mysqldump ${login} --single-transaction --routines ${word(name)} > ${file}`,
    },
    { title: 'Restore', where: 'shell', text: `mysql ${login} ${word(name)} < ${file}` },
  ];
};

const postgres = (target: CommandTarget, password: string): DatabaseCommand[] => {
  const { name, host, port, username, certificate } = target;
  const tls = certificate === '' ? '' : `PGSSLMODE=verify-full PGSSLROOTCERT=${CERTIFICATE} `;
  const login = `--host=${word(host)} --port=${port} --username=${word(username)}`;
  const file = word(`${name}.sql`);
  return [
    ...creation('postgresql', target, password),
    { title: 'Connect', where: 'shell', text: `${tls}psql ${login} ${word(name)}` },
    {
      title: 'Dump',
      where: 'shell',
      text: `${tls}pg_dump ${login} --clean --if-exists ${word(name)} > ${file}`,
    },
    {
      ...{ title: 'Restore', where: 'shell' },
      // Otherwise psql continues after an error, and exits successfully.
      text: `${tls}psql ${login} --set=ON_ERROR_STOP=1 --single-transaction --file=${file} ${word(name)}`,
    },
  ];
};

/** @param dbType 1 MySQL, 2 PostgreSQL */
export const commandsFor = (dbType: number, target: CommandTarget, password: string): DatabaseCommand[] =>
  (dbType === 2 ? postgres : mysql)(target, password);
