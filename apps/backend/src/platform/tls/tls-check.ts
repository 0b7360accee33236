/**
 * What a host shows over TLS. The connection is made in any case and judged afterwards, so that the certificate is seen
 * also where a browser would turn away.
 */
import { X509Certificate } from 'node:crypto';
import net from 'node:net';
import tls from 'node:tls';
import { daysRemaining, factsOf, type CertificateFacts } from './certificate-facts';
import { trusting } from './trusting';
import { trustProblem, unreachable, type Unreachable } from './tls-check-words';

export interface TlsTarget {
  /** As an operator knows it; in sentences, and looked up when no address is given. */
  host: string;
  /** Default 443. */
  port?: number;
  /** Where to connect to. Whoever decides where this process may call out gives it. */
  address?: string;
  /** What is asked for and what the certificate has to be for. Default: the host. */
  servername?: string;
  /** For everything together. Default 10,000. */
  timeoutMs?: number;
  /** PEM of authorities that are trusted besides the usual ones. */
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
  /** Whether a trusted authority vouches for it and every certificate on the way is in its time. */
  trusted: boolean;
  /** Whether it is for the name that was asked for. */
  nameMatches: boolean;
  /** Trusted, and for this name. */
  valid: boolean;
  /** What is wrong; absent when it is valid. Codes are those of OpenSSL, or `NAME_MISMATCH`. */
  problem?: { code: string; reason: string };
  /** Whether the host sent along what its authority says about revocation. */
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
/** OpenSSL bounds each message of a handshake, not how many there are. A real one takes some 6 kB, a large chain 20. */
const MOST_BYTES = 256_000;
const LOOK_EVERY_MS = 100;

/** A common name counts for nothing: browsers have not read it for years. */
const isFor = (certificate: X509Certificate, name: string): boolean =>
  (net.isIP(name) === 0
    ? certificate.checkHost(name, { subject: 'never', partialWildcards: false })
    : certificate.checkIP(name)) !== undefined;

const codeOf = (error: unknown): string => {
  const { code } = (error ?? {}) as { code?: unknown };
  return typeof code === 'string' ? code : typeof error === 'string' ? error : 'UNKNOWN';
};

type Seen = Omit<TlsReached, 'at' | 'tookMs'> | Omit<TlsUnreached, 'at' | 'tookMs'>;

/** @param name that the certificate has to be for */
const judge = (socket: tls.TLSSocket, name: string, ocspStapled: boolean, now: Date): Seen => {
  // getPeerX509Certificate(), which is made for this, loses 5 kB of memory with each call (Node 20).
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
 * Whatever is wrong with the host or its certificate is an answer.
 *
 * @throws the signal's reason when it is aborted; RangeError for a port above 65535
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
  // Before there is a socket whose events it could be thrown into.
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
    const watch = setInterval(() => wire.bytesRead > MOST_BYTES && fail('notTls'), LOOK_EVERY_MS);
    signal?.addEventListener('abort', abort, { once: true });

    // Also after the answer: what comes late must find somebody who listens.
    wire.on('error', fail);
    wire.once('connect', () => {
      let stapled = false;
      // The types know of `requestOCSP` only for servers.
      const options: tls.ConnectionOptions & { requestOCSP: true } = {
        socket: wire,
        secureContext,
        // RFC 6066 knows no addresses there.
        servername: net.isIP(servername) === 0 ? servername : '',
        requestOCSP: true,
        rejectUnauthorized: false,
        // The name is judged by `isFor`, without the common name.
        checkServerIdentity: () => undefined,
      };
      secure = tls.connect(options);
      // Node gives null where there is none, whatever its types say.
      secure.on('OCSPResponse', (response: Buffer) => (stapled = Boolean(response)));
      secure.on('error', fail);
      secure.once('close', () => fail('reset'));
      secure.once('secureConnect', () => {
        try {
          answer(judge(secure as tls.TLSSocket, servername, stapled, at));
        } catch {
          // A certificate that OpenSSL takes and Node cannot describe, such as one with a damaged name.
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
  /** Why it is not valid, in a sentence. */
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
