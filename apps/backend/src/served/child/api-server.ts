/**
 * The HTTP of a served API. A request keeps the definition with which it began. Whatever happens, the answer is JSON
 * with a status that says whose turn it is: never a stack, never SQL.
 */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { Server as NetServer } from 'node:net';
import { addressesOf, callerAddress, limitedAs } from '../../platform/caller-address';
import { refuseMalformed } from '../../platform/malformed-requests';
import { LINE, type AnswerHeaders } from '../line-frames';
import type { AccountAnswer, AccountRequest } from './account-requests';
import { bodyOf, drained, formOf, queryOf, sentIn, type SentBody } from './bodies';
import type { Counter } from './counts';
import type { Definition, ServedEndpoint } from './definition';
import { ANSWERS_BY, type KeptDefinitions } from './kept-definitions';
import { sampleOf, type AnsweredRequest } from '../samples';
import { serveLine } from './line-server';
import { RateLimit } from './rate-limit';
import { ApiRefusal, busy, refusalOfDatabase } from './refusal';
import type { Answer, AskedRequest } from './run';
import { ACTS_AS, actingAs, checkPermission, userOf, type ApiUser } from './users';
import type { UserStore } from './user-store';

const MAX_HEADER_BYTES = 16 * 1024;
const HEADERS_MS = 10_000;
const REQUEST_MS = 30_000;
const KEEP_ALIVE_MS = 65_000;
/** How long open connections are still answered, with `connection: close`, after the listener is gone. */
const LINGER_MS = 1000;
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
const ALWAYS = Object.entries(HEADERS).flat();
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
    answer(asked: AccountRequest, definition: Definition): Promise<AccountAnswer> | undefined;
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

/** Whichever way it came. */
export interface HeardRequest {
  readonly method: string;
  /** Path and query. */
  readonly url: string;
  /** What limits count. */
  readonly caller: string;
  readonly authorization: string | undefined;
  readonly sent: SentBody | undefined;
  /** The console says for whom it asks. */
  readonly actsAs?: string | undefined;
  /** Key of a kept definition that is to answer. */
  readonly answersBy?: string | undefined;
}

export interface ApiAnswer {
  readonly status: number;
  readonly headers: AnswerHeaders;
  /** JSON */
  readonly text: string;
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

