/**
 * A stateful fake of DigitalOcean's API on loopback, as far as the console calls it. It checks each request and each
 * answer against a description, has the provider's limits, and can be slow, fail, and act without answering.
 */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { answerProblems, matched, requestProblems } from './digitalocean/description';
import { addDomain, addRecord } from './digitalocean/domain-routes';
import { OAuth } from './digitalocean/oauth';
import type { StoredRecord } from './digitalocean/records';
import type { Answered } from './digitalocean/answers';
import { routes } from './digitalocean/routes';
import { Account, Refusal } from './digitalocean/state';

export type { BootMachine, Machine } from './digitalocean/state';

/**
 * How to answer the next calls: normally, with an error status, never, late, or `losing`: the call has its effect, and
 * the connection is cut instead of an answer; with `silent`, the connection stays, and nothing comes.
 */
export type DigitalOceanMood =
  | { is: 'well' }
  | {
      is: 'failing';
      status: number;
      headers?: Record<string, string>;
      body?: string;
    }
  | { is: 'hanging' }
  | { is: 'losing' }
  | { is: 'silent' }
  | { is: 'waiting' }
  | { is: 'slow'; delayMs: number };

export interface DigitalOceanPeer {
  /** Value for DIGITALOCEAN_API_URL. */
  url: string;
  /** Environment variables for the back end. */
  env: Record<string, string>;
  /** A personal token that is accepted. */
  token: string;
  oauth: OAuth;
  account: Account;
  /** Method and path of each call so far. */
  calls: string[];
  /** Requests and answers that do not fit the description. */
  undescribed: string[];
  /** Calls that a token may make: in an hour, in a minute, and lists of keys in a minute. */
  limits: { hour: number; minute: number; keyLists: number };
  addDomain(name: string): void;
  addRecord(
    domain: string,
    record: { type: string; name: string; data: string; ttl?: number; priority?: number },
  ): void;
  records(domain: string): StoredRecord[];
  /**
   * @param only affects only calls that start with this, such as `POST`; default: all calls
   * @param times how many of them
   */
  feel(mood: DigitalOceanMood, only?: string, times?: number): void;
  /** Whether the answer to this call is lost, whatever the mood. */
  loses?: (call: string) => boolean;
  /** Answers the waiting calls. */
  go(): void;
  stop(): Promise<void>;
}

const refusals: Record<number, { id: string; message: string }> = {
  400: { id: 'bad_request', message: 'The request body is not valid JSON.' },
  401: { id: 'unauthorized', message: 'Unable to authenticate you' },
  403: { id: 'forbidden', message: 'You are not authorized to perform this operation' },
  404: { id: 'not_found', message: 'The resource you requested could not be found.' },
  422: { id: 'unprocessable_entity', message: 'The request could not be processed.' },
  429: { id: 'too_many_requests', message: 'API Rate limit exceeded.' },
  500: { id: 'server_error', message: 'Unexpected server-side error' },
  503: { id: 'service_unavailable', message: 'The service is currently unavailable.' },
};
const refusal = (status: number, headers?: Record<string, string>): Refusal =>
  new Refusal(status, refusals[status]?.id ?? '', refusals[status]?.message ?? '', headers);

const textOf = async (request: IncomingMessage): Promise<string> => {
  const parts: Buffer[] = [];
  for await (const part of request) parts.push(part as Buffer);
  return Buffer.concat(parts).toString();
};

const bodyIn = (text: string): Record<string, unknown> | undefined => {
  if (text === '') return {};
  try {
    const body: unknown = JSON.parse(text);
    const isObject = typeof body === 'object' && body !== null && !Array.isArray(body);
    return isObject ? (body as Record<string, unknown>) : undefined;
  } catch {
    return undefined;
  }
};

const MINUTE_MS = 60_000;
const HOUR_S = 3600;

