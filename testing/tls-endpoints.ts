/**
 * Any number of TLS hosts, good and bad, behind one listener. The name that the client requests selects the host, whose
 * certificate is made on first use.
 */
import { createServer, type AddressInfo, type Socket } from 'node:net';
import {
  createSecureContext,
  createServer as createTlsServer,
  type SecureContext,
  type Server,
  type TlsOptions,
} from 'node:tls';
import { freePort } from './free-port';
import { testAuthority, type LeafWish } from './test-authority';

export type EndpointKind =
  | 'valid'
  | 'expiring'
  | 'expired'
  | 'notYetValid'
  | 'wrongName'
  /** Names the host in its common name only. */
  | 'commonNameOnly'
  | 'selfSigned'
  | 'unknownAuthority'
  /** Leaves out the intermediate. */
  | 'brokenChain'
  | 'rsa'
  | 'stapled'
  /** Supports TLS 1.2 at most. */
  | 'tls12'
  /** Supports TLS 1.1 at most, which browsers no longer accept. */
  | 'tls11'
  /** Behaves correctly, after `delayMs`. */
  | 'slow'
  /** A port without a listener. */
  | 'refusing'
  /** Accepts the connection, but sends nothing. */
  | 'hanging'
  /** Speaks HTTP. */
  | 'garbage'
  /** Breaks the connection with a reset. */
  | 'resetting'
  /** Ends the connection properly. */
  | 'closing'
  /** Refuses with a TLS alert. */
  | 'alerting'
  /** Sends a handshake byte by byte, slowly. */
  | 'dripping'
  /** Endlessly sends messages that TLS clients must skip. */
  | 'flooding';

export interface Endpoint {
  kind: EndpointKind;
  /** Days until the certificate expires. Default 90; for `expiring` 12, for `expired` -3, for `notYetValid` 100. */
  days?: number;
  /** Validity period of the certificate. Default 90. */
  lifetimeDays?: number;
  delayMs?: number;
  /** Name in the certificate if not the host's own, such as `*.example.test`. Hosts of a kind share it. */
  covering?: string;
}

export interface EndpointTarget {
  host: string;
  address: string;
  port: number;
  ca: string;
}

export interface TlsEndpoints {
  address: string;
  port: number;
  /** PEM of the authority that signs all certificates except the untrusted ones. */
  ca: string;
  /** Sets how `name` answers new connections. Always makes a new certificate, unless it is shared by `covering`. */
  serve(name: string, endpoint: EndpointKind | Endpoint): EndpointTarget;
  /** Serial number of a name's certificate, in hexadecimal. */
  serialOf(name: string): Promise<string>;
  /** Number of open connections. */
  readonly connections: number;
  /** Maximum number of connections that were open at once. */
  readonly most: number;
  /** Number of all connections so far. */
  readonly accepted: number;
  stop(): Promise<void>;
}

const DAY_MS = 86_400_000;
/** Keeps the number of days left the same for the duration of a test, and makes new certificates already valid. */
const MARGIN_MS = 3_600_000;
const defaultDays: Partial<Record<EndpointKind, number>> = { expiring: 12, expired: -3, notYetValid: 100 };

interface Served {
  endpoint: Endpoint;
  made?: Promise<{ context: SecureContext; serial: string }>;
}

const HELLO_REQUEST = Buffer.from('160303000400000000', 'hex');
const ALERT_HANDSHAKE_FAILURE = Buffer.from('15030300020228', 'hex');
/** The first bytes of a 16 kB ServerHello. */
const SLOW_HELLO = Buffer.from(`1603034000${'02003ffc0303'}`, 'hex');

const misbehaviours: Partial<Record<EndpointKind, (socket: Socket) => void>> = {
  hanging: () => undefined,
  garbage: (socket) => socket.end('HTTP/1.1 400 Bad Request\r\nContent-Type: text/html\r\n\r\n<html></html>'),
  resetting: (socket) => socket.resetAndDestroy(),
  closing: (socket) => socket.end(),
  alerting: (socket) => socket.end(ALERT_HANDSHAKE_FAILURE),
  dripping: (socket) => {
    let sent = 0;
    const drip = setInterval(() => socket.write(Buffer.from([SLOW_HELLO[sent++] ?? 0])), 20);
    socket.once('close', () => clearInterval(drip));
  },
  flooding: (socket) => {
    const flood = Buffer.concat(Array.from({ length: 4096 }, () => HELLO_REQUEST));
    const pour = (): void => {
      while (!socket.destroyed && socket.write(flood));
    };
    socket.on('drain', pour);
    pour();
  },
};

/** A ClientHello contains the server name in plain text, after its length. */
const nameIn = (hello: Buffer): string => {
  // type 0x0000, length, list length, name type 0, name length
  for (let at = 0; (at = hello.indexOf('0000', at, 'hex')) !== -1 && at + 9 < hello.length; at += 1) {
    const [all, list, type, length] = [
      hello.readUInt16BE(at + 2),
      hello.readUInt16BE(at + 4),
      hello[at + 6],
      hello.readUInt16BE(at + 7),
    ];
    if (type === 0 && all === list + 2 && list === length + 3 && length > 0)
      return hello.toString('latin1', at + 9, at + 9 + length);
  }
  return '';
};

