/**
 * The HTTP of a served API. A request keeps the definition with which it began. Whatever happens, the answer is JSON
 * with a status that says whose turn it is: never a stack, never SQL.
 */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { callerAddress, limitedAs } from '../../platform/caller-address';
import type { AccountAnswer, AccountRequest } from './account-requests';
import { bodyOf, drained, formOf, queryOf } from './bodies';
import type { Counter } from './counts';
import type { Definition, ServedEndpoint } from './definition';
import { ANSWERS_BY, type KeptDefinitions } from './kept-definitions';
import { sampleOf, type AnsweredRequest } from '../samples';
import { RateLimit } from './rate-limit';
import { ApiRefusal, busy, refusalOfDatabase } from './refusal';
import type { Answer, AskedRequest } from './run';
import { ACTS_AS, actingAs, checkPermission, userOf, type ApiUser } from './users';
import type { UserStore } from './user-store';

const MAX_HEADER_BYTES = 16 * 1024;
const HEADERS_MS = 10_000;
const REQUEST_MS = 30_000;
const KEEP_ALIVE_MS = 65_000;
const MAX_CONNECTIONS = 1000;
const MAX_AT_ONCE = 500;

const METHODS = 'GET, HEAD, POST, PUT, DELETE';
/** Pages of every site may ask: a token in a header is all that counts. */
const HEADERS = {
  'content-type': 'application/json; charset=utf-8',
  'cache-control': 'no-store',
  'x-content-type-options': 'nosniff',
  'content-security-policy': `default-src 'none'; sandbox`,
  'cross-origin-resource-policy': 'cross-origin',
  'access-control-allow-origin': '*',
  'access-control-expose-headers': 'x-definition, retry-after',
} as const;
const PREFLIGHT = {
  ...HEADERS,
  'access-control-allow-methods': METHODS,
  'access-control-allow-headers': 'authorization, content-type',
  'access-control-max-age': '86400',
} as const;

export interface ServerParts {
  readonly run: (definition: Definition, endpoint: ServedEndpoint, asked: AskedRequest) => Promise<Answer>;
  readonly accounts: {
    /** @returns undefined if the path belongs to the endpoints */
    answer(asked: AccountRequest, definition: Definition): Promise<AccountAnswer | undefined>;
    store(definition: Definition): Pick<UserStore, 'bySession'>;
  };
  readonly counter: Counter;
  readonly kept: KeptDefinitions;
  /** Whether to believe what it says about the address of its caller. Default: nobody is in front. */
  readonly isTrustedProxy?: ((address: string) => boolean) | undefined;
  /** A path that says whether the API is well. `check` throws an ApiRefusal if it is not. */
  readonly health?: { readonly path: string; readonly check: () => Promise<unknown> };
  /** Called with what nobody foresaw. */
  readonly onFault: (error: unknown, endpoint: string | undefined) => void;
}

interface Outcome extends Answer {
  readonly status: number;
  readonly endpoint?: ServedEndpoint | undefined;
  /** Undefined: no endpoint, or nobody knows who asked. */
  readonly asked?: Pick<AnsweredRequest, 'endpoint' | 'params' | 'user'> | undefined;
  readonly message?: string;
  readonly retryAfter?: number | undefined;
  /** Where a browser goes on. */
  readonly location?: string;
}

export class ApiServer {
  private definition: Definition | undefined;
  private limit = new RateLimit(Infinity);
  private underWay = 0;
  private readonly servers = new Set<Server>();

  constructor(private readonly parts: ServerParts) {}

  /** Requests that come from now on are answered by this one. */
  serve(definition: Definition): void {
    if (definition.requestsPerMinute !== this.definition?.requestsPerMinute)
      this.limit = new RateLimit(definition.requestsPerMinute);
    this.definition = definition;
  }

