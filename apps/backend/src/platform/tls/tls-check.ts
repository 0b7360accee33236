/**
 * Checks what a host presents over TLS. The connection is always made and judged afterwards, so that the certificate is
 * seen even if a browser would refuse it.
 */
import { X509Certificate } from 'node:crypto';
import net from 'node:net';
import tls from 'node:tls';
import { daysRemaining, factsOf, type CertificateFacts } from './certificate-facts';
import { trusting } from './trusting.program';
import { trustProblem, unreachable, type Unreachable } from './tls-check-words';

export interface TlsTarget {
  /** The name that an operator knows: used in sentences, and looked up if no address is given. */
  host: string;
  /** Default: 443. */
  port?: number;
  /** Address to connect to, from the code that decides where this process may call out. */
  address?: string;
  /** Name for SNI, which the certificate has to match. Default: the host. */
  servername?: string;
  /** For everything together. Default: 10,000. */
  timeoutMs?: number;
  /** PEM of authorities to trust in addition to the usual ones. */
  ca?: string;
  signal?: AbortSignal;
}

export interface ServedCertificate extends CertificateFacts {
  daysRemaining: number;
}

export interface TlsReached {
  reachable: true;
  /** ISO */
  at: string;
  tookMs: number;
  /** `TLSv1.3` */
  protocol: string;
  cipher: string;
  /** Whether a trusted authority issued it, and every certificate of the chain is within its validity. */
  trusted: boolean;
  /** Whether the certificate matches the requested name. */
  nameMatches: boolean;
  /** Trusted, and for this name. */
  valid: boolean;
  /** Absent if the certificate is valid. Codes are those of OpenSSL, or `NAME_MISMATCH`. */
  problem?: { code: string; reason: string };
  /** Whether the host sent an OCSP response (stapling). */
  ocspStapled: boolean;
  certificate: ServedCertificate;
}

export interface TlsUnreached {
  reachable: false;
  at: string;
  tookMs: number;
  problem: { code: Unreachable; reason: string };
}

export type TlsCheck = TlsReached | TlsUnreached;

const TIMEOUT_MS = 10_000;
/**
 * OpenSSL limits the size of each handshake message, but not their number. A real handshake takes about 6 kB, a large
 * chain 20.
 */
const MAX_BYTES = 256_000;
const LOOK_EVERY_MS = 100;

/** The common name is ignored, as browsers have done for years. */
const isFor = (certificate: X509Certificate, name: string): boolean =>
  (net.isIP(name) === 0
    ? certificate.checkHost(name, { subject: 'never', partialWildcards: false })
    : certificate.checkIP(name)) !== undefined;

const codeOf = (error: unknown): string => {
  const { code } = (error ?? {}) as { code?: unknown };
  return typeof code === 'string' ? code : typeof error === 'string' ? error : 'UNKNOWN';
};

type Seen = Omit<TlsReached, 'at' | 'tookMs'> | Omit<TlsUnreached, 'at' | 'tookMs'>;

/** @param name that the certificate has to match */
const judge = (socket: tls.TLSSocket, name: string, ocspStapled: boolean, now: Date): Seen => {
  // getPeerX509Certificate(), made for this purpose, leaks 5 kB of memory per call (Node 20).
  const { raw } = socket.getPeerCertificate() as Partial<tls.PeerCertificate>;
  if (raw === undefined) return { reachable: false, problem: unreachable('noCertificate', name) };
  const leaf = new X509Certificate(raw);
  const facts = factsOf(leaf);
  const trusted = socket.authorized;
  const nameMatches = isFor(leaf, name);
  const problem = trusted
    ? nameMatches
      ? undefined
      : trustProblem('NAME_MISMATCH', facts, name, now)
    : trustProblem(codeOf(socket.authorizationError), facts, name, now);
  return {
    reachable: true,
    protocol: socket.getProtocol() ?? '',
    cipher: socket.getCipher().standardName,
    trusted,
    nameMatches,
    valid: problem === undefined,
    ...(problem && { problem }),
    ocspStapled,
    certificate: { ...facts, daysRemaining: daysRemaining(facts.notAfter, now) },
  };
};

