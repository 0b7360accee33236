/**
 * One request with the time of each phase. The socket goes to exactly the addresses that the outbound rules have judged.
 * What is unpacked is limited, not what arrives: a small answer may unpack to gigabytes. No redirect is followed.
 */
import { request as requestPlain, type ClientRequest, type IncomingMessage } from 'node:http';
import { request as requestTls } from 'node:https';
import type { Readable, Transform } from 'node:stream';
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib';
import type { Target } from '../platform/outbound';
import type { ReadyRequest } from './ready-request';

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
  /** There was more than is kept, the connection ended before its end, or so did the time for the request. */
  cut?: 'tooLarge' | 'ended' | 'unreadable' | 'late';
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

const decoders: Partial<Record<string, () => Transform>> = {
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

type ReadBody = Pick<RawAnswer, 'body' | 'cut' | 'wireBytes'>;

/** Reads a body to its end, to the limit, or until `stop`. */
class BodyReader {
  private readonly parts: Buffer[] = [];
  private bytes = 0;
  private wireBytes = 0;
  private readonly ended: Promise<ReadBody>;
  private settle: (body: ReadBody) => void = () => undefined;

  constructor(
    private readonly response: IncomingMessage,
    method: string,
  ) {
    this.ended = new Promise((resolve) => (this.settle = resolve));
    const isEmpty = method === 'HEAD' || response.statusCode === 204 || response.statusCode === 304;
    const coding = String(response.headers['content-encoding'] ?? '')
      .trim()
      .toLowerCase();
    const decoder = isEmpty ? undefined : decoders[coding]?.();
    response.on('data', (part: Buffer) => (this.wireBytes += part.length));
    const source: Readable = decoder ? response.pipe(decoder) : response;
    source.on('data', (part: Buffer) => this.take(part));
    source.on('end', () => this.stop());
    // Nothing at all is what some send as an empty body, packed or not.
    decoder?.on('error', () => this.stop(this.wireBytes === 0 ? undefined : 'unreadable'));
    for (const event of ['error', 'aborted']) response.on(event, () => this.stop('ended'));
  }

  read(): Promise<ReadBody> {
    return this.ended;
  }

  stop(cut?: RawAnswer['cut']): void {
    const { parts, wireBytes } = this;
    this.settle({ body: Buffer.concat(parts), wireBytes, ...(cut && { cut }) });
    this.response.destroy();
  }

  private take(part: Buffer): void {
    const room = MAX_BODY_BYTES - this.bytes;
    if (room > 0) this.parts.push(part.length > room ? part.subarray(0, room) : part);
    this.bytes += part.length;
    if (this.bytes > MAX_BODY_BYTES) this.stop('tooLarge');
  }
}

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
    let reader: BodyReader | undefined;
    const request = (isTls ? requestTls : requestPlain)({
      host: target.host,
      port: target.port,
      lookup: target.lookup,
      path: `${url.pathname}${url.search}`,
      method,
      headers: headersFor(url, headers, body),
      agent: false,
      signal,
      maxHeaderSize: MAX_HEADER_BYTES,
    });
    const answered = (response: IncomingMessage): void => {
      timing.mark('firstByte');
      reader = new BodyReader(response, method);
      void reader.read().then((read) => resolve({ ...headOf(response), ...read, phases: timing.phases() }));
    };
    request.on('response', answered);
    // Another protocol is not spoken here, so nothing can follow.
    request.on('upgrade', (response, socket) => {
      answered(response);
      reader?.stop();
      socket.destroy();
    });
    timing.watch(request);
    // Over TLS, nothing is sent before the certificate has been accepted.
    request.once('socket', (socket) =>
      socket.once(isTls ? 'secureConnect' : 'connect', () => (isSent = true)),
    );
    request.on('error', (error) => {
      // What came before stays an answer.
      if (reader) reader.stop(signal.aborted ? 'late' : 'unreadable');
      else reject(new CallFailed(codeOf(error), isSent));
    });
    request.end(body);
  });

/** Control characters of a status text could not be stored. */
const printable = (text: string): string => text.replaceAll(/\p{Cc}/gu, '\ufffd');

const headOf = ({ statusCode = 0, statusMessage = '', httpVersion, rawHeaders }: IncomingMessage) => ({
  status: statusCode,
  statusText: printable(statusMessage),
  httpVersion,
  headers: pairsOf(rawHeaders),
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
    // Not deflate: servers disagree on what that is.
    'accept-encoding': 'gzip, br',
  };
  const chosen = new Map<string, string[]>();
  for (const [name, value] of headers)
    chosen.set(name.toLowerCase(), [...(chosen.get(name.toLowerCase()) ?? []), value]);
  for (const [name, values] of chosen) all[name] = values.length === 1 ? (values[0] ?? '') : values;
  if (body !== undefined) all['content-length'] = String(Buffer.byteLength(body));
  return all;
};
