/**
 * Checks the address of a log before anything is opened. EventStoreDB's client accepts one form of it, drops parts that
 * it does not know, and prints the whole address, including credentials, in its messages. So the client gets only valid
 * addresses. Pure.
 */

export interface LogNode {
  host: string;
  port: number;
}

export interface LogAddress {
  engine: 'postgres' | 'eventstoredb';
  /** In the form that the engine's driver takes. */
  url: string;
  /** The nodes of the log. The client can connect to any of them. */
  nodes: LogNode[];
  /** EventStoreDB only. */
  tls?: { caFile?: string; certFile?: string; keyFile?: string };
}

/** What is wrong with the address and what to do, in words that continue `EVENT_STORE_URL=…`. */
export class UnusableLogAddress extends Error {
  override name = 'UnusableLogAddress';
  constructor(
    readonly wrong: string,
    readonly remedy: string,
  ) {
    super(`the event log's address ${wrong}; ${remedy}`);
  }
}

const EXAMPLES = 'esdb://127.0.0.1:2113?tls=false or esdb://a:2113,b:2113,c:2113?tls=true';
const DEFAULT_PORTS = { eventstoredb: 2113, postgres: 5432 };

const unusable = (wrong: string, remedy = `give it as ${EXAMPLES}`): never => {
  throw new UnusableLogAddress(wrong, remedy);
};

const isBoolean = (value: string): boolean => value === 'true' || value === 'false';
const isNumber = (value: string): boolean => /^-?\d{1,9}$/.test(value);
const isText = (): boolean => true;

/** The client's options in its own spelling, with the values that they take. */
const OPTIONS: Record<string, { as: string; takes: (value: string) => boolean; such: string }> =
  Object.fromEntries(
    [
      ...['tls', 'tlsVerifyCert', 'throwOnAppendFailure'].map((as) => ({
        as,
        takes: isBoolean,
        such: 'true or false',
      })),
      ...[
        'defaultDeadline',
        'maxDiscoverAttempts',
        'discoveryInterval',
        'gossipTimeout',
        'keepAliveInterval',
        'keepAliveTimeout',
      ].map((as) => ({ as, takes: isNumber, such: 'a number' })),
      ...['connectionName', 'tlsCAFile', 'userCertFile', 'userKeyFile'].map((as) => ({
        as,
        takes: isText,
        such: 'a text',
      })),
      {
        as: 'nodePreference',
        takes: (value: string) => /^(leader|follower|random|read-?only-?replica)$/i.test(value),
        such: 'leader, follower, random or readOnlyReplica',
      },
    ].map((option) => [option.as.toLowerCase(), option]),
  );

const decoded = (text: string): string => {
  try {
    return decodeURIComponent(text);
  } catch {
    return unusable('holds a % that begins no encoded character', 'write %25 for a %');
  }
};

const optionsOf = (query: string): Record<string, string> => {
  const options: Record<string, string> = {};
  for (const pair of query.split('&').filter(Boolean)) {
    const [name = '', value = ''] = pair.split(/=(.*)/s);
    const option = OPTIONS[name.trim().toLowerCase().replaceAll(/[_-]/g, '')];
    if (!option) return unusable(`has an option that is not known: ${decoded(name)}`, 'correct or remove it');
    const text = decoded(value.trim());
    if (text === '' || !option.takes(text))
      return unusable(`has no usable value for ${option.as}`, `give ${option.such}`);
    options[option.as] = text;
  }
  return options;
};

const nodeOf = (text: string): LogNode => {
  const [host = '', port = String(DEFAULT_PORTS.eventstoredb), ...more] = text.trim().split(':');
  if (more.length > 0 || /[[\]]/.test(host))
    return unusable('names an IPv6 address, which the client cannot use', 'give a name that leads to it');
  if (!/^[a-z0-9._-]+$/i.test(host))
    return unusable('names no host, or one with characters that no name has');
  const number = Number(port);
  if (!/^\d{1,5}$/.test(port) || number === 0 || number > 65_535)
    return unusable(`names the port ${port}, which is not one`, 'give a number between 1 and 65535');
  return { host, port: number };
};

/** `user:password@`, encoded again: the client ignores everything after a second colon. */
const credentialsOf = (text: string): string => {
  const [user = '', password = ''] = text.split(/:(.*)/s).map(decoded);
  if (user === '' || password === '')
    return unusable('has a user without a password', 'give user:password@ before the host');
  return `${encodeURIComponent(user)}:${encodeURIComponent(password)}@`;
};

const eventStoreDbAddress = (discover: boolean, rest: string): LogAddress => {
  const [authority = '', query = ''] = rest.split(/\?(.*)/s);
  const at = authority.lastIndexOf('@');
  const credentials = at < 0 ? '' : credentialsOf(authority.slice(0, at));
  const nodes = authority
    .slice(at + 1)
    .replace(/\/+$/, '')
    .split(',')
    .map(nodeOf);
  if (discover && nodes.length > 1)
    return unusable(
      'asks for discovery and names several hosts',
      `leave out +discover, or name one: ${EXAMPLES}`,
    );
  const options = optionsOf(query);
  const {
    tls = 'true',
    tlsVerifyCert,
    tlsCAFile: caFile,
    userCertFile: certFile,
    userKeyFile: keyFile,
  } = options;
  if (tlsVerifyCert === 'false' && tls === 'true')
    return unusable(
      'asks for tlsVerifyCert=false, which is not supported',
      'name the authority in tlsCaFile',
    );
  if ((certFile === undefined) !== (keyFile === undefined))
    return unusable('has one of userCertFile and userKeyFile', 'give both, or none');
  delete options['tlsVerifyCert'];
  const parameters = Object.entries(options).map(([name, value]) => `${name}=${encodeURIComponent(value)}`);
  const hosts = nodes.map(({ host, port }) => `${host}:${port}`).join(',');
  return {
    engine: 'eventstoredb',
    url: `esdb${discover ? '+discover' : ''}://${credentials}${hosts}${parameters.length > 0 ? '?' : ''}${parameters.join('&')}`,
    nodes,
    ...(tls === 'true'
      ? { tls: { ...(caFile && { caFile }), ...(certFile && { certFile }), ...(keyFile && { keyFile }) } }
      : {}),
  };
};

const postgresAddress = (url: string): LogAddress => {
  if (!URL.canParse(url))
    return unusable('is not a URL', 'give it as postgres://user:password@127.0.0.1:5432/quarterdeck');
  const { hostname, port, searchParams } = new URL(url);
  const host = searchParams.get('host') ?? (decodeURIComponent(hostname) || 'localhost');
  const number = Number(searchParams.get('port') ?? port) || DEFAULT_PORTS.postgres;
  return { engine: 'postgres', url, nodes: [{ host, port: number }] };
};

/** @throws UnusableLogAddress */
export const logAddress = (url: string): LogAddress => {
  const [, scheme = '', discover, rest = ''] = /^([a-z]+)(\+discover)?:\/\/(.*)$/is.exec(url.trim()) ?? [];
  switch (scheme.toLowerCase()) {
    case 'postgres':
    case 'postgresql':
      if (!discover) return postgresAddress(url.trim());
      break;
    // The server's name since 2025. The client knows only the old one.
    case 'kurrentdb':
    case 'esdb':
      return eventStoreDbAddress(discover !== undefined, rest);
  }
  return unusable(
    'does not begin with esdb://, esdb+discover://, kurrentdb://, kurrentdb+discover:// or postgres://',
  );
};
