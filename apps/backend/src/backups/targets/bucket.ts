/** The few S3 calls that archives need. Every body is signed, so the server accepts exactly what was sent. */
import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { type IncomingHttpHeaders, request as requestPlain } from 'node:http';
import { type RequestOptions, request as requestTls } from 'node:https';
import { Readable } from 'node:stream';
import { addressOf, hostOf, type Outbound } from '../../platform/outbound';
import {
  BucketFault,
  exactly,
  LEAST_BYTES_PER_SECOND,
  LIMITS,
  MAX_ANSWER_BYTES,
  MAX_OBJECTS,
  MAX_PAGES,
  MAX_UPLOADS,
  type BucketLimits,
} from './bucket-limits';
import { encoded, queryOf, sha256Of, signed, type Credentials } from './signature';
import type { Attempt } from './target';

export interface BucketAddress extends Credentials {
  /** For example `https://s3.eu-central-1.amazonaws.com`. */
  endpoint: string;
  bucket: string;
  /** The bucket is in the path, not in the host name. */
  pathStyle: boolean;
}

interface Sent {
  method: 'GET' | 'PUT' | 'POST' | 'DELETE';
  /** Undefined: the call is about the bucket itself. */
  key?: string;
  query?: Record<string, string>;
  headers?: Record<string, string>;
  /** Idle timeout, if longer than usual. */
  idleMs?: number;
  /** Return the answer as a stream of that many bytes, unless it is a refusal. */
  streams?: { bytes: number };
  body?: { sha256: string; bytes: number; open: () => Readable | string };
}

interface Answer {
  status: number;
  headers: IncomingHttpHeaders;
  body: Buffer;
  stream?: Readable;
}

interface Part {
  from: number;
  bytes: number;
}

const EMPTY = sha256Of('');
const textIn = (xml: string, name: string): string[] =>
  [...xml.matchAll(new RegExp(`<${name}>([^<]*)</${name}>`, 'g'))].map(([, text = '']) =>
    text
      .replaceAll('&quot;', '"')
      .replaceAll('&apos;', "'")
      .replaceAll('&lt;', '<')
      .replaceAll('&gt;', '>')
      .replaceAll('&amp;', '&'),
  );

const hashOf = async (file: string, { from, bytes }: Part): Promise<string> => {
  const hash = createHash('sha256');
  for await (const chunk of createReadStream(file, { start: from, end: from + bytes - 1 }))
    hash.update(chunk as Buffer);
  return hash.digest('hex');
};

const refusal = (host: string, { status, body }: Answer): BucketFault => {
  const xml = body.toString();
  const [code, message] = [textIn(xml, 'Code')[0], textIn(xml, 'Message')[0]];
  const why = code === undefined ? '' : `: ${code}${message ? `, ${message}` : ''}`;
  return new BucketFault(`${host} refused with ${status}${why}`.slice(0, 400), { status, code });
};

/** The server reports that it did not carry out the call. */
const isRefusal = (error: unknown): boolean =>
  error instanceof BucketFault && error.answered !== undefined && error.answered.status < 500;

export class Bucket {
  private readonly limits: BucketLimits;

  /** @param limits tests shorten them */
  constructor(
    private readonly address: BucketAddress,
    private readonly outbound: Outbound,
    limits: Partial<BucketLimits> = {},
  ) {
    this.limits = { ...LIMITS, ...limits };
  }

  /** Names and sizes of all objects whose names begin with the prefix. */
  async list(prefix: string, onPage?: () => void): Promise<{ key: string; bytes: number }[]> {
    const found: { key: string; bytes: number }[] = [];
    let pages = 0;
    for (let token: string | undefined = ''; token !== undefined;) {
      if (pages++ >= MAX_PAGES || found.length > MAX_OBJECTS)
        throw new BucketFault(
          `${this.host} lists objects without end: ${found.length} on ${MAX_PAGES} pages at most are read; name a prefix of its own for the archives`,
        );
      const next: Record<string, string> = token === '' ? {} : { 'continuation-token': token };
      const { body } = await this.send({ method: 'GET', query: { 'list-type': '2', prefix, ...next } });
      onPage?.();
      const xml = body.toString();
      if (!xml.includes('<ListBucketResult'))
        throw new BucketFault(`${this.host} did not answer with a list of objects: check the endpoint`);
      const [keys, sizes] = [textIn(xml, 'Key'), textIn(xml, 'Size')];
      found.push(...keys.map((key, nth) => ({ key, bytes: Number(sizes[nth]) })));
      token = textIn(xml, 'NextContinuationToken')[0];
    }
    return found;
  }