export const startDigitalOcean = async (): Promise<DigitalOceanPeer> => {
  const account = new Account();
  const oauth = new OAuth();
  const token = 'dop_v1_0123456789abcdef';
  oauth.tokens.set(token, { scopes: ['read', 'write'] });
  const calls: string[] = [];
  const undescribed: string[] = [];
  const limits = { hour: 5000, minute: 250, keyLists: 10 };
  let mood: DigitalOceanMood = { is: 'well' };
  let concerned: string | undefined;
  let times = Infinity;
  let used = 0;
  const minute: { at: number; call: string }[] = [];
  const waiting: (() => void)[] = [];

  const headers = (): Record<string, string> => ({
    'ratelimit-limit': String(limits.hour),
    'ratelimit-remaining': String(Math.max(0, limits.hour - used)),
    'ratelimit-reset': String(Math.floor(Date.now() / 1000) + HOUR_S),
  });
  const send = (response: ServerResponse, status: number, body: unknown, more = {}): void => {
    const type = body === undefined ? {} : { 'content-type': 'application/json; charset=utf-8' };
    response.writeHead(status, { ...headers(), ...type, ...more });
    response.end(typeof body === 'string' ? body : body && JSON.stringify(body));
  };

  /** Counts a call. `retry-after` comes only with the limit of a minute. */
  const count = (call: string): void => {
    const now = Date.now();
    while (minute[0] && minute[0].at < now - MINUTE_MS) minute.shift();
    const isKeyList = call === 'GET /v2/account/keys';
    const lists = minute.filter((one) => isKeyList && one.call === call).length;
    if (used >= limits.hour) throw refusal(429);
    if (minute.length >= limits.minute || (isKeyList && lists >= limits.keyLists))
      throw refusal(429, { 'retry-after': '1' });
    minute.push({ at: now, call });
    used += 1;
  };

  const perform = async (request: IncomingMessage, url: URL, text: string): Promise<Answered> => {
    const bearer = /^Bearer (.+)$/.exec(request.headers.authorization ?? '')?.[1];
    const call = `${request.method} ${url.pathname}`;
    if (url.pathname.startsWith('/v1/oauth/')) {
      const [status, body] = oauth.call(url.pathname, new URLSearchParams(text), bearer);
      return { status, body };
    }
    const held = oauth.tokens.get(bearer ?? '');
    if (!held || held.isExpired) throw refusal(401);
    count(call);
    if (request.method !== 'GET' && !held.scopes.includes('write')) throw refusal(403);
    const match = matched(call);
    const route = match && routes[match.name];
    if (!match || !route) {
      undescribed.push(`${call} is not a call that the stand-in knows`);
      throw refusal(404);
    }
    const body = bodyIn(text);
    if (!body) {
      undescribed.push(`${call} has a body that is no JSON object`);
      throw refusal(400);
    }
    const wrong = requestProblems(match, url.searchParams, body);
    undescribed.push(...wrong);
    if (wrong.length > 0) throw new Refusal(422, 'unprocessable_entity', wrong.join('; '));
    const answer = await route({ match, url, body, account });
    undescribed.push(...answerProblems(match, answer.status, answer.body));
    return answer;
  };

  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const url = new URL(request.url ?? '/', peer.url);
    const call = `${request.method} ${url.pathname}`;
    const text = await textOf(request).catch(() => undefined);
    // Its sender died before the end of the request, which has no effect.
    if (text === undefined) return;
    calls.push(call);
    if (call === 'GET /v1/oauth/authorize') {
      response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' });
      response.end(oauth.page(url.href));
      return;
    }
    const isMeant = (concerned === undefined || call.startsWith(concerned)) && times-- > 0;
    const felt: DigitalOceanMood = isMeant ? mood : { is: 'well' };
    const now: DigitalOceanMood = peer.loses?.(call) ? { is: 'losing' } : felt;
    if (now.is === 'hanging') return;
    if (now.is === 'waiting') await new Promise<void>((go) => waiting.push(go));
    if (now.is === 'slow') await new Promise((resolve) => setTimeout(resolve, now.delayMs));
    if (now.is === 'failing')
      return send(
        response,
        now.status,
        now.body ?? { ...refusals[now.status], request_id: 'r' },
        now.headers,
      );
    try {
      const { status, body } = await perform(request, url, text);
      if (now.is === 'losing') response.destroy();
      else if (now.is !== 'silent') send(response, status, body);
    } catch (error) {
      if (!(error instanceof Refusal)) undescribed.push(String(error));
      const { status, id, message, headers: more } = error instanceof Refusal ? error : refusal(500);
      if (now.is === 'losing') response.destroy();
      else send(response, status, { id, message, request_id: `r-${calls.length}` }, more);
    }
  };

  const server = createServer((request, response) => void answer(request, response));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const domainOf = (name: string) => {
    const found = account.domains.get(name);
    if (!found) throw new Error(`there is no domain ${name}`);
    return found;
  };
  const peer: DigitalOceanPeer = {
    url,
    env: {
      DIGITALOCEAN_API_URL: url,
      DIGITALOCEAN_URL: url,
      DIGITALOCEAN_CLIENT_ID: oauth.clientId,
      DIGITALOCEAN_CLIENT_SECRET: oauth.clientSecret,
    },
    token,
    oauth,
    account,
    calls,
    undescribed,
    limits,
    addDomain: (name) => void addDomain(account, name),
    addRecord: (name, fields) => void addRecord(account, domainOf(name), fields),
    records: (name) => structuredClone(account.domains.get(name)?.records ?? []),
    feel(next, only, many = Infinity) {
      [mood, concerned, times] = [next, only, many];
    },
    go() {
      for (const one of waiting.splice(0)) one();
    },
    async stop() {
      for (const one of waiting.splice(0)) one();
      for (const id of account.machines.keys()) await account.stopMachine(id);
      server.closeAllConnections();
      await new Promise<void>((resolve) => server.close(() => resolve()));
    },
  };
  return peer;
};
