/** Requests that nobody should send, as bytes. The same seed makes the same requests. */
import { connect, type NetConnectOpts } from 'node:net';

interface HostileRequest {
  readonly bytes: Buffer;
  /** What is sent, for the report of a failure. */
  readonly words: string;
}

/** Mulberry32. @returns numbers from 0 to less than 1 */
const randomFrom = (seed: number) => (): number => {
  seed = (seed + 0x6d2b79f5) | 0;
  let mixed = Math.imul(seed ^ (seed >>> 15), 1 | seed);
  mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
  return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
};

const METHODS = [
  'GET',
  'GET',
  'GET',
  'POST',
  'POST',
  'PUT',
  'DELETE',
  'HEAD',
  'OPTIONS',
  'PATCH',
  'TRACE',
  'QUERY',
];
const ODD_METHODS = ['CONNECT', 'get', 'G E T', 'PROPFIND', '', 'X'.repeat(300), 'GÉT', 'POST\u0000'];

const VALUES = [
  '',
  '0',
  '1',
  '-1',
  '1e309',
  '9223372036854775808',
  '-0',
  '0x10',
  'NaN',
  'null',
  'undefined',
  'true',
  '[object Object]',
  `' or '1'='1`,
  `'; drop table customer; --`,
  `") union select 1 --`,
  `1; select pg_sleep(10)`,
  '`id`',
  '\\',
  "\\' or 1=1 #",
  '%',
  '_',
  '%27',
  '%00',
  '%zz',
  '%c0%ae%c0%ae/',
  '%ed%a0%80',
  '../../../../etc/passwd',
  '..%2f..%2fetc%2fpasswd',
  '${7*7}',
  '{{7*7}}',
  '<script>alert(1)</script>',
  '$gt',
  '__proto__',
  'constructor',
  '\u0000',
  '\u202e\u0301e',
  '😀',
  '\ud800',
  '2026-02-30',
  '2026-11-28T25:61:61',
  '0000-00-00',
  '-infinity',
  '99999-12-31',
  'x'.repeat(256),
  'x'.repeat(9000),
];

/** They exist, so that many requests get as far as the database. */
const ROUTES = [
  ['GET', '/customers'],
  ['GET', '/customers/:x'],
  ['POST', '/customers'],
  ['DELETE', '/customers/:x'],
  ['GET', '/search'],
  ['POST', '/orders'],
  ['PUT', '/orders/:x'],
  ['POST', '/all'],
  ['POST', '/echo'],
  ['POST', '/auth/sign-in'],
] as const;

const NAMES = [
  'take',
  'skip',
  'status',
  'total',
  'since',
  'q',
  'customer',
  'name',
  'email',
  'note',
  'limit',
  'lines',
  '__proto__',
  'constructor',
  'toString',
  'hasOwnProperty',
  'take[]',
  'status[gt]',
  'status.in',
  '$where',
  '',
  'ï',
];

const PATHS = [
  '/customers',
  '/customers/:x',
  '/orders',
  '/orders/:x',
  '/search',
  '/all',
  '/total',
  '/echo',
  '/auth/sign-in',
  '/auth/me',
  '/auth/:x',
  '/:x',
  '/:x/:x',
  '/',
  '',
  '//customers',
  '/customers/',
  '/customers//1',
  '/./customers',
  '/../customers',
  '/customers;a=b',
  '/customers#x',
  '*',
  'http://elsewhere.example.org/customers',
];