  /** The first bytes of an object, or fewer if it is shorter. */
  async begin(key: string, bytes: number): Promise<Buffer> {
    const headers = { range: `bytes=0-${bytes - 1}` };
    return (await this.send({ method: 'GET', key, headers })).body.subarray(0, bytes);
  }

  /** A whole object of that size as a stream. */
  async open(key: string, bytes: number): Promise<Readable> {
    const { stream } = await this.send({ method: 'GET', key, streams: { bytes } });
    return stream ?? Readable.from([]);
  }

  async remove(key: string): Promise<void> {
    await this.send({ method: 'DELETE', key });
  }

  /** The object appears under its name only after all of it has arrived. */
  async put(key: string, file: string, attempt: Attempt): Promise<void> {
    const { size } = await stat(file);
    try {
      if (size > this.limits.partBytes) await this.putInParts(key, file, size, attempt);
      else await this.putPart({ method: 'PUT', key }, file, { from: 0, bytes: size }, attempt);
    } catch (error) {
      // The answer to a completed upload may be lost. Names are used only once, so an object of this size is ours.
      if (attempt.signal.aborted || isRefusal(error) || !(await this.has(key, size))) throw error;
    }
  }

  /** Also false if that cannot be determined. */
  private async has(key: string, bytes: number): Promise<boolean> {
    const found = await this.list(key).catch(() => []);
    return found.some((one) => one.key === key && one.bytes === bytes);
  }

  /**
   * Aborts uploads of a killed process: they are not listed as objects but take up space. Leaves other programs'
   * uploads alone.
   */
  async dropUnfinished(prefix: string, isOwn: (key: string) => boolean): Promise<void> {
    const { body } = await this.send({ method: 'GET', query: { uploads: '', prefix } });
    const xml = body.toString();
    const [keys, ids] = [textIn(xml, 'Key'), textIn(xml, 'UploadId')];
    for (const [nth, key] of keys.slice(0, MAX_UPLOADS).entries())
      if (isOwn(key)) await this.send({ method: 'DELETE', key, query: { uploadId: ids[nth] ?? '' } });
  }

  private async putInParts(key: string, file: string, size: number, attempt: Attempt): Promise<void> {
    const { signal, busy } = attempt;
    const { body } = await this.send({ method: 'POST', key, query: { uploads: '' } }, signal);
    const [uploadId = ''] = textIn(body.toString(), 'UploadId');
    try {
      const tags: string[] = [];
      for (let from = 0; from < size; from += this.limits.partBytes) {
        const part = { from, bytes: Math.min(this.limits.partBytes, size - from) };
        const query = { partNumber: String(tags.length + 1), uploadId };
        const { headers } = await this.putPart({ method: 'PUT', key, query }, file, part, attempt);
        tags.push(headers.etag ?? '');
      }
      const parts = tags.map(
        (tag, nth) => `<Part><PartNumber>${nth + 1}</PartNumber><ETag>${tag}</ETag></Part>`,
      );
      const text = `<CompleteMultipartUpload>${parts.join('')}</CompleteMultipartUpload>`;
      const whole = { sha256: sha256Of(text), bytes: Buffer.byteLength(text), open: () => text };
      busy();
      const join = {
        method: 'POST',
        key,
        query: { uploadId },
        body: whole,
        idleMs: this.limits.joinMs,
      } as const;
      const done = await this.send(join, signal);
      // Amazon sends status 200 before it knows the result.
      if (textIn(done.body.toString(), 'Code').length > 0) throw refusal(this.host, done);
    } catch (error) {
      await this.send({ method: 'DELETE', key, query: { uploadId } }).catch(() => undefined);
      throw error;
    }
  }

  private async putPart(call: Sent, file: string, part: Part, { signal, alive }: Attempt): Promise<Answer> {
    const open = (): Readable => {
      const stream = createReadStream(file, { start: part.from, end: part.from + part.bytes - 1 });
      stream.on('data', alive);
      return stream.pause();
    };
    const sha256 = await hashOf(file, part);
    alive();
    return this.send({ ...call, body: { sha256, bytes: part.bytes, open } }, signal);
  }