  /** @param at a path of a Unix socket, or a port */
  async listen(at: { path: string } | { host: string; port: number }): Promise<Server> {
    const server = createServer(
      {
        maxHeaderSize: MAX_HEADER_BYTES,
        headersTimeout: HEADERS_MS,
        requestTimeout: REQUEST_MS,
        keepAliveTimeout: KEEP_ALIVE_MS,
        connectionsCheckingInterval: 1000,
        // Node would refuse these two by itself, without JSON.
        requireHostHeader: false,
      },
      (request, response) => void this.answer(request, response, server),
    );
    server.maxConnections = MAX_CONNECTIONS;
    server.on('checkExpectation', (request, response) => void this.answer(request, response, server));
    server.on('clientError', refuseMalformed);
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject);
      server.listen(at, resolve);
    });
    this.servers.add(server);
    return server;
  }

  /** The address is free at once. Ends when the requests under way there are answered. */
  async leave(server: Server): Promise<void> {
    this.servers.delete(server);
    await new Promise<void>((resolve) => {
      server.close(() => resolve());
      server.closeIdleConnections();
    });
  }

  /** Ends when the requests under way are answered. */
  async close(): Promise<void> {
    await Promise.all([...this.servers].map((server) => this.leave(server)));
  }

  private async answer(request: IncomingMessage, response: ServerResponse, server: Server): Promise<void> {
    const began = performance.now();
    const definition = this.definitionFor(request);
    const [path = '/', search = ''] = (request.url ?? '/').split(/\?(.*)/s);
    if (request.method === 'OPTIONS') return void response.writeHead(204, PREFLIGHT).end();
    this.underWay += 1;
    const outcome = await this.outcomeOf(definition, request, path, search);
    this.underWay -= 1;
    const { status, text, logs, endpoint, asked, message, retryAfter, location } = outcome;
    if (!request.complete) await drained(request);
    const bytes = Buffer.byteLength(text);
    response.writeHead(status, {
      ...HEADERS,
      ...(status !== 204 && { 'content-length': bytes }),
      ...(definition && { 'x-definition': definition.position }),
      ...(status === 401 && { 'www-authenticate': 'Bearer' }),
      ...(location !== undefined && { location }),
      ...(retryAfter !== undefined && { 'retry-after': String(retryAfter) }),
      // A body that was not read would be taken for the next request, and a server that closes waits for connections.
      ...((!request.complete || !server.listening) && { connection: 'close' }),
    });
    response.end(request.method === 'HEAD' || status === 204 ? undefined : text);
    // Callers have not asked it.
    if (keyOf(request) !== undefined || this.isAboutHealth(request, path)) return;
    const { method = '' } = request;
    this.parts.counter.add(
      {
        at: new Date().toISOString(),
        endpoint: endpoint?.id,
        method,
        path,
        status,
        ms: Math.round((performance.now() - began) * 100) / 100,
        bytes,
        definition: definition?.position ?? '',
        ...(message !== undefined && { message }),
        ...(logs && logs.length > 0 && { logs }),
      },
      () => asked && sampleOf({ ...asked, method, path, search, status }),
    );
  }

  /** The console may name another one than the present one. */
  private definitionFor(request: IncomingMessage): Definition | undefined {
    const key = keyOf(request);
    return key === undefined ? this.definition : this.parts.kept.get(key);
  }

  private async outcomeOf(
    definition: Definition | undefined,
    request: IncomingMessage,
    path: string,
    search: string,
  ): Promise<Outcome> {
    let endpoint: ServedEndpoint | undefined;
    let from: Outcome['asked'];
    try {
      if (!definition || this.underWay > MAX_AT_ONCE) throw busy('this API has too much to do: try again');
      const caller = callerOf(request, this.parts.isTrustedProxy);
      const wait = this.limit.take(caller);
      if (wait > 0)
        throw new ApiRefusal(429, `at most ${definition.requestsPerMinute} requests a minute are accepted`, {
          retryAfter: wait,
        });
      if (this.isAboutHealth(request, path)) {
        await this.parts.health?.check();
        return { status: 200, text: '{"status":"up"}' };
      }
      const account = await this.parts.accounts.answer(accountRequestOf(request, path, caller), definition);
      if (account) return { ...account, text: JSON.stringify(account.value) ?? '' };
      const found = definition.find(methodOf(request), path);
      if (!found) throw notFound(definition, path);
      endpoint = found.endpoint;
      const user = await this.whoAsks(request, definition);
      from = { endpoint, params: found.params, user };
      checkPermission(user, endpoint.permissions);
      if (endpoint.problem !== undefined)
        throw busy(`this endpoint cannot be served: ${endpoint.problem}`, 60);
      const asked = { params: found.params, query: queryOf(search), body: await bodyOf(request), user };
      const answer = await this.parts.run(definition, endpoint, asked);
      return { ...answer, status: endpoint.statusOut, endpoint, asked: from };
    } catch (error) {
      const refusal =
        error instanceof ApiRefusal
          ? error
          : ((definition && refusalOfDatabase(error, definition.model)) ?? this.unforeseen(error, endpoint));
      const { status, message, more } = refusal;
      const { fields, retryAfter } = more;
      return {
        status,
        text: JSON.stringify({ message, ...(fields && { fields }) }),
        message,
        endpoint,
        asked: from,
        retryAfter,
      };
    }
  }

  private isAboutHealth(request: IncomingMessage, path: string): boolean {
    return path === this.parts.health?.path && methodOf(request) === 'GET';
  }

  private whoAsks(request: IncomingMessage, definition: Definition): Promise<ApiUser | undefined> {
    const { authorization, [ACTS_AS]: permission } = request.headers;
    return isOfConsole(request) && typeof permission === 'string'
      ? Promise.resolve(actingAs(permission))
      : userOf(authorization, definition, this.parts.accounts.store(definition));
  }

  private unforeseen(error: unknown, endpoint: ServedEndpoint | undefined): ApiRefusal {
    // The caller hung up.
    if ((error as { code?: unknown } | null)?.code === 'ECONNRESET')
      return busy('the request ended too early');
    this.parts.onFault(error, endpoint?.id);
    return busy('this could not be answered at the moment: try again', 5);
  }
}

