import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import {
  pageOf,
  recordFrom,
  type StoredDomain,
  type StoredRecord,
  wholeName,
  zoneFile,
} from './digitalocean-records';

/** How to answer the next calls: normally, with an error status, never, or late. */
export type DigitalOceanMood =
  | { is: 'well' }
  | { is: 'failing'; status: 401 | 403 | 429 | 500 | 503; headers?: Record<string, string>; body?: string }
  | { is: 'hanging' }
  | { is: 'slow'; delayMs: number };

export interface DigitalOceanPeer {
  /** Value for DIGITALOCEAN_API_URL. */
  url: string;
  /** The only accepted token. */
  token: string;
  /** Method and path of each call so far. */
  calls: string[];
  addDomain(name: string): void;
  addRecord(
    domain: string,
    record: { type: string; name: string; data: string; ttl?: number; priority?: number },
  ): void;
  records(domain: string): StoredRecord[];
  /** @param only affects only calls that start with this, such as `POST`; default: all calls */
  feel(mood: DigitalOceanMood, only?: string): void;
  stop(): Promise<void>;
}

const refusals: Record<number, { id: string; message: string }> = {
  400: { id: 'bad_request', message: 'The request body could not be parsed.' },
  401: { id: 'unauthorized', message: 'Unable to authenticate you' },
  403: { id: 'forbidden', message: 'You are not authorized to perform this operation' },
  404: { id: 'not_found', message: 'The resource you requested could not be found.' },
  429: { id: 'too_many_requests', message: 'API Rate limit exceeded.' },
  500: { id: 'server_error', message: 'Unexpected server-side error' },
  503: { id: 'service_unavailable', message: 'The service is currently unavailable.' },
};

const limit = 5000;

const bodyOf = async (request: IncomingMessage): Promise<Record<string, unknown> | undefined> => {
  const parts: Buffer[] = [];
  for await (const part of request) parts.push(part as Buffer);
  try {
    return JSON.parse(Buffer.concat(parts).toString() || '{}') as Record<string, unknown>;
  } catch {
    return undefined;
  }
};

/**
 * A stateful fake of DigitalOcean's API for domains and their records, on loopback. Field names, statuses, pages and
 * rate-limit headers follow its published OpenAPI document.
 */