  private get host(): string {
    return new URL(this.address.endpoint).host;
  }

  private urlOf({ key, query = {} }: Sent): URL {
    const { endpoint, bucket, pathStyle } = this.address;
    const url = new URL(endpoint);
    // An IP address has no subdomains.
    const inPath = pathStyle || addressOf(hostOf(endpoint)) !== undefined;
    if (!inPath) url.host = `${bucket}.${url.host}`;
    const parts = [...(inPath ? [bucket] : []), ...(key === undefined ? [] : key.split('/'))];
    url.pathname = `/${parts.map(encoded).join('/')}`;
    for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value);
    return url;
  }

  /** @throws BucketFault, OutboundRefused */
  private async send(sent: Sent, signal?: AbortSignal): Promise<Answer> {
    const url = this.urlOf(sent);
    const { method, body } = sent;
    const plain = {
      ...sent.headers,
      ...(body || method === 'PUT' || method === 'POST'
        ? { 'content-length': String(body?.bytes ?? 0) }
        : {}),
    };
    const unsigned = { method, url, headers: plain, sha256: body?.sha256 ?? EMPTY };
    const headers = signed(unsigned, this.address, new Date());
    const port = Number(url.port) || (url.protocol === 'http:' ? 80 : 443);
    const target = await this.outbound.reach({ host: hostOf(url.href), port });
    const query = queryOf(url);
    const answer = await this.exchange(
      url,
      {
        host: target.host,
        port,
        method,
        headers,
        lookup: target.lookup,
        agent: false,
        path: `${url.pathname}${query === '' ? '' : `?${query}`}`,
        ...(signal ? { signal } : {}),
      },
      sent,
    );
    if (answer.status >= 300) throw refusal(url.host, answer);
    return answer;
  }

  private exchange(
    url: URL,
    options: RequestOptions,
    { body, streams, idleMs = this.limits.idleMs }: Sent,
  ): Promise<Answer> {
    return new Promise((resolve, reject) => {
      let deadline: NodeJS.Timeout | undefined;
      const endBy = (ms: number): void => {
        clearTimeout(deadline);
        deadline = setTimeout(
          () => call.destroy(new BucketFault(`${url.host} did not end its answer within ${ms / 1000} s`)),
          ms,
        );
      };
      const fail = (error: unknown): void => {
        const { code, message } = error as NodeJS.ErrnoException;
        if (error instanceof BucketFault) reject(error);
        else reject(new BucketFault(`${url.host} ${code === undefined ? '' : `(${code}) `}${message}`));
      };
      const call = (url.protocol === 'http:' ? requestPlain : requestTls)(options, (response) => {
        const { statusCode: status = 0, headers } = response;
        if (streams && status < 300) {
          endBy(this.limits.answerMs + (streams.bytes / LEAST_BYTES_PER_SECOND) * 1000);
          const stream = exactly(response, streams.bytes, url.host);
          return resolve({ status, headers, body: Buffer.alloc(0), stream });
        }
        const parts: Buffer[] = [];
        let bytes = 0;
        response.on('data', (part: Buffer) => {
          bytes += part.length;
          parts.push(part);
          if (bytes > MAX_ANSWER_BYTES)
            response.destroy(new BucketFault(`${url.host} answered more than ${MAX_ANSWER_BYTES} bytes`));
        });
        response.on('error', fail);
        response.on('end', () => resolve({ status, headers, body: Buffer.concat(parts) }));
      });
      call.setTimeout(idleMs, () =>
        call.destroy(new BucketFault(`${url.host} did not answer within ${idleMs / 1000} s`)),
      );
      call.on('error', fail);
      // A server that sends a byte now and then is never idle.
      call.on('finish', () => endBy(Math.max(this.limits.answerMs, idleMs)));
      call.on('close', () => clearTimeout(deadline));
      const source = body?.open();
      if (source === undefined || typeof source === 'string') call.end(source);
      else {
        source.on('error', (error) => call.destroy(error));
        call.on('close', () => source.destroy());
        source.pipe(call);
      }
    });
  }
}
