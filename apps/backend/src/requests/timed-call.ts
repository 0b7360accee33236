/**
 * One request with the time of each phase. The socket goes to exactly the addresses that the outbound rules have judged.
 * What is unpacked is limited, not what arrives: a small answer may unpack to gigabytes. No redirect is followed.
 */
import { request as requestPlain, type ClientRequest, type IncomingMessage } from 'node:http';
import { request as requestTls } from 'node:https';
import type { Readable } from 'node:stream';
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib';
import type { Target } from '../platform/outbound';
import type { ReadyRequest } from './request-plan';

export const MAX_BODY_BYTES = 5_000_000;
const MAX_HEADER_BYTES = 65_536;

export interface Phases {
  dns: number;
  connect: number;
  tls: number;
  firstByte: number;
  download: number;
}

export interface RawAnswer {
  status: number;
  statusText: string;
  httpVersion: string;
  /** As received: in order, with repeated names. */
  headers: [name: string, value: string][];
  wireBytes: number;
  body: Buffer;
  /** There was more than is kept, or the connection ended before its end. */
  cut?: 'tooLarge' | 'ended' | 'unreadable';
  phases: Phases;
}

/** The call failed. `sent`: whether the server may have received the request. */
export class CallFailed extends Error {
  constructor(
    readonly code: string,
    readonly sent: boolean,
  ) {
    super(code);
  }
}

const decoders: Record<string, () => NodeJS.ReadWriteStream & Readable> = {
  gzip: createGunzip,
  'x-gzip': createGunzip,
  deflate: createInflate,
  br: createBrotliDecompress,
};

const pairsOf = (raw: readonly string[]): [string, string][] =>
  Array.from({ length: raw.length / 2 }, (_, at) => [raw[2 * at] ?? '', raw[2 * at + 1] ?? '']);

const round = (ms: number): number => Math.max(0, Math.round(ms * 10) / 10);

interface Timing {
  began: number;
  dnsMs: number;
}

class TimedCall {
  private readonly at: Partial<Record<'connect' | 'secure' | 'firstByte', number>> = {};

  constructor(private readonly timing: Timing) {}

  watch(request: ClientRequest): void {
    request.once('socket', (socket) => {
      socket.once('connect', () => this.mark('connect'));
      socket.once('secureConnect', () => this.mark('secure'));
    });
  }

  get isConnected(): boolean {
    return this.at.connect !== undefined;
  }

  mark(name: 'connect' | 'secure' | 'firstByte'): void {
    this.at[name] ??= performance.now() - this.timing.began;
  }

  phases(): Phases {
    const end = performance.now() - this.timing.began;
    const { connect = 0, secure = connect, firstByte = end } = this.at;
    return {
      dns: round(this.timing.dnsMs),
      connect: round(connect),
      tls: round(secure - connect),
      firstByte: round(firstByte - secure),
      download: round(end - firstByte),
    };
  }
}

/** Reads the body to its end or to the limit. */
const bodyOf = (
  response: IncomingMessage,
  method: string,
): Promise<Pick<RawAnswer, 'body' | 'cut' | 'wireBytes'>> =>
  new Promise((resolve) => {
    const coding = String(response.headers['content-encoding'] ?? '')
      .trim()
      .toLowerCase();
    const isEmpty = method === 'HEAD' || response.statusCode === 204 || response.statusCode === 304;
    const decoder = isEmpty ? undefined : decoders[coding];
    const parts: Buffer[] = [];
    let bytes = 0;
    let wireBytes = 0;
    const end = (cut?: RawAnswer['cut']): void => {
      resolve({ body: Buffer.concat(parts), wireBytes, ...(cut && { cut }) });
      response.destroy();
    };
    response.on('data', (part: Buffer) => (wireBytes += part.length));
    const source = decoder ? response.pipe(decoder()) : response;
    source.on('data', (part: Buffer) => {
      const room = MAX_BODY_BYTES - bytes;
      if (room > 0) parts.push(part.length > room ? part.subarray(0, room) : part);
      bytes += part.length;
      if (bytes > MAX_BODY_BYTES) end('tooLarge');
    });
    source.on('end', () => end());
    if (decoder) source.on('error', () => end('unreadable'));
    response.on('error', () => end('ended'));
    response.on('aborted', () => end('ended'));
  });

const codeOf = (error: unknown): string => {
  const { code, errors } = error as { code?: string; errors?: { code?: string }[] };
  return code ?? errors?.[0]?.code ?? 'EUNKNOWN';
};

/** @throws CallFailed */
export const timedCall = (
  { method, url, headers, body }: ReadyRequest,
  target: Target,
  { dnsMs, signal }: { dnsMs: number; signal: AbortSignal },
): Promise<RawAnswer> =>
  new Promise((resolve, reject) => {
    const timing = new TimedCall({ began: performance.now(), dnsMs });
    const isTls = url.protocol === 'https:';
    let isSent = false;
    const request = (isTls ? requestTls : requestPlain)(
      {
        host: target.host,
        port: target.port,
        lookup: target.lookup,
        path: `${url.pathname}${url.search}`,
        method,
        headers: headersFor(url, headers, body),
        agent: false,
        signal,
        maxHeaderSize: MAX_HEADER_BYTES,
      },
      (response) => {
        timing.mark('firstByte');
        const { statusCode: status = 0, statusMessage: statusText = '', httpVersion, rawHeaders } = response;
        void bodyOf(response, method).then((read) =>
          resolve({
            status,
            statusText,
            httpVersion,
            headers: pairsOf(rawHeaders),
            ...read,
            phases: timing.phases(),
          }),
        );
      },
    );
    timing.watch(request);
    // Over TLS, nothing is sent before the certificate has been accepted.
    request.once('socket', (socket) =>
      socket.once(isTls ? 'secureConnect' : 'connect', () => (isSent = true)),
    );
    request.on('error', (error) => reject(new CallFailed(codeOf(error), isSent)));
    request.end(body);
  });

const headersFor = (
  url: URL,
  headers: readonly (readonly [string, string])[],
  body: string | undefined,
): Record<string, string | string[]> => {
  const all: Record<string, string | string[]> = {
    host: url.host,
    'user-agent': 'quarterdeck',
    accept: '*/*',
    'accept-encoding': 'gzip, deflate, br',
  };
  const chosen = new Map<string, string[]>();
  for (const [name, value] of headers)
    chosen.set(name.toLowerCase(), [...(chosen.get(name.toLowerCase()) ?? []), value]);
  for (const [name, values] of chosen) all[name] = values.length === 1 ? (values[0] ?? '') : values;
  if (body !== undefined) all['content-length'] = String(Buffer.byteLength(body));
  return all;
};
