/**
 * Reads the address of a database as people have it: a JDBC URL, a URL as cloud providers print it, or a connection
 * string of `key=value` parts. Passwords in it are dropped. Pure.
 */

export interface DatabaseParts {
  host: string;
  port: number;
  name: string;
  username?: string;
  /** Number of the type in `databaseTypes`. */
  dbType: number;
}

type Read = DatabaseParts | { problem: string };

const MYSQL = { dbType: 1, port: 3306 };
const POSTGRESQL = { dbType: 2, port: 5432 };
const ENGINES = new Map([
  ['mysql', MYSQL],
  ['mariadb', MYSQL],
  ['postgresql', POSTGRESQL],
  ['postgres', POSTGRESQL],
]);
const MAX_PORT = 65_535;

const wrong = (why: string) => ({ problem: `url wrongly formatted: ${why}` });

/** Percent signs that begin no code stay: drivers are no stricter. */
const decoded = (text: string): string => {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
};

const partsOf = (
  engine: { dbType: number; port: number },
  { host, port, name, username }: { host: string; port: string; name: string; username: string },
): Read => {
  if (host === '') return wrong('the host is missing');
  if (host.includes(',')) return wrong('it names several hosts: enter the one to connect to');
  if (!/^\d+$/.test(port) || Number(port) < 1 || Number(port) > MAX_PORT)
    return wrong(`the port must be a number from 1 to ${MAX_PORT}`);
  if (name === '') return wrong('the name of the database is missing after the host');
  if (name.includes('/')) return wrong('the name of the database contains "/"');
  return {
    host,
    port: Number(port),
    name: decoded(name),
    ...(username !== '' && { username: decoded(username) }),
    dbType: engine.dbType,
  };
};

/** `//user:password@host:port/name?user=name`. A password may contain an `@` and a `/`, a host cannot. */
const readAddress = (engine: { dbType: number; port: number }, address: string): Read => {
  const [, authorityAndName = '', query = ''] = /^\/\/([^?]*)(?:\?(.*))?$/.exec(address) ?? [];
  const at = authorityAndName.lastIndexOf('@');
  const user = authorityAndName.slice(0, Math.max(at, 0));
  const [place = '', ...path] = authorityAndName.slice(at + 1).split('/');
  const [, inBrackets, plain, port = String(engine.port)] =
    /^(?:\[([^\]]*)\]|([^:]*))(?::(.*))?$/.exec(place) ?? [];
  const username = user.split(':')[0] || new URLSearchParams(query).get('user') || '';
  return partsOf(engine, { host: inBrackets ?? plain ?? '', port, name: path.join('/'), username });
};

/** Names of the parts in connection strings of libpq, ADO.NET and ODBC. */
const KEYS = {
  host: ['host', 'hostaddr', 'server', 'data source'],
  port: ['port'],
  name: ['dbname', 'database', 'initial catalog'],
  username: ['user', 'uid', 'user id', 'username'],
} as const;

/** `host=db port=5432 dbname=shop user=app` of libpq is PostgreSQL's; `Server=db;Port=3306;Database=shop;Uid=app` tells by its port. */
const readPairs = (text: string): Read | undefined => {
  const isLibpq = !text.includes(';');
  const pairs = new Map(
    text
      .split(isLibpq ? /\s+/ : ';')
      .map((pair) => pair.split('='))
      .map(([key = '', ...value]) => [key.trim().toLowerCase(), value.join('=').trim()]),
  );
  const [host, port, name, username] = Object.values(KEYS).map((keys) =>
    keys.map((key) => pairs.get(key)).find((value) => value !== undefined),
  );
  if (host === undefined || name === undefined) return undefined;
  const engine = isLibpq || port === String(POSTGRESQL.port) ? POSTGRESQL : MYSQL;
  return partsOf(engine, { host, port: port ?? String(engine.port), name, username: username ?? '' });
};

/** `app:password@tcp(db:3306)/shop`, as Go's driver for MySQL takes it. */
const GO = /^(?:(?<user>.*)@)?tcp\((?<place>[^)]*)\)\/(?<name>[^?]*)/;

/**
 * The specification counts the parts between the colons of a JDBC URL of MySQL, so that one must have a port or a user.
 */
export const readDatabaseUrl = (typed: string): Read => {
  const url = typed.trim();
  const go = GO.exec(url)?.groups;
  if (go) return readAddress(MYSQL, `//${go['user'] ? `${go['user']}@` : ''}${go['place']}/${go['name']}`);
  const [, jdbc, scheme, address] = /^(jdbc:)?([a-z]+):(\/\/.*)$/i.exec(url) ?? [];
  const engine = ENGINES.get(scheme?.toLowerCase() ?? '');
  if (!engine || address === undefined) return (jdbc === undefined && readPairs(url)) || refused(url);
  const colons = url
    .replace(/\?.*$/, '')
    .replace(/\[[^\]]*\]/, '')
    .split(':').length;
  if (jdbc && engine === MYSQL && colons < 4)
    return wrong('expected jdbc:mysql://host:3306/name, with the port');
  return readAddress(engine, address);
};

const refused = (url: string): { problem: string } => {
  const [first, second, ...rest] = url.split(':');
  if (second === undefined) return wrong('expected jdbc:mysql://host:3306/name, with the port');
  if (first !== 'jdbc') return { problem: 'must start with jdbc, mysql:// or postgresql://' };
  if (!ENGINES.has(second)) return { problem: 'must start with jdbc:mysql, jdbc:mariadb or jdbc:postgresql' };
  return wrong(rest.length === 0 ? 'the host is missing' : `"//" is missing after jdbc:${second}:`);
};
