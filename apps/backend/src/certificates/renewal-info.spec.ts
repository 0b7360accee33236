// covers: DOM-09
import { once } from 'node:events';
import http, { type IncomingMessage, type ServerResponse } from 'node:http';
import https from 'node:https';
import type { AddressInfo } from 'node:net';
import { testAuthority } from '../../../../testing/test-authority';
import { Outbound } from '../platform/outbound';
import { RenewalInfoClient, retryAfterMs } from './renewal-info';

const ID = 'aYhba4dGQEHhs3uEe6CuLN4ByNQ.AIdlQyE';
const window = { start: '2026-06-20T00:00:00Z', end: '2026-06-22T00:00:00Z' };
const inIso = { start: '2026-06-20T00:00:00.000Z', end: '2026-06-22T00:00:00.000Z' };

type Answer = (response: ServerResponse, base: string) => void;
const json =
  (body: unknown, status = 200, headers: Record<string, string> = {}): Answer =>
  (response) =>
    response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body));
const directory: Answer = (response, base) => json({ renewalInfo: `${base}/renewal-info` })(response, base);

let server: https.Server | http.Server;
let base: string;
let ca: string;
let asked: string[];
let answers: { directory: Answer; info: Answer };
let time: number;

beforeAll(async () => {
  const authority = await testAuthority();
  const { cert, key } = await authority.leaf({
    names: ['127.0.0.1', 'localhost'],
    notBefore: new Date(Date.now() - 3_600_000),
    notAfter: new Date(Date.now() + 86_400_000),
  });
  ca = authority.root;
  server = https.createServer({ cert, key }, (request: IncomingMessage, response) => {
    asked.push(request.url ?? '');
    (request.url === '/directory' ? answers.directory : answers.info)(response, base);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  base = `https://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => {
  server.closeAllConnections();
  return new Promise((resolve) => server.close(resolve));
});
beforeEach(() => {
  asked = [];
  time = Date.parse('2026-06-15T12:00:00.000Z');
  answers = { directory, info: json({ suggestedWindow: window }, 200, { 'retry-after': '21600' }) };
});

const client = (more: Partial<ConstructorParameters<typeof RenewalInfoClient>[0]> = {}) =>
  new RenewalInfoClient({
    directoryUrl: `${base}/directory`,
    outbound: new Outbound(['127.0.0.1']),
    ca,
    timeoutMs: 60_000,
    now: () => new Date(time),
    ...more,
  });
const minutes = (count: number) => {
  time += count * 60_000;
};

describe('the renewal window of an authority', () => {
  it('is requested by the id of the certificate', async () => {
    expect(await client().infoFor(ID)).toEqual({
      is: 'window',
      window: inIso,
      askAgainAt: '2026-06-15T18:00:00.000Z',
    });
    expect(asked).toEqual(['/directory', `/renewal-info/${ID}`]);
  });

  it("includes the authority's explanation", async () => {
    answers.info = json({ suggestedWindow: window, explanationURL: 'https://example.org/incident' });
    expect(await client().infoFor(ID)).toMatchObject({ explanationUrl: 'https://example.org/incident' });
  });

  it('is requested again only when the authority wants that', async () => {
    const one = client();
    await one.infoFor(ID);
    minutes(359);
    await one.infoFor(ID);
    expect(asked).toHaveLength(2);
    answers.info = json({ suggestedWindow: { start: '2026-06-15T00:00:00Z', end: '2026-06-16T00:00:00Z' } });
    minutes(2);
    expect(await one.infoFor(ID)).toMatchObject({ window: { start: '2026-06-15T00:00:00.000Z' } });
  });

  it('is requested once by many concurrent callers', async () => {
    const one = client();
    const infos = await Promise.all(Array.from({ length: 20 }, () => one.infoFor(ID)));
    expect(new Set(infos).size).toBe(1);
    expect(asked).toHaveLength(2);
  });
});

describe('an authority without a window', () => {
  it('gives none', async () => {
    answers.directory = json({ newOrder: `${base}/new-order` });
    expect(await client().infoFor(ID)).toMatchObject({
      is: 'none',
      reason: 'Not available: the authority does not offer it.',
    });
    expect(asked).toEqual(['/directory']);
  });

  it('is not asked about a certificate without a key identifier', async () => {
    expect(await client().infoFor(undefined)).toMatchObject({ is: 'none' });
    expect(asked).toEqual([]);
  });

  test.each<[string, () => void, RegExp]>([
    [
      'says no',
      () => (answers.info = json({ detail: 'Certificate not found.' }, 404)),
      /answered 404: Certificate not found\.$/,
    ],
    [
      'gives nonsense',
      () => (answers.info = json({ suggestedWindow: { start: 'soon' } })),
      /has no valid window\.$/,
    ],
    [
      'gives a window that ends first',
      () => (answers.info = json({ suggestedWindow: { start: window.end, end: window.start } })),
      /has no valid window\.$/,
    ],
    ['gives no JSON', () => (answers.info = (response) => response.end('<html>')), /has no valid window\.$/],
    [
      'never ends',
      () => (answers.info = (response) => void response.write('{')),
      /did not answer within 0.3 seconds\.$/,
    ],
    [
      'says far too much',
      () => (answers.info = (response) => response.end('x'.repeat(1_000_000))),
      /answered more than 64000 bytes\.$/,
    ],
    ['breaks off', () => (answers.info = (response) => response.destroy()), /^Not available: .*\.$/],
    ['has a broken directory', () => (answers.directory = json({}, 500)), /its directory answered 500\.$/],
    ['redirects', () => (answers.info = json({}, 302, { location: 'http://127.0.0.1:1/' })), /answered 302/],
  ])('does no harm when it %s', async (_, break_, reason) => {
    break_();
    expect(await client({ timeoutMs: 300 }).infoFor(ID)).toEqual({
      is: 'failed',
      reason: expect.stringMatching(reason),
      askAgainAt: '2026-06-15T12:10:00.000Z',
    });
  });

  it('fails if it is not trusted or cannot be reached', async () => {
    expect(await client({ ca: undefined }).infoFor(ID)).toMatchObject({
      is: 'failed',
      reason: expect.stringContaining('certificate'),
    });
    expect(await client({ directoryUrl: 'http://127.0.0.1:1/directory' }).infoFor(ID)).toMatchObject({
      is: 'failed',
      reason: expect.stringContaining('refused the connection'),
    });
  });

  it('keeps its earlier answer, and is asked again when it said', async () => {
    const one = client();
    await one.infoFor(ID);
    minutes(361);
    answers.info = json({}, 503, { 'retry-after': '1800' });
    expect(await one.infoFor(ID)).toEqual({
      is: 'failed',
      reason: 'Not available: the authority answered 503.',
      window: inIso,
      askAgainAt: '2026-06-15T18:31:00.000Z',
    });
  });
});

it('stops at once for an aborted caller, while others keep waiting', async () => {
  let go: () => void = () => undefined;
  answers.info = (response) => {
    go = () => response.end(JSON.stringify({ suggestedWindow: window }));
    arrived();
  };
  let arrived: () => void = () => undefined;
  const there = new Promise<void>((resolve) => (arrived = resolve));
  const [one, stop] = [client(), new AbortController()];
  const [stopped, patient] = [one.infoFor(ID, stop.signal), one.infoFor(ID)];
  await there;
  stop.abort(new Error('stopped'));
  await expect(stopped).rejects.toThrow('stopped');
  go();
  expect(await patient).toMatchObject({ is: 'window' });
});

test.each([
  [undefined, undefined],
  ['120', 120_000],
  ['Mon, 15 Jun 2026 13:00:00 GMT', 3_600_000],
  ['Mon, 15 Jun 2020 13:00:00 GMT', 0],
  ['soon', undefined],
])('Retry-After: %s is %s milliseconds', (header, ms) => {
  expect(retryAfterMs(header, new Date('2026-06-15T12:00:00.000Z'))).toBe(ms);
});

test.each([
  ['1', '2026-06-15T12:01:00.000Z'],
  ['99999999', '2026-06-16T12:00:00.000Z'],
])('a Retry-After of %s seconds is kept within a minute and a day', async (retryAfter, askAgainAt) => {
  answers.info = json({ suggestedWindow: window }, 200, { 'retry-after': retryAfter });
  expect(await client().infoFor(ID)).toMatchObject({ askAgainAt });
});
