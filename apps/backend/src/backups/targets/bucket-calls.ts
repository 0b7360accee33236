/**
 * The calls of Amazon's client, made over the outbound rules: each host that it names, also after a redirect, is resolved
 * once and judged, and the call goes to that address. The handler of the client's own makes an agent of its own for a
 * body that waits for `100 Continue`, which would leave these rules.
 */
import { request as requestPlain, type IncomingMessage } from 'node:http';
import { request as requestTls } from 'node:https';
import { Readable } from 'node:stream';
import { hostOf, type Outbound } from '../../platform/outbound';
import { trusting } from '../../platform/tls';
import {
  BucketFault,
  LEAST_BYTES_PER_SECOND,
  MAX_ANSWER_BYTES,
  paced,
  type BucketLimits,
} from './bucket-limits';

/** As the client gives it. */
interface BucketRequest {
  protocol: string;
  hostname: string;
  port?: number;
  method: string;
  path: string;
  query?: Record<string, string | readonly string[] | null>;
  headers: Record<string, string>;
  body?: unknown;
}

interface BucketAnswer {
  statusCode: number;
  headers: Record<string, string>;
  body: Readable;
}

interface Around {
  outbound: Outbound;
  limits: BucketLimits;
  /** PEM of authorities to trust in addition to the usual ones. */
  ca: string | undefined;
  /** Called with each call, and with each piece of a body that the server has taken. */
  alive: () => void;
  /** Called with each call that the client makes again. */
  repeated: () => void;
}

/** Larger ones are faster, and make a slow connection look silent. */
const PIECE_BYTES = 512 * 1024;
/** A server that does not know `Expect` says nothing. */
const CONTINUE_MS = 2_000;

/** The client repeats calls that ended with such an error. */
const timeout = (message: string): Error => Object.assign(new BucketFault(message), { name: 'TimeoutError' });

