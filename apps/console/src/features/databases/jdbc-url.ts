/** Parses a MySQL JDBC URL into the fields of a database. Pure. */

export interface JdbcParts {
  host: string;
  port: number;
  name: string;
  username?: string;
}

const DEFAULT_PORT = 3306;
const MAX_PORT = 65_535;

const wrong = (why: string) => ({ problem: `url wrongly formatted: ${why}` });

/**
 * `jdbc:mysql://host:3306/name`, or `jdbc:mysql://user:password@host/name`. The specification counts the parts between
 * colons, so the URL must have a port or a user.
 */
export const readJdbcUrl = (url: string): JdbcParts | { problem: string } => {
  const [address = '', query = ''] = url.trim().split('?', 2);
  const parts = address.split(':');
  if (parts.length < 4) return wrong('expected jdbc:mysql://host:3306/name, with the port');
  if (parts.length > 5) return wrong('it has more than four colons');
  if (parts[0] !== 'jdbc') return { problem: 'must start with jdbc' };
  if (parts[1] !== 'mysql') return { problem: 'must start with jdbc:mysql' };
  const rest = parts.slice(2).join(':');
  if (!rest.startsWith('//')) return wrong('"//" is missing after jdbc:mysql:');
  const [authority = '', ...path] = rest.slice(2).split('/');
  const name = path.join('/');
  if (name === '') return wrong('the name of the database is missing after the host');
  if (path.length > 1) return wrong('the name of the database contains "/"');
  // A password may contain an `@`, a host cannot.
  const at = authority.lastIndexOf('@');
  const [user, place] = [authority.slice(0, Math.max(at, 0)), authority.slice(at + 1)];
  const [host = '', port = String(DEFAULT_PORT), ...more] = place.split(':');
  if (host === '') return wrong('the host is missing');
  if (more.length > 0 || !/^\d+$/.test(port) || Number(port) < 1 || Number(port) > MAX_PORT)
    return wrong(`the port must be a number from 1 to ${MAX_PORT}`);
  const username = user.split(':')[0] || new URLSearchParams(query).get('user');
  return { host, port: Number(port), name, ...(username && { username }) };
};