const methodOf = ({ method = 'GET' }: IncomingMessage): string => (method === 'HEAD' ? 'GET' : method);

const notFound = (definition: Definition, path: string): ApiRefusal => {
  const others = definition.methodsAt(path);
  return new ApiRefusal(
    404,
    others.length === 0 ? 'endpoint not found' : `endpoint not found: this path has ${others.join(', ')}`,
  );
};

/** The console says for whom it asks, and nobody else reaches the Unix socket. */
const isOfConsole = ({ socket }: IncomingMessage): boolean => socket.remoteAddress === undefined;

/** Of a kept definition that is to answer. */
const keyOf = (request: IncomingMessage): string | undefined => {
  const { [ANSWERS_BY]: key } = request.headers;
  return isOfConsole(request) && typeof key === 'string' ? key : undefined;
};

/** What limits count. Each proxy appends the address that called it, so the list is read from its end. */
const callerOf = (
  request: IncomingMessage,
  isTrustedProxy: (address: string) => boolean = () => false,
): string => {
  const { 'x-forwarded-for': forwarded } = request.headers;
  if (isOfConsole(request)) return String(forwarded ?? 'console');
  const chain = [...String(forwarded ?? '').split(','), request.socket.remoteAddress ?? '']
    .map((one) => one.trim())
    .filter((one) => one !== '')
    .toReversed();
  const outside = chain.findIndex((one) => !isTrustedProxy(one));
  const ips = outside < 0 ? chain : chain.slice(0, outside + 1);
  return limitedAs(callerAddress({ ip: ips[0] ?? '', ips }));
};

const accountRequestOf = (request: IncomingMessage, path: string, caller: string): AccountRequest => ({
  method: methodOf(request),
  path,
  body: () => bodyOf(request),
  form: () => formOf(request),
  authorization: request.headers.authorization,
  caller,
});

const refuseMalformed = (error: NodeJS.ErrnoException, socket: Socket): void => {
  if (error.code === 'ECONNRESET' || !socket.writable) return void socket.destroy();
  const [status, says] =
    error.code === 'HPE_HEADER_OVERFLOW'
      ? ['431 Request Header Fields Too Large', `the headers are larger than ${MAX_HEADER_BYTES / 1024} kB`]
      : error.code === 'ERR_HTTP_REQUEST_TIMEOUT'
        ? ['408 Request Timeout', 'the request took too long to arrive']
        : ['400 Bad Request', 'this is not a request that HTTP/1.1 knows'];
  const body = JSON.stringify({ message: says });
  const headers = Object.entries({
    ...HEADERS,
    'content-length': Buffer.byteLength(body),
    connection: 'close',
  });
  socket.end(
    `HTTP/1.1 ${status}\r\n${headers.map(([name, value]) => `${name}: ${value}\r\n`).join('')}\r\n${body}`,
  );
};
