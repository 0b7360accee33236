/** Parses a MySQL JDBC URL into the fields of a database. Pure. */

export interface JdbcParts {
  host: string;
  port: number;
  name: string;
  username?: string;
}

const DEFAULT_PORT = 3306;
const WRONG = { problem: 'url wrongly formatted' } as const;

/**
 * `jdbc:mysql://host:3306/name`, or `jdbc:mysql://user:password@host/name`. The specification counts the parts between
 * colons, so the URL must have a port or a user.
 */
export const readJdbcUrl = (url: string): JdbcParts | { problem: string } => {
  const [address = '', query = ''] = url.trim().split('?', 2);
  const parts = address.split(':');
  if (parts.length !== 4 && parts.length !== 5) return WRONG;
  if (parts[0] !== 'jdbc') return { problem: 'must start with jdbc' };
  if (parts[1] !== 'mysql') return { problem: 'must start with jdbc:mysql' };
  const match = /^\/\/(?:([^:@/]*):[^@/]*@)?([^:@/]+)(?::(\d+))?\/([^/]+)$/.exec(parts.slice(2).join(':'));
  if (!match) return WRONG;
  const [, user, host = '', port, name = ''] = match;
  const username = user ?? new URLSearchParams(query).get('user') ?? undefined;
  return {
    host,
    port: port === undefined ? DEFAULT_PORT : Number(port),
    name,
    ...(username !== undefined && username !== '' && { username }),
  };
};