const HEADERS: readonly (readonly [string, readonly string[]])[] = [
  [
    'authorization',
    ['Bearer', 'Bearer wrong-token', 'Basic YWRtaW46YWRtaW4=', 'Bearer u_' + 'a'.repeat(43), 'bearer \t'],
  ],
  ['cookie', ['session=abc', '__Host-session=1; a=b']],
  ['content-encoding', ['gzip', 'br', 'deflate, gzip', 'x']],
  ['transfer-encoding', ['chunked', 'gzip, chunked', 'identity', 'chunked, chunked', 'xchunked']],
  [
    'content-type',
    [
      'text/plain',
      'application/json; charset=utf-16',
      'multipart/form-data; boundary=x',
      'application/json,text/html',
      '',
    ],
  ],
  ['accept', ['text/html', '*/*;q=0', 'application/xml']],
  ['expect', ['100-continue', '200-ok']],
  ['upgrade', ['websocket', 'h2c']],
  ['connection', ['upgrade', 'keep-alive, x-acts-as']],
  ['x-forwarded-for', ['127.0.0.1', "' or 1=1", 'unknown, 10.0.0.1']],
  ['x-forwarded-host', ['elsewhere.example.org']],
  ['x-http-method-override', ['DELETE']],
  ['x-original-url', ['/admin']],
  ['origin', ['null', 'https://elsewhere.example.org']],
  ['range', ['bytes=0-0', 'bytes=-1']],
  ['if-none-match', ['*']],
  ['te', ['trailers']],
  ['content-length', ['-1', '1e3', '0', '5', '99999999999999999999']],
  ['x-long', ['x'.repeat(8000), 'x'.repeat(20_000)]],
  ['x-nothing\u0001', ['x']],
  ['proxy', ['http://elsewhere.example.org']],
];

/**
 * @param base of each path. With one, each request says another caller: a console limits what one may ask
 */
export const hostileRequests = function* (seed: number, count: number, base = ''): Generator<HostileRequest> {
  const random = randomFrom(seed);
  const below = (most: number): number => Math.floor(random() * most);
  const pick = <T>(all: readonly T[]): T => all[below(all.length)] as T;
  const chance = (share: number): boolean => random() < share;
  const noise = (): string =>
    Array.from({ length: below(30) }, () => String.fromCharCode(below(chance(0.8) ? 0x7f : 0xffff))).join('');
  const value = (): string => (chance(0.2) ? noise() : pick(VALUES));
  // Some are sent as they are, which is no URL.
  const inUrl = (text: string): string => {
    if (chance(0.03)) return text.replaceAll(/[\r\n]/g, '');
    try {
      return encodeURIComponent(text);
    } catch {
      return '%ed%a0%80';
    }
  };
  const filled = (path: string): string => path.replaceAll(':x', () => inUrl(chance(0.3) ? '1' : value()));
  const query = (): string => {
    if (chance(0.4)) return '';
    const most = chance(0.03) ? 300 : 5;
    const pairs = Array.from({ length: below(most) }, () => `${inUrl(pick(NAMES))}=${inUrl(value())}`);
    return `?${pairs.join(pick(['&', '&', '&', ';', '&&']))}`;
  };
  const json = (levels: number): unknown => {
    if (levels === 0 || chance(0.5))
      return pick<unknown>([value(), value(), below(10), -1, 1.5, 1e300, 2 ** 53, null, true, [], {}]);
    if (chance(0.3)) return Array.from({ length: below(4) }, () => json(levels - 1));
    return Object.fromEntries(Array.from({ length: below(6) }, () => [pick(NAMES), json(levels - 1)]));
  };
  const body = (): Buffer => {
    const kind = random();
    if (kind < 0.6) return Buffer.from(JSON.stringify(json(3)));
    if (kind < 0.68) return Buffer.from(JSON.stringify(json(3)).slice(0, -1));
    if (kind < 0.74) return Buffer.from(`{"name":${'['.repeat(below(50_000))}`);
    if (kind < 0.78) return Buffer.from('[{"a":'.repeat(5000) + '1' + '}]'.repeat(5000));
    if (kind < 0.82) return Buffer.from(`{"__proto__":{"name":"x"},"name":${JSON.stringify(value())}}`);
    if (kind < 0.86) return Buffer.from(JSON.stringify({ name: 'utf-16' }), 'utf16le');
    if (kind < 0.9) return Buffer.from(Array.from({ length: below(200) }, () => below(256)));
    if (kind < 0.92) return Buffer.from(JSON.stringify({ name: 'x'.repeat(below(1_300_000)) }));
    return Buffer.alloc(0);
  };
  const encoded = (given: Buffer): { head: string[]; sent: Buffer } => {
    const kind = random();
    if (kind < 0.03) {
      const size = pick([given.length.toString(16), given.length.toString(16), '', 'fffffffff', '-1', 'zz']);
      const end = pick(['0\r\n\r\n', '', '0\r\nx: y\r\n\r\n']);
      return {
        head: ['transfer-encoding: chunked'],
        sent: Buffer.concat([Buffer.from(`${size}\r\n`), given, Buffer.from(`\r\n${end}`)]),
      };
    }
    if (kind < 0.06) return { head: [`content-length: ${given.length + pick([1, 100, -1])}`], sent: given };
    return { head: given.length === 0 ? [] : [`content-length: ${given.length}`], sent: given };
  };
  for (let made = 0; made < count; made += 1) {
    const [known, at] = pick(ROUTES);
    const isKnown = chance(0.6);
    const method = isKnown ? known : chance(0.1) ? pick(ODD_METHODS) : pick(METHODS);
    const { head, sent } = encoded(method === 'GET' && chance(0.8) ? Buffer.alloc(0) : body());
    const target = chance(0.01)
      ? `${base}/${'a'.repeat(below(30_000))}`
      : `${base}${filled(isKnown ? at : pick(PATHS))}${query()}`;
    const lines = [
      `${method} ${target} ${chance(0.02) ? pick(['HTTP/1.0', 'HTTP/2.0', 'HTTP/9', '']) : 'HTTP/1.1'}`,
      ...(chance(0.98) ? ['host: shop.example.org'] : []),
      ...(sent.length > 0 && chance(0.85) ? ['content-type: application/json'] : []),
      ...head,
      ...(base === ''
        ? []
        : [`x-forwarded-for: 10.${(made >> 16) & 255}.${(made >> 8) & 255}.${made & 255}`]),
      ...Array.from({ length: chance(0.6) ? 0 : below(4) }, () => {
        const [name, values] = pick(HEADERS);
        return `${name}: ${pick(values)}`;
      }),
      'connection: close',
    ];
    const start = Buffer.from(`${lines.join(chance(0.01) ? '\n' : '\r\n')}\r\n\r\n`, 'utf8');
    const bytes = Buffer.concat([start, sent]);
    yield {
      // Some hang up in the middle.
      bytes: chance(0.03) ? bytes.subarray(0, below(bytes.length)) : bytes,
      words: bytes.toString('latin1').slice(0, 2000),
    };
  }
};