/** @param at where to listen; default: a free port of 127.0.0.1 */
export const startTlsEndpoints = async (
  at: { address?: string; port?: number } = {},
): Promise<TlsEndpoints> => {
  const { address = '127.0.0.1' } = at;
  const [trusted, unknown] = [await testAuthority(), await testAuthority('Nobody Knows')];
  const served = new Map<string, Served>();
  const shared = new Map<string, NonNullable<Served['made']>>();
  const open = new Set<Socket>();
  let accepted = 0;
  let most = 0;

  const wishFor = (
    name: string,
    { kind, days = defaultDays[kind] ?? 90, lifetimeDays = 90 }: Endpoint,
  ): LeafWish => {
    const notAfter = new Date(Date.now() + days * DAY_MS + MARGIN_MS);
    return {
      names: kind === 'wrongName' ? ['elsewhere.test'] : kind === 'commonNameOnly' ? ['other.test'] : [name],
      ...(kind === 'commonNameOnly' && { commonName: name }),
      notAfter,
      notBefore: new Date(notAfter.getTime() - lifetimeDays * DAY_MS - 2 * MARGIN_MS),
      keyType: kind === 'rsa' ? 'rsa' : 'ecdsa',
      selfSigned: kind === 'selfSigned',
      alone: kind === 'brokenChain',
    };
  };
  const make = async (name: string, endpoint: Endpoint) => {
    const authority = endpoint.kind === 'unknownAuthority' ? unknown : trusted;
    const { cert, key, serial } = await authority.leaf(wishFor(name, endpoint));
    return { context: createSecureContext({ cert, key }), serial };
  };
  const madeFor = (name: string) => {
    const one = served.get(name);
    if (!one) throw new Error(`no endpoint is called ${name}`);
    const { kind, covering } = one.endpoint;
    if (covering === undefined) return (one.made ??= make(name, one.endpoint));
    const key = `${kind} ${covering}`;
    const made = shared.get(key) ?? make(covering, one.endpoint);
    shared.set(key, made);
    return made;
  };

  const tlsServer = (options: TlsOptions = {}) =>
    createTlsServer({
      ...options,
      SNICallback: (name, done) => {
        if (!served.has(name)) done(new Error(`no endpoint is called ${name}`));
        else madeFor(name).then(({ context }) => done(null, context), done);
      },
    })
      .on('secureConnection', (socket) => socket.on('error', () => undefined).resume())
      .on('tlsClientError', () => undefined);
  const secure = tlsServer();
  // The TLS version and OCSP stapling need their own servers: Node settles both before it knows the name.
  const others: Partial<Record<EndpointKind, Server>> = {
    tls12: tlsServer({ maxVersion: 'TLSv1.2' }),
    tls11: tlsServer({ minVersion: 'TLSv1', maxVersion: 'TLSv1.1', ciphers: 'DEFAULT@SECLEVEL=0' }),
    stapled: tlsServer().on(
      'OCSPRequest',
      (_certificate: Buffer, _issuer: Buffer, done: (error: Error | null, response: Buffer) => void) =>
        done(null, Buffer.from('a response about revocation')),
    ),
  };

  const wire = createServer((socket) => {
    accepted += 1;
    open.add(socket);
    most = Math.max(most, open.size);
    socket.on('error', () => undefined).once('close', () => open.delete(socket));
    socket.once('data', (hello) => {
      const endpoint = served.get(nameIn(hello))?.endpoint;
      const misbehave = endpoint && misbehaviours[endpoint.kind];
      if (misbehave) return misbehave(socket.resume());
      socket.pause().unshift(hello);
      const server = (endpoint && others[endpoint.kind]) ?? secure;
      const handOver = (): void => void (socket.destroyed || server.emit('connection', socket));
      if (endpoint?.delayMs) setTimeout(handOver, endpoint.delayMs);
      else handOver();
    });
  });
  await new Promise<void>((resolve, reject) => {
    wire.once('error', reject).listen(at.port ?? 0, address, 4096, resolve);
  });
  const { port } = wire.address() as AddressInfo;
  const closed = await freePort();

  return {
    address,
    port,
    ca: trusted.root,
    serve: (name, wanted) => {
      const endpoint = typeof wanted === 'string' ? { kind: wanted } : wanted;
      served.set(name, { endpoint: { ...(endpoint.kind === 'slow' && { delayMs: 300 }), ...endpoint } });
      return {
        host: name,
        address,
        port: endpoint.kind === 'refusing' ? closed : port,
        ca: trusted.root,
      };
    },
    serialOf: async (name) => (await madeFor(name)).serial,
    get connections() {
      return open.size;
    },
    get most() {
      return most;
    },
    get accepted() {
      return accepted;
    },
    stop: () => {
      for (const socket of open) socket.destroy();
      return new Promise((resolve) => wire.close(() => resolve()));
    },
  };
};
