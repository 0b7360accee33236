/**
 * A fake S3 server, as far as archives need it, and as strict: it verifies every signature by the published algorithm
 * and the checksum of every body, and keeps only objects that arrived completely. It can refuse (also before it has read
 * the body), hang, be full, slow down, break off in the middle of a body, or say yes to everything.
 */
import { createHash, createHmac, timingSafeEqual } from 'node:crypto';
import { crc32 } from 'node:zlib';
import { createServer, ServerResponse, type IncomingHttpHeaders, type IncomingMessage } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo } from 'node:net';

interface Seen {
  method: string;
  /** Bytes of the body received so far. */
  bytes: number;
  /** The whole body has arrived. Halting now carries out the request, but withholds the answer. */
  isDone: boolean;
}

export interface S3Server {
  url: string;
  /** What the path begins with before the bucket, such as `/v1/s3`. Part of `url`. */
  base: string;
  bucket: string;
  region: string;
  accessKeyId: string;
  secretAccessKey: string;
  /** Each call has to bring it, as with keys that expire. */
  sessionToken: string | undefined;
  objects: Map<string, Buffer>;
  /** Objects in a storage class from which they must be restored before they can be read. */
  frozen: Set<string>;
  /** Objects that were encrypted with a key that only their owner has. */
  sealed: Set<string>;
  /** Keys that nobody may delete for now (Object Lock), by their end. */
  locked: Set<string>;
  /** Operations that the credentials do not permit. */
  denied: 'uploads' | 'read' | 'write' | 'delete' | undefined;
  /** Multipart uploads that were neither completed nor aborted. `ghost`: listed, and not found (a known fault of Ceph). */
  uploads: Map<string, { key: string; begun: Date; ghost?: true; parts: Map<number, Buffer> }>;
  /**
   * How the next calls are treated. `breakOff`: the connection ends in the middle of a body. `portal`: a page for every
   * call, with 200. `yes`: 200 to each PUT, and nothing is kept. `endless`: a list that always begins again. `tokenless`: one that
   * goes on, and does not say where.
   */
  mood: 'well' | 'hang' | 'full' | 'breakOff' | 'portal' | 'yes' | 'endless' | 'tokenless';
  /** How far its clock is ahead, in milliseconds. */
  aheadMs: number;
  /** So many of the next calls are answered with 503, as by a server that wants fewer of them. */
  slowDowns: number;
  /** A write is refused before its body is read, as by a server that knows `Expect: 100-continue`. */
  refusesEarly: boolean;
  /** Headers of the writes. */
  written: IncomingHttpHeaders[];
  /** Objects per page of a list. */
  pageSize: number;
  calls: string[];
  /** Called for each call, each piece of its body, and before its answer. If true, the call hangs there for good. */
  halt: ((seen: Seen) => boolean) | undefined;
  stop(): Promise<void>;
}