export interface Heard {
  readonly status: number;
  readonly head: string;
  readonly body: string;
}

/** Without an answer for so long, a request is taken for one that is cut off. */
const QUIET_MS = 500;

/** @returns undefined: the connection ended without an answer */
export const hearing = (to: NetConnectOpts, { bytes }: HostileRequest): Promise<Heard | undefined> =>
  new Promise((resolve) => {
    const parts: Buffer[] = [];
    const socket = connect(to);
    socket.on('data', (part: Buffer) => parts.push(part));
    // The API may close while a body that is too large is still being sent.
    socket.on('error', () => undefined);
    socket.once('close', () => {
      const text = Buffer.concat(parts)
        .toString()
        .replace(/^HTTP\/1\.1 100 Continue\r\n\r\n/, '');
      const end = text.indexOf('\r\n\r\n');
      if (end < 0) return resolve(undefined);
      const head = text.slice(0, end);
      resolve({ head, body: text.slice(end + 4), status: Number(/^HTTP\/1\.1 (\d+)/.exec(head)?.[1]) });
    });
    // An end that comes before the answer would cancel it. A request that is cut off would be waited for.
    const isQuiet = setTimeout(() => socket.end(), QUIET_MS);
    socket.once('data', () => clearTimeout(isQuiet)).once('close', () => clearTimeout(isQuiet));
    socket.write(bytes);
  });