export const startDigitalOcean = async (): Promise<DigitalOceanPeer> => {
  const domains = new Map<string, StoredDomain>();
  const calls: string[] = [];
  const token = 'dop_v1_0123456789abcdef';
  let mood: DigitalOceanMood = { is: 'well' };
  let concerned: string | undefined;
  let remaining = limit;
  let lastId = 28_448_428;

  const send = (
    response: ServerResponse,
    status: number,
    body?: unknown,
    more: Record<string, string> = {},
  ): void => {
    const headers = {
      'ratelimit-limit': String(limit),
      'ratelimit-remaining': String(remaining),
      'ratelimit-reset': String(Math.floor(Date.now() / 1000) + 3600),
      ...(body === undefined ? {} : { 'content-type': 'application/json; charset=utf-8' }),
      ...more,
    };
    response.writeHead(status, headers).end(typeof body === 'string' ? body : body && JSON.stringify(body));
  };
  const refuse = (response: ServerResponse, status: number, message?: string): void => {
    const known = refusals[status] ?? { id: 'unprocessable_entity', message: '' };
    send(response, status, {
      ...known,
      ...(message === undefined ? {} : { message }),
      request_id: `r-${calls.length}`,
    });
  };

  const domainCalls = async (request: IncomingMessage, response: ServerResponse, url: URL): Promise<void> => {
    const shown = (one: StoredDomain) => ({ name: one.name, ttl: one.ttl, zone_file: zoneFile(one) });
    if (request.method === 'GET') {
      const { part, links, meta } = pageOf([...domains.values()].map(shown), url);
      return send(response, 200, { domains: part, links, meta });
    }
    if (request.method !== 'POST') return refuse(response, 404);
    const body = await bodyOf(request);
    if (!body) return refuse(response, 400);
    const name = body['name'];
    if (typeof name !== 'string' || !name.includes('.')) return refuse(response, 422, 'Name is invalid');
    if (domains.has(name)) return refuse(response, 422, 'domain_name: already exists');
    peer.addDomain(name);
    if (typeof body['ip_address'] === 'string')
      peer.addRecord(name, { type: 'A', name: '@', data: body['ip_address'] });
    send(response, 201, { domain: { name, ttl: 1800, zone_file: null } });
  };

  const recordCalls = async (
    request: IncomingMessage,
    response: ServerResponse,
    url: URL,
    domain: StoredDomain,
    id: string | undefined,
  ): Promise<void> => {
    const record = domain.records.find((one) => String(one.id) === id);
    if (id !== undefined && !record) return refuse(response, 404);
    if (request.method === 'GET' && record) return send(response, 200, { domain_record: record });
    if (request.method === 'GET') {
      const [name, type] = [url.searchParams.get('name'), url.searchParams.get('type')];
      const fitting = domain.records.filter(
        (one) => (name === null || wholeName(one, domain) === name) && (type === null || one.type === type),
      );
      const { part, links, meta } = pageOf(fitting, url);
      return send(response, 200, { domain_records: part, links, meta });
    }
    if (request.method === 'DELETE' && record) {
      domain.records.splice(domain.records.indexOf(record), 1);
      return send(response, 204);
    }
    const creates = request.method === 'POST' && !record;
    if (!creates && !(record && (request.method === 'PUT' || request.method === 'PATCH')))
      return refuse(response, 404);
    const body = await bodyOf(request);
    if (!body) return refuse(response, 400);
    const made = recordFrom(body, record ?? { id: lastId + 1 }, domain);
    if (typeof made === 'string') return refuse(response, 422, made);
    if (record) domain.records[domain.records.indexOf(record)] = made;
    else domain.records.push(made);
    lastId = Math.max(lastId, made.id);
    send(response, creates ? 201 : 200, { domain_record: made });
  };

  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const url = new URL(request.url ?? '/', peer.url);
    const call = `${request.method} ${url.pathname}`;
    calls.push(call);
    const now = concerned === undefined || call.startsWith(concerned) ? mood : { is: 'well' as const };
    if (now.is === 'hanging') return;
    if (now.is === 'slow') await new Promise((resolve) => setTimeout(resolve, now.delayMs));
    if (now.is === 'failing')
      return send(
        response,
        now.status,
        now.body ?? { ...refusals[now.status], request_id: 'r' },
        now.headers,
      );
    if (request.headers.authorization !== `Bearer ${token}`) return refuse(response, 401);
    remaining -= 1;
    const [, version, noun, name, records, id, more] = url.pathname.split('/').map(decodeURIComponent);
    if (version !== 'v2' || noun !== 'domains' || more !== undefined) return refuse(response, 404);
    if (name === undefined) return domainCalls(request, response, url);
    const domain = domains.get(name);
    if (!domain || (records !== undefined && records !== 'records')) return refuse(response, 404);
    if (records !== undefined) return recordCalls(request, response, url, domain, id);
    if (request.method === 'GET')
      return send(response, 200, { domain: { name, ttl: domain.ttl, zone_file: zoneFile(domain) } });
    if (request.method !== 'DELETE') return refuse(response, 404);
    domains.delete(name);
    send(response, 204);
  };

  const server = createServer((request, response) => void answer(request, response));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const peer: DigitalOceanPeer = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    token,
    calls,
    addDomain(name) {
      domains.set(name, { name, ttl: 1800, records: [] });
      for (const number of [1, 2, 3])
        peer.addRecord(name, { type: 'NS', name: '@', data: `ns${number}.digitalocean.com.` });
    },
    addRecord(name, record) {
      const domain = domains.get(name);
      if (!domain) throw new Error(`there is no domain ${name}`);
      const made = recordFrom(record, { id: (lastId += 1) }, domain);
      if (typeof made === 'string') throw new Error(made);
      domain.records.push(made);
    },
    records: (name) => structuredClone(domains.get(name)?.records ?? []),
    feel(next, only) {
      mood = next;
      concerned = only;
    },
    stop() {
      server.closeAllConnections();
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };
  return peer;
};
