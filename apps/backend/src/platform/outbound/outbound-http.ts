/** One outgoing HTTP call: pinned addresses, one deadline for everything, a limited answer, no redirects. */
import { type IncomingHttpHeaders, request as requestPlain } from 'node:http';
import { request as requestTls } from 'node:https';
import { DomainError } from '../errors';
import { trusting } from '../tls/trusting.program';
import type { Outbound, Target } from './outbound';

export interface OutboundCall {
  url: string;
  method?: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  headers?: Record<string, string>;
  body?: string;
  /** From the look-up to the last byte. */
  timeoutMs?: number;
  /** Limit of the answer. Default: 1 MB. Headers are limited by Node, to 16 kB. */
  maxBytes?: number;
  /** PEM of authorities to trust in addition to the usual ones. */
  ca?: string;
  /** Answers without the body, as soon as the headers have come. */
  headersOnly?: true;
  /** Accepts any certificate: the call is about whether there is an answer at all. */
  anyCertificate?: true;
  /** Aborts the call early, for example at shutdown. */
  signal?: AbortSignal;
}

export interface OutboundAnswer {
  status: number;
  headers: IncomingHttpHeaders;
  text: string;
}

/** Defaults. Every call ends, whatever the other side sends: nothing is unpacked, and no redirect is followed. */
const TIMEOUT_MS = 15_000;
const MAX_ANSWER_BYTES = 1_048_576;

const failed = (place: string, what: string, code: string): DomainError =>
  new DomainError('upstream', `${place} ${what}`, undefined, { code });

/** What a server did that could not be called, by the code of the error. */
export const failureWords: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'refused the connection',
  ECONNRESET: 'closed the connection',
  EPIPE: 'closed the connection',
  EHOSTUNREACH: 'cannot be reached from here',
  ENETUNREACH: 'cannot be reached from here',
  ETIMEDOUT: 'did not answer',
  EPROTO: 'and this console could not agree on TLS',
  HPE_HEADER_OVERFLOW: 'answered with headers of more than 16 kB',
  CERT_HAS_EXPIRED: 'has a certificate that has expired',
  ERR_TLS_CERT_ALTNAME_INVALID: 'has a certificate for another name',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'has a self-signed certificate',
  SELF_SIGNED_CERT_IN_CHAIN: 'has a certificate from an unknown authority',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'has a certificate from an unknown authority',
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: 'has a certificate from an unknown authority',
};

/** Whether something did answer a call that failed: too much for us, or what is no HTTP at all. */
export const answeredOddly = ({ detail: { code } }: DomainError): boolean =>
  typeof code === 'string' && (code === 'ETOOBIG' || code.startsWith('HPE_'));

/** Happy Eyeballs collects one error per address. */
const codeOf = (error: unknown): string => {
  const { code, errors } = error as { code?: string; errors?: { code?: string }[] };
  return code ?? errors?.[0]?.code ?? 'EUNKNOWN';
};

/**
 * @throws OutboundRefused, and DomainError `upstream` with a code: ETIMEDOUT, ECONNREFUSED, ETOOBIG or one of Node's
 */
export const callOut = async (outbound: Outbound, call: OutboundCall): Promise<OutboundAnswer> => {
  const url = new URL(call.url);
  const plain = url.protocol === 'http:';
  if (!plain && url.protocol !== 'https:')
    throw new DomainError('unprocessable', `${url.protocol} is not http: or https:`);
  const timeoutMs = call.timeoutMs ?? TIMEOUT_MS;
  const late = AbortSignal.timeout(timeoutMs);
  const ended = call.signal ? AbortSignal.any([late, call.signal]) : late;
  const port = Number(url.port) || (plain ? 80 : 443);
  const place = url.host;
  try {
    const target = await before(ended, outbound.reach({ host: url.hostname, port }));
    return await exchange(url, target, call, ended);
  } catch (error) {
    if (late.aborted) throw failed(place, `did not answer within ${timeoutMs / 1000} seconds`, 'ETIMEDOUT');
    if (ended.aborted) throw failed(place, 'was cancelled', 'ECANCELED');
    if (error instanceof DomainError) throw error;
    const code = codeOf(error);
    throw failed(place, failureWords[code] ?? `could not be called (${code})`, code);
  }
};

const before = <T>(ended: AbortSignal, work: Promise<T>): Promise<T> =>
  new Promise((resolve, reject) => {
    ended.addEventListener('abort', () => reject(new Error('ended')), { once: true });
    work.then(resolve, reject);
  });

const decoded = (part: string): string => {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
};

/** User name and password of the address are sent in a header. */
const signedIn = ({ username, password }: URL): Record<string, string> => {
  if (username === '' && password === '') return {};
  const credentials = Buffer.from(`${decoded(username)}:${decoded(password)}`).toString('base64');
  return { authorization: `Basic ${credentials}` };
};

const exchange = (
  url: URL,
  target: Target,
  call: OutboundCall,
  signal: AbortSignal,
): Promise<OutboundAnswer> =>
  new Promise((resolve, reject) => {
    const send = url.protocol === 'http:' ? requestPlain : requestTls;
    const body = call.body === undefined ? undefined : Buffer.from(call.body);
    const request = send(
      {
        host: target.host,
        port: target.port,
        path: `${url.pathname}${url.search}`,
        method: call.method ?? 'GET',
        headers: {
          host: url.host,
          'user-agent': 'quarterdeck',
          ...signedIn(url),
          ...call.headers,
          ...(body ? { 'content-length': String(body.length) } : {}),
        },
        lookup: target.lookup,
        agent: false,
        ...(url.protocol === 'https:' && call.ca !== undefined && { secureContext: trusting(call.ca) }),
        ...(call.anyCertificate && { rejectUnauthorized: false }),
        signal,
      },
      (response) => {
        const { statusCode: status = 0, headers } = response;
        if (call.headersOnly) {
          resolve({ status, headers, text: '' });
          response.destroy();
          return;
        }
        const maxBytes = call.maxBytes ?? MAX_ANSWER_BYTES;
        const parts: Buffer[] = [];
        let bytes = 0;
        response.on('data', (part: Buffer) => {
          bytes += part.length;
          parts.push(part);
          if (bytes > maxBytes)
            response.destroy(failed(url.host, `answered more than ${maxBytes} bytes`, 'ETOOBIG'));
        });
        response.on('error', reject);
        response.on('end', () => {
          resolve({ status, headers, text: Buffer.concat(parts).toString() });
        });
      },
    );
    request.on('error', reject);
    request.end(body);
  });