/**
 * Any fault of the host or its certificate is a result, not an error.
 *
 * @throws the signal's reason if it is aborted; RangeError for a port above 65535
 */
export const checkTls = async ({
  host,
  port = 443,
  address = host,
  servername = host,
  timeoutMs = TIMEOUT_MS,
  ca,
  signal,
}: TlsTarget): Promise<TlsCheck> => {
  signal?.throwIfAborted();
  // Created before the socket, so that an error rejects here and is not thrown inside a socket event.
  const secureContext = trusting(ca);
  const [at, began] = [new Date(), performance.now()];
  const place = `${net.isIPv6(host) ? `[${host}]` : host}:${port}`;

  return new Promise<TlsCheck>((resolve, reject) => {
    const wire = net.connect({ host: address, port });
    let secure: tls.TLSSocket | undefined;
    let done = false;

    const close = (): boolean => {
      if (done) return false;
      done = true;
      clearTimeout(deadline);
      clearInterval(watch);
      signal?.removeEventListener('abort', abort);
      secure?.destroy();
      wire.destroy();
      return true;
    };
    const answer = (seen: Seen): void => {
      if (close()) resolve({ at: at.toISOString(), tookMs: Math.round(performance.now() - began), ...seen });
    };
    const fail = (code: Unreachable | NodeJS.ErrnoException): void =>
      answer({ reachable: false, problem: unreachable(code, place) });
    const abort = (): void => {
      if (close()) reject(signal?.reason as Error);
    };

    const deadline = setTimeout(() => fail('timeout'), timeoutMs);
    const watch = setInterval(() => wire.bytesRead > MAX_BYTES && fail('notTls'), LOOK_EVERY_MS);
    signal?.addEventListener('abort', abort, { once: true });

    // Stays after the answer: a late error needs a listener.
    wire.on('error', fail);
    wire.once('connect', () => {
      let stapled = false;
      // The types know `requestOCSP` only for servers.
      const options: tls.ConnectionOptions & { requestOCSP: true } = {
        socket: wire,
        secureContext,
        // RFC 6066 does not allow an IP address as the server name.
        servername: net.isIP(servername) === 0 ? servername : '',
        requestOCSP: true,
        rejectUnauthorized: false,
        // `isFor` checks the name, without the common name.
        checkServerIdentity: () => undefined,
      };
      secure = tls.connect(options);
      // Despite its types, Node passes null if there is none.
      secure.on('OCSPResponse', (response: Buffer) => (stapled = Boolean(response)));
      secure.on('error', fail);
      secure.once('close', () => fail('reset'));
      secure.once('secureConnect', () => {
        try {
          answer(judge(secure as tls.TLSSocket, servername, stapled, at));
        } catch {
          // A certificate that OpenSSL accepts and Node cannot describe, such as one with a damaged name.
          fail('handshake');
        }
      });
    });
  });
};

export interface ExpiryAnswer {
  valid: boolean;
  daysRemaining?: number;
  /** ISO */
  validTo?: string;
  /** ISO */
  validFrom?: string;
  issuer?: string;
  names?: string[];
  serial?: string;
  protocol?: string;
  /** Why it is not valid, as a sentence. */
  reason?: string;
  code?: string;
}

/** The SSL fields of the specification, and why it is not valid. Without a certificate there are no dates. */
export const expiryAnswer = (check: TlsCheck): ExpiryAnswer => {
  const { problem } = check;
  const why = problem && { code: problem.code, reason: problem.reason };
  if (!check.reachable) return { valid: false, ...why };
  const { daysRemaining: days, notAfter, notBefore, issuer, names, serial } = check.certificate;
  return {
    valid: check.valid,
    daysRemaining: days,
    validTo: notAfter,
    validFrom: notBefore,
    issuer,
    names,
    serial,
    protocol: check.protocol,
    ...why,
  };
};
