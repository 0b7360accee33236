/** Commands to create, connect to, dump and restore a database. Pure. */
import { creationOf, type Dialect } from '@quarterdeck/data-model';

export interface CommandTarget {
  name: string;
  host: string;
  port: number;
  username: string;
  certificate: string;
  /** Whether it has one, and not the certificate itself. */
  clientCertificate: unknown;
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

/**
 * The last word of a client of MySQL, which would take `-x` for an option. Not `--database`, which `mysqldump` does not
 * know.
 */
const mysqlDatabase = (name: string): string => (name.startsWith('-') ? `-- ${word(name)}` : word(name));

/** The last word of a client of PostgreSQL, which takes `a=b` for settings, `postgresql:` for an address. */
const postgresDatabase = (name: string): string => {
  if (!/^-|=|^postgres(ql)?:/.test(name)) return word(name);
  return word(`dbname='${name.replaceAll(/['\\]/g, String.raw`\$&`)}'`);
};

/** In the present folder, whatever the name. */
const dumpOf = (name: string): string => word(`${name.replaceAll('/', '_').replace(/^-/, '_')}.sql`);

const CERTIFICATE = 'ca.pem';
/** The client certificate with its key. Each client reads the part that it needs. */
const IDENTITY = 'client.pem';

/** The first option is MySQL's, the second MariaDB's. Each client only warns about the other one. */
const VERIFY = '--loose-ssl-mode=VERIFY_IDENTITY --loose-ssl-verify-server-cert';

const titles = { database: 'Create database', user: 'Create user', grant: 'Grant' };

/** By their titles, in order. */
const inShell: Record<Dialect, (target: CommandTarget, file: string) => Record<string, string>> = {
  mysql: ({ name, host, port, username, certificate, clientCertificate }, file) => {
    const authority = certificate === '' ? '' : ` --ssl-ca=${CERTIFICATE}`;
    const own = clientCertificate ? ` --ssl-cert=${IDENTITY} --ssl-key=${IDENTITY}` : '';
    const tls = authority + own === '' ? '' : `${authority}${own} ${VERIFY}`;
    const login = `--host=${word(host)} --port=${port} --user=${word(username)} --password${tls}`;
    const database = mysqlDatabase(name);
    return {
      Connect: `mysql ${login} ${database}`,
      Dump: `mysqldump ${login} --single-transaction --routines ${database} > ${file}`,
      Restore: `mysql ${login} ${database} < ${file}`,
    };
  },
  postgresql: ({ name, host, port, username, certificate, clientCertificate }, file) => {
    const own = clientCertificate ? `PGSSLCERT=${IDENTITY} PGSSLKEY=${IDENTITY} ` : '';
    const root = certificate === '' ? 'system' : CERTIFICATE;
    const tls = certificate + own === '' ? '' : `PGSSLMODE=verify-full PGSSLROOTCERT=${root} ${own}`;
    const login = `--host=${word(host)} --port=${port} --username=${word(username)}`;
    const database = postgresDatabase(name);
    return {
      Connect: `${tls}psql ${login} ${database}`,
      Dump: `${tls}pg_dump ${login} --clean --if-exists ${database} > ${file}`,
      // Otherwise psql goes on after an error, and succeeds.
      Restore: `${tls}psql ${login} --set=ON_ERROR_STOP=1 --single-transaction --file=${file} ${database}`,
    };
  },
};

/** @param dbType 1 MySQL, 2 PostgreSQL */
export const commandsFor = (dbType: number, target: CommandTarget, password: string): DatabaseCommand[] => {
  const dialect = dbType === 2 ? 'postgresql' : 'mysql';
  const typed = inShell[dialect](target, dumpOf(target.name));
  return [
    ...creationOf(dialect, target, password).map(({ what, sql }): DatabaseCommand => ({
      title: titles[what],
      where: 'SQL',
      text: `${sql};`,
    })),
    ...Object.entries(typed).map(([title, text]): DatabaseCommand => ({ title, where: 'shell', text })),
  ];
};