const hex = (data: Buffer | string): string => createHash('sha256').update(data).digest('hex');
const mac = (key: Buffer | string, text: string): Buffer => createHmac('sha256', key).update(text).digest();
const strict = (text: string): string =>
  encodeURIComponent(text).replaceAll(/[!'()*]/g, (c) => `%${c.charCodeAt(0).toString(16).toUpperCase()}`);

class Refusal extends Error {
  constructor(
    readonly status: number,
    readonly code: string,
    message: string,
    readonly more = '',
  ) {
    super(message);
  }
}

/** Recomputes the signature of the request by the Amazon S3 reference. */
const checkSignature = (request: IncomingMessage, body: Buffer, server: S3Server): void => {
  const { method = '', headers } = request;
  const url = new URL(request.url ?? '/', server.url);
  const given =
    /^AWS4-HMAC-SHA256 Credential=([^/]+)\/(\d{8})\/([^/]+)\/s3\/aws4_request,\s*SignedHeaders=([^,]+),\s*Signature=(\w{64})$/.exec(
      headers.authorization ?? '',
    );
  if (!given) throw new Refusal(403, 'AccessDenied', 'Access Denied.');
  const [, keyId, day = '', region = '', names = '', signature = ''] = given;
  if (keyId !== server.accessKeyId)
    throw new Refusal(
      403,
      'InvalidAccessKeyId',
      'The Access Key Id you provided does not exist in our records.',
    );
  const token = headers['x-amz-security-token'];
  if (token !== server.sessionToken)
    throw new Refusal(403, 'InvalidToken', 'The provided token is malformed or otherwise invalid.');
  for (const wanted of ['host', 'x-amz-content-sha256', 'x-amz-date'])
    if (!names.split(';').includes(wanted)) throw new Refusal(403, 'AccessDenied', `${wanted} is not signed`);
  const sha256 = String(headers['x-amz-content-sha256']);
  if (sha256 !== hex(body)) throw new Refusal(400, 'XAmzContentSHA256Mismatch', 'The body is another one.');
  const time = String(headers['x-amz-date']);
  const at = Date.parse(time.replace(/^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/, '$1-$2-$3T$4:$5:$6Z'));
  if (!(Math.abs(Date.now() + server.aheadMs - at) < 15 * 60_000))
    throw new Refusal(403, 'RequestTimeTooSkewed', 'The clocks differ too much.');
  const query = [...url.searchParams].map(([k, v]) => `${strict(k)}=${strict(v)}`).sort();
  const lines = names.split(';').map((name) => `${name}:${String(headers[name]).trim()}`);
  const canonical = [method, url.pathname, query.join('&'), ...lines, '', names, sha256].join('\n');
  const text = ['AWS4-HMAC-SHA256', time, `${day}/${region}/s3/aws4_request`, hex(canonical)].join('\n');
  const key = mac(mac(mac(mac(`AWS4${server.secretAccessKey}`, day), region), 's3'), 'aws4_request');
  if (region !== server.region)
    throw new Refusal(
      400,
      'AuthorizationHeaderMalformed',
      `The authorization header is malformed; the region '${region}' is wrong; expecting '${server.region}'`,
      `<Region>${server.region}</Region>`,
    );
  const isSame = timingSafeEqual(mac(key, text), Buffer.from(signature, 'hex'));
  if (!isSame)
    throw new Refusal(403, 'SignatureDoesNotMatch', 'The request signature we calculated does not match.');
};

/** The checksum that Object Lock demands. */
const checkSum = ({ headers }: IncomingMessage, body: Buffer): void => {
  const sum = Buffer.alloc(4);
  sum.writeUInt32BE(crc32(body));
  const given = headers['x-amz-checksum-crc32'];
  if (given === undefined)
    throw new Refusal(
      400,
      'InvalidRequest',
      'Content-MD5 or x-amz-checksum- is required for Put Part requests',
    );
  if (given !== sum.toString('base64')) throw new Refusal(400, 'BadDigest', 'The checksum does not match.');
};

const answerTo = (
  request: IncomingMessage,
  response: ServerResponse,
  body: Buffer,
  server: S3Server,
): void => {
  const url = new URL(request.url ?? '/', server.url);
  if (!url.pathname.startsWith(`${server.base}/`))
    throw new Refusal(404, 'NotFound', 'There is nothing here.');
  const path = url.pathname.slice(server.base.length);
  const [, bucket, ...rest] = path.split('/').map(decodeURIComponent);
  const key = rest.join('/');
  const { objects, uploads } = server;
  const query = url.searchParams;
  const uploadId = query.get('uploadId');
  const upload = uploadId === null ? undefined : uploads.get(uploadId);
  if (bucket !== server.bucket) throw new Refusal(404, 'NoSuchBucket', 'The specified bucket does not exist');
  const what = request.method === 'GET' ? 'read' : request.method === 'DELETE' ? 'delete' : 'write';
  if (key !== '' && server.denied === what) throw new Refusal(403, 'AccessDenied', 'Access Denied.');
  if (uploadId !== null && (!upload || upload.ghost))
    throw new Refusal(404, 'NoSuchUpload', 'The upload does not exist');
  const isBody = request.method === 'PUT';
  if (isBody) {
    server.written.push(request.headers);
    checkSum(request, body);
  }
  if (isBody && server.mood === 'yes') {
    response.setHeader('etag', '"0"');
    return void response.end();
  }
  if (isBody && server.mood === 'full')
    throw new Refusal(
      507,
      'XMinioStorageFull',
      'Storage backend has reached its minimum free drive threshold.',
    );
  const xml = (text: string): void => void response.end(`<?xml version="1.0" encoding="UTF-8"?>${text}`);
  if (request.method === 'GET' && key === '') {
    const prefix = query.get('prefix') ?? '';
    if (query.has('uploads')) {
      if (server.denied === 'uploads') throw new Refusal(403, 'AccessDenied', 'Access Denied.');
      const open = [...uploads].filter(([, one]) => one.key.startsWith(prefix));
      return xml(
        `<ListMultipartUploadsResult>${open.map(([id, one]) => `<Upload><Key>${one.key}</Key><UploadId>${id}</UploadId><Initiated>${one.begun.toISOString()}</Initiated></Upload>`).join('')}</ListMultipartUploadsResult>`,
      );
    }
    const names = [...objects.keys()].filter((name) => name.startsWith(prefix)).sort();
    const from = server.mood === 'endless' ? 0 : Number(query.get('continuation-token') ?? 0);
    const page = names.slice(from, from + server.pageSize);
    const more = /^(endless|tokenless)$/.test(server.mood) || from + page.length < names.length;
    return xml(
      `<ListBucketResult><Name>${bucket}</Name><IsTruncated>${more}</IsTruncated>${page.map((name) => `<Contents><Key>${name}</Key><Size>${objects.get(name)!.length}</Size></Contents>`).join('')}${more && server.mood !== 'tokenless' ? `<NextContinuationToken>${from + page.length}</NextContinuationToken>` : ''}</ListBucketResult>`,
    );
  }
  if (request.method === 'GET') {
    const found = objects.get(key);
    if (!found) throw new Refusal(404, 'NoSuchKey', 'The specified key does not exist.');
    if (server.frozen.has(key))
      throw new Refusal(
        403,
        'InvalidObjectState',
        "The operation is not valid for the object's storage class",
      );
    if (server.sealed.has(key))
      throw new Refusal(
        400,
        'InvalidRequest',
        'The object was stored using a form of Server Side Encryption. The correct parameters must be provided to retrieve the object.',
      );
    const range = /^bytes=(\d+)-(\d+)$/.exec(request.headers.range ?? '');
    if (!range) return void response.end(found);
    if (Number(range[1]) >= found.length)
      throw new Refusal(416, 'InvalidRange', 'The requested range is not satisfiable');
    response.statusCode = 206;
    response.setHeader(
      'content-range',
      `bytes ${range[1]}-${Math.min(Number(range[2]), found.length - 1)}/${found.length}`,
    );
    return void response.end(found.subarray(Number(range[1]), Number(range[2]) + 1));
  }
  if (request.method === 'DELETE') {
    if (uploadId === null && server.locked.has(key))
      throw new Refusal(403, 'AccessDenied', 'Access Denied because object protected by object lock.');
    if (uploadId === null) objects.delete(key);
    else uploads.delete(uploadId);
    response.statusCode = 204;
    return void response.end();
  }
  if (request.method === 'POST' && query.has('uploads')) {
    const id = `upload-${server.calls.length}`;
    uploads.set(id, { key, begun: new Date(), parts: new Map() });
    return xml(`<InitiateMultipartUploadResult><UploadId>${id}</UploadId></InitiateMultipartUploadResult>`);
  }
  if (request.method === 'POST' && upload) {
    const wanted = [...body.toString().matchAll(/<Part>.*?<\/Part>/gs)].map(([text]) => [
      /<PartNumber>(\d+)</.exec(text)?.[1],
      /<ETag>(?:"|&quot;)?(\w+)/.exec(text)?.[1],
    ]);
    const parts = wanted.map(([number, tag]) => {
      const part = upload.parts.get(Number(number));
      if (!part || hex(part) !== tag) throw new Refusal(400, 'InvalidPart', 'A part could not be found.');
      return part;
    });
    objects.set(key, Buffer.concat(parts));
    uploads.delete(uploadId!);
    return xml('<CompleteMultipartUploadResult></CompleteMultipartUploadResult>');
  }
  if (!isBody) throw new Refusal(405, 'MethodNotAllowed', 'The specified method is not allowed.');
  if (upload) upload.parts.set(Number(query.get('partNumber')), body);
  else objects.set(key, body);
  response.setHeader('etag', `"${hex(body)}"`);
  response.end();
};

/** @param tls serves https with that key and certificate */
export const startS3 = async (tls?: { key: string; cert: string }, base = ''): Promise<S3Server> => {
  const server: S3Server = {
    url: '',
    base,
    bucket: 'backups',
    region: 'eu-test-1',
    pageSize: 1_000,
    mood: 'well',
    calls: [],
    accessKeyId: 'AKIATEST',
    secretAccessKey: 'a secret access key of the test',
    sessionToken: undefined,
    objects: new Map(),
    frozen: new Set(),
    sealed: new Set(),
    locked: new Set(),
    aheadMs: 0,
    slowDowns: 0,
    refusesEarly: false,
    written: [],
    uploads: new Map(),
    halt: undefined,
    denied: undefined,
    stop: async () => {
      http.closeAllConnections();
      await new Promise((done) => http.close(done));
    },
  };
  const refuse = (response: ServerResponse, { status, code, message, more }: Refusal): void => {
    response.statusCode = status;
    response.end(`<Error><Code>${code}</Code><Message>${message}</Message>${more}</Error>`);
  };
  const serve = (request: IncomingMessage, response: ServerResponse): void => {
    server.calls.push(`${request.method} ${request.url}`);
    response.setHeader('date', new Date(Date.now() + server.aheadMs).toUTCString());
    const parts: Buffer[] = [];
    let bytes = 0;
    const isHalted = (isDone: boolean): boolean =>
      server.halt?.({ method: request.method ?? '', bytes, isDone }) ?? false;
    if (server.mood === 'hang' || isHalted(false)) return;
    request.on('data', (part: Buffer) => {
      parts.push(part);
      bytes += part.length;
      if (request.method === 'PUT' && isHalted(false)) request.pause();
      if (server.mood === 'breakOff' && request.method === 'PUT') request.destroy();
    });
    request.on('error', () => undefined);
    request.on('end', () => {
      try {
        const body = Buffer.concat(parts);
        if (server.mood === 'portal') return void response.end('<!doctype html><title>Sign in</title>');
        if (server.slowDowns > 0) {
          server.slowDowns -= 1;
          throw new Refusal(503, 'SlowDown', 'Please reduce your request rate.');
        }
        checkSignature(request, body, server);
        // When halted, carry out the request, but write the answer to a response without a connection.
        const heard = isHalted(true) ? new ServerResponse(request) : response;
        answerTo(request, heard, body, server);
      } catch (error) {
        if (!(error instanceof Refusal)) throw error;
        refuse(response, error);
      }
    });
  };
  const http = tls ? createTlsServer(tls, serve) : createServer(serve);
  http.on('checkContinue', (request: IncomingMessage, response: ServerResponse) => {
    if (server.refusesEarly) {
      server.calls.push(`${request.method} ${request.url}`);
      return refuse(response, new Refusal(403, 'AccessDenied', 'Access Denied.'));
    }
    response.writeContinue();
    serve(request, response);
  });
  await new Promise<void>((done) => http.listen(0, '127.0.0.1', done));
  server.url = `${tls ? 'https' : 'http'}://127.0.0.1:${(http.address() as AddressInfo).port}${base}`;
  return server;
};