/** As the signature of the client has it. */
const encoded = (text: string): string =>
  encodeURIComponent(text).replaceAll(
    /[!'()*]/g,
    (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`,
  );

const queryOf = (query: BucketRequest['query'] = {}): string => {
  const parts = Object.keys(query)
    .toSorted()
    .flatMap((name) => {
      const value = query[name];
      const values = value === null || value === undefined ? [undefined] : [value].flat();
      return values.map((one) => (one === undefined ? encoded(name) : `${encoded(name)}=${encoded(one)}`));
    });
  return parts.length === 0 ? '' : `?${parts.join('&')}`;
};

const viewOf = ({ buffer, byteOffset, byteLength }: Uint8Array): Buffer =>
  Buffer.from(buffer, byteOffset, byteLength);

const bodyOf = (body: unknown): Readable | undefined => {
  if (body === undefined || body === null) return undefined;
  if (body instanceof Readable) return body;
  // Without a copy: to get as much memory again takes longer than to hash it.
  const bytes = typeof body === 'string' ? Buffer.from(body) : viewOf(body as Uint8Array);
  const pieces = Array.from({ length: Math.ceil(bytes.length / PIECE_BYTES) }, (_, nth) =>
    bytes.subarray(nth * PIECE_BYTES, (nth + 1) * PIECE_BYTES),
  );
  return Readable.from(pieces, { objectMode: false });
};

/** Some servers join the parts of a large object by copying it, and send nothing until they have finished. */
const isJoin = ({ method, query }: BucketRequest): boolean =>
  method === 'POST' && query?.uploadId !== undefined;
const isObject = ({ query }: BucketRequest): boolean => query?.['x-id'] === 'GetObject';

const flat = ({ headers }: IncomingMessage): Record<string, string> =>
  Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [
      name,
      Array.isArray(value) ? value.join(',') : (value ?? ''),
    ]),
  );

const exchange = (
  asked: BucketRequest,
  {
    target,
    limits,
    ca,
    alive,
    signal,
  }: Around & { target: Awaited<ReturnType<Outbound['reach']>>; signal: AbortSignal | undefined },
): Promise<BucketAnswer> =>
  new Promise((resolve, reject) => {
    const { method, headers, path, protocol } = asked;
    const place = headers.host ?? asked.hostname;
    const idleMs = isJoin(asked) ? limits.joinMs : limits.idleMs;
    const source = bodyOf(asked.body);
    let deadline: NodeJS.Timeout | undefined;
    let silence: NodeJS.Timeout | undefined;
    const call = (protocol === 'http:' ? requestPlain : requestTls)(
      {
        host: target.host,
        port: target.port,
        lookup: target.lookup,
        agent: false,
        method,
        headers,
        path: `${path}${queryOf(asked.query)}`,
        ...(protocol === 'https:' && ca !== undefined && { secureContext: trusting(ca) }),
        ...(signal ? { signal } : {}),
      },
      (response) => {
        clearTimeout(deadline);
        // From now on only the time counts in which somebody waits for the server.
        isHeard = true;
        clearTimeout(silence);
        // A body that was refused is not sent to its end.
        response.once('close', () => call.destroy());
        const bytes = isObject(asked) ? Number(response.headers['content-length'] ?? 0) : 0;
        const body = paced(response, {
          place,
          idleMs,
          answerMs: limits.answerMs + (bytes / LEAST_BYTES_PER_SECOND) * 1000,
          maxBytes: isObject(asked) ? Infinity : MAX_ANSWER_BYTES,
        });
        resolve({ statusCode: response.statusCode ?? 0, headers: flat(response), body });
      },
    );
    // A socket's own timeout lets twice the time pass if some of a piece was taken.
    let isHeard = false;
    const moved = (): void => {
      clearTimeout(silence);
      // A server may answer before it has all of a body, or go.
      if (isHeard) return;
      const late = `${place} did not answer within ${idleMs / 1000} s`;
      silence = setTimeout(() => call.destroy(timeout(late)), idleMs);
    };
    moved();
    // A server that sends a byte now and then is never idle.
    call.on('finish', () => {
      moved();
      const ms = Math.max(limits.answerMs, idleMs);
      deadline = setTimeout(
        () => call.destroy(timeout(`${place} did not begin its answer within ${ms / 1000} s`)),
        ms,
      );
    });
    call.on('close', () => {
      clearTimeout(deadline);
      isHeard = true;
      clearTimeout(silence);
      source?.destroy();
    });
    call.on('error', reject);
    if (source === undefined) {
      call.end();
      return;
    }
    source.on('error', (error) => call.destroy(error));
    const send = (): void => {
      // A server that has refused already does not want the body.
      if (!call.destroyed && !call.writableEnded && !source.readableFlowing)
        source.on('data', alive).on('data', moved).pipe(call);
    };
    if ((headers.expect ?? headers.Expect) !== '100-continue') {
      send();
      return;
    }
    const patience = setTimeout(send, CONTINUE_MS);
    for (const heard of ['continue', 'response', 'close']) call.on(heard, () => clearTimeout(patience));
    call.on('continue', send);
    call.flushHeaders();
  });

/** A request handler for Amazon's client. */
export const bucketCalls = (around: Around) => ({
  handle: async (asked: BucketRequest, { abortSignal: signal }: { abortSignal?: AbortSignal } = {}) => {
    around.alive();
    const attempt = /attempt=(\d+)/.exec(asked.headers['amz-sdk-request'] ?? '')?.[1];
    if (Number(attempt ?? 1) > 1) around.repeated();
    const port = asked.port ?? (asked.protocol === 'http:' ? 80 : 443);
    const target = await around.outbound.reach({ host: hostOf(`http://${asked.hostname}`), port });
    return { response: await exchange(asked, { ...around, target, signal }) };
  },
  destroy: () => undefined,
  updateHttpClientConfig: () => undefined,
  httpHandlerConfigs: () => ({}),
});