  get present(): Definition | undefined {
    return this.definition;
  }

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
      (request, response) => void this.overHttp(request, response, server),
    );
    server.maxConnections = MAX_CONNECTIONS;
    server.on('checkExpectation', (request, response) => void this.overHttp(request, response, server));
    server.on(
      'clientError',
      refuseMalformed({ says: 'message', headers: HEADERS, maxHeaderBytes: MAX_HEADER_BYTES }),
    );
    // Only the console reaches the Unix socket.
    if ('path' in at)
      server.on('upgrade', ({ headers: { upgrade } }: IncomingMessage, socket, head) => {
        if (upgrade !== LINE) return void socket.destroy();
        // The first request may have come together with it.
        if (head.length > 0) socket.unshift(head);
        serveLine(socket, (asked) => this.answer(asked));
      });
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject);
      server.listen(at, resolve);
    });
    this.servers.add(server);
    return server;
  }

  /**
   * The address is free at once. Ends when the requests under way there are answered. A caller with an open connection
   * may be sending the next request at this moment: for a while it is answered, and told that the connection ends.
   */
  async leave(server: Server): Promise<void> {
    this.servers.delete(server);
    // The one of HTTP would end the open connections as well.
    const closed = new Promise<void>(
      (resolve) => void NetServer.prototype.close.call(server, () => resolve()),
    );
    const over = setTimeout(() => server.close(), LINGER_MS);
    await closed;
    clearTimeout(over);
  }

  /** Ends when the requests under way are answered. */
  async close(): Promise<void> {
    await Promise.all([...this.servers].map((server) => this.leave(server)));
  }

  private async overHttp(request: IncomingMessage, response: ServerResponse, server: Server): Promise<void> {
    if (request.method === 'OPTIONS') return void response.writeHead(204, PREFLIGHT).end();
    const { status, headers, text } = await this.answer(heardFrom(request, this.parts.isTrustedProxy));
    if (!request.complete) await drained(request);
    const lines: string[] = [...ALWAYS];
    for (const name in headers) lines.push(name, headers[name] as string);
    if (status !== 204) lines.push('content-length', String(Buffer.byteLength(text)));
    // A body that was not read would be taken for the next request, and a server that closes waits for connections.
    if (!request.complete || !server.listening) lines.push('connection', 'close');
    response.writeHead(status, lines);
    response.end(request.method === 'HEAD' || status === 204 ? undefined : text);
  }

  private async answer(request: HeardRequest): Promise<ApiAnswer> {
    const began = performance.now();
    const { answersBy, method, url } = request;
    const definition = answersBy === undefined ? this.definition : this.parts.kept.get(answersBy);
    const at = url.indexOf('?');
    const [path, search] = at < 0 ? [url, ''] : [url.slice(0, at), url.slice(at + 1)];
    this.underWay += 1;
    const outcome = await this.outcomeOf(definition, request, path, search);
    this.underWay -= 1;
    const { status, text, logs, endpoint, asked, message, retryAfter, location } = outcome;
    const headers: Record<string, string> = {};
    if (definition) headers['x-definition'] = definition.position;
    if (status === 401) headers['www-authenticate'] = 'Bearer';
    if (location !== undefined) headers['location'] = location;
    if (retryAfter !== undefined) headers['retry-after'] = String(retryAfter);
    // Callers have not asked it.
    if (answersBy === undefined && !this.isAboutHealth(request, path))
      this.parts.counter.add(
        {
          endpoint: endpoint?.id,
          method,
          path,
          status,
          ms: performance.now() - began,
          text,
          definition: definition?.position ?? '',
          message,
          logs,
        },
        () => asked && sampleOf({ ...asked, method, path, search, status }),
      );
    return { status, headers, text };
  }

  private async outcomeOf(
    definition: Definition | undefined,
    request: HeardRequest,
    path: string,
    search: string,
  ): Promise<Outcome> {
    let endpoint: ServedEndpoint | undefined;
    let from: Outcome['asked'];
    try {
      if (!definition || this.underWay > MAX_AT_ONCE) throw busy('this API has too much to do: try again');
      const wait = this.limit.take(request.caller);
      if (wait > 0)
        throw new ApiRefusal(429, `at most ${definition.requestsPerMinute} requests a minute are accepted`, {
          retryAfter: wait,
        });
      if (this.isAboutHealth(request, path)) {
        await this.parts.health?.check();
        return { status: 200, text: '{"status":"up"}' };
      }
      const answering = this.parts.accounts.answer(accountRequestOf(request, path), definition);
      if (answering) {
        const account = await answering;
        return { ...account, text: JSON.stringify(account.value) ?? '' };
      }
      const found = definition.find(methodOf(request), path);
      if (!found) throw notFound(definition, path);
      endpoint = found.endpoint;
      const asking = this.whoAsks(request, definition);
      const user = asking instanceof Promise ? await asking : asking;
      from = { endpoint, params: found.params, user };
      checkPermission(user, endpoint.permissions);
      if (endpoint.problem !== undefined)
        throw busy(`this endpoint cannot be served: ${endpoint.problem}`, 60);
      const asked = {
        params: found.params,
        query: queryOf(search),
        body: request.sent && (await bodyOf(request.sent)),
        user,
      };
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

  private isAboutHealth(request: HeardRequest, path: string): boolean {
    return path === this.parts.health?.path && methodOf(request) === 'GET';
  }

  private whoAsks(
    { actsAs, authorization }: HeardRequest,
    definition: Definition,
  ): ApiUser | undefined | Promise<ApiUser | undefined> {
    if (actsAs !== undefined) return actingAs(actsAs);
    return authorization === undefined
      ? undefined
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

const methodOf = ({ method }: HeardRequest): string => (method === 'HEAD' ? 'GET' : method);

const notFound = (definition: Definition, path: string): ApiRefusal => {
  const others = definition.methodsAt(path);
  return new ApiRefusal(
    404,
    others.length === 0 ? 'endpoint not found' : `endpoint not found: this path has ${others.join(', ')}`,
  );
};

/** The console says for whom it asks, and nobody else reaches the Unix socket. */
const isOfConsole = ({ socket }: IncomingMessage): boolean => socket.remoteAddress === undefined;

const heardFrom = (
  request: IncomingMessage,
  isTrustedProxy: (address: string) => boolean = () => false,
): HeardRequest => {
  const { method = 'GET', url = '/', headers } = request;
  const { authorization, 'x-forwarded-for': forwarded, [ACTS_AS]: actsAs, [ANSWERS_BY]: answersBy } = headers;
  const heard = { method, url, authorization, sent: sentIn(request) };
  return isOfConsole(request)
    ? {
        ...heard,
        caller: String(forwarded ?? 'console'),
        actsAs: actsAs?.toString(),
        answersBy: answersBy?.toString(),
      }
    : { ...heard, caller: limitedAs(callerAddress(addressesOf(request, isTrustedProxy))) };
};

const accountRequestOf = (request: HeardRequest, path: string): AccountRequest => ({
  method: methodOf(request),
  path,
  body: () => bodyOf(request.sent),
  form: () => formOf(request.sent),
  authorization: request.authorization,
  caller: request.caller,
});
