/**
 * A fake S3 server, as far as archives need it, and as strict: it verifies every signature by the published algorithm
 * and the checksum of every body, and keeps only objects that arrived completely. It can refuse, hang, be full, or
 * break off in the middle of a body.
 */
import { createHash, createHmac, timingSafeEqual } from 'node:crypto';
import { createServer, ServerResponse, type IncomingMessage } from 'node:http';
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
  bucket: string;
  region: string;
  accessKeyId: string;
  secretAccessKey: string;
  objects: Map<string, Buffer>;
  /** Objects in a storage class from which they must be restored before they can be read. */
  frozen: Set<string>;
  /** Operations that the credentials do not permit. */
  denied: 'uploads' | undefined;
  /** Multipart uploads that were neither completed nor aborted. */
  uploads: Map<string, { key: string; parts: Map<number, Buffer> }>;
  /** How the next calls are treated. `breakOff`: the connection ends in the middle of a body. */
  mood: 'well' | 'hang' | 'full' | 'breakOff';
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
  ) {
    super(message);
  }
}

/** Recomputes the signature of the request by the Amazon S3 reference. */
const checkSignature = (request: IncomingMessage, body: Buffer, server: S3Server): void => {
  const { method = '', headers } = request;
  const url = new URL(request.url ?? '/', server.url);
  const given =
    /^AWS4-HMAC-SHA256 Credential=([^/]+)\/(\d{8})\/([^/]+)\/s3\/aws4_request,SignedHeaders=([^,]+),Signature=(\w{64})$/.exec(
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
  for (const wanted of ['host', 'x-amz-content-sha256', 'x-amz-date'])
    if (!names.split(';').includes(wanted)) throw new Refusal(403, 'AccessDenied', `${wanted} is not signed`);
  const sha256 = String(headers['x-amz-content-sha256']);
  if (sha256 !== hex(body)) throw new Refusal(400, 'XAmzContentSHA256Mismatch', 'The body is another one.');
  const time = String(headers['x-amz-date']);
  const at = Date.parse(time.replace(/^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/, '$1-$2-$3T$4:$5:$6Z'));
  if (!(Math.abs(Date.now() - at) < 15 * 60_000))
    throw new Refusal(403, 'RequestTimeTooSkewed', 'The clocks differ too much.');
  const query = [...url.searchParams].map(([k, v]) => `${strict(k)}=${strict(v)}`).sort();
  const lines = names.split(';').map((name) => `${name}:${String(headers[name]).trim()}`);
  const canonical = [method, url.pathname, query.join('&'), ...lines, '', names, sha256].join('\n');
  const text = ['AWS4-HMAC-SHA256', time, `${day}/${region}/s3/aws4_request`, hex(canonical)].join('\n');
  const key = mac(mac(mac(mac(`AWS4${server.secretAccessKey}`, day), region), 's3'), 'aws4_request');
  const isSame = timingSafeEqual(mac(key, text), Buffer.from(signature, 'hex'));
  if (!isSame || region !== server.region)
    throw new Refusal(403, 'SignatureDoesNotMatch', 'The request signature we calculated does not match.');
};

const answerTo = (
  request: IncomingMessage,
  response: ServerResponse,
  body: Buffer,
  server: S3Server,
): void => {
  const url = new URL(request.url ?? '/', server.url);
  const [, bucket, ...rest] = url.pathname.split('/').map(decodeURIComponent);
  const key = rest.join('/');
  const { objects, uploads } = server;
  const query = url.searchParams;
  const uploadId = query.get('uploadId');
  const upload = uploadId === null ? undefined : uploads.get(uploadId);
  if (bucket !== server.bucket) throw new Refusal(404, 'NoSuchBucket', 'The specified bucket does not exist');
  if (uploadId !== null && !upload) throw new Refusal(404, 'NoSuchUpload', 'The upload does not exist');
  const isBody = request.method === 'PUT';
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
        `<ListMultipartUploadsResult>${open.map(([id, one]) => `<Upload><Key>${one.key}</Key><UploadId>${id}</UploadId></Upload>`).join('')}</ListMultipartUploadsResult>`,
      );
    }
    const names = [...objects.keys()].filter((name) => name.startsWith(prefix)).sort();
    const from = Number(query.get('continuation-token') ?? 0);
    const page = names.slice(from, from + server.pageSize);
    const more = from + page.length < names.length;
    return xml(
      `<ListBucketResult><IsTruncated>${more}</IsTruncated>${page.map((name) => `<Contents><Key>${name}</Key><Size>${objects.get(name)!.length}</Size></Contents>`).join('')}${more ? `<NextContinuationToken>${from + page.length}</NextContinuationToken>` : ''}</ListBucketResult>`,
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
    const range = /^bytes=(\d+)-(\d+)$/.exec(request.headers.range ?? '');
    if (!range) return void response.end(found);
    if (Number(range[1]) >= found.length)
      throw new Refusal(416, 'InvalidRange', 'The requested range is not satisfiable');
    response.statusCode = 206;
    return void response.end(found.subarray(Number(range[1]), Number(range[2]) + 1));
  }
  if (request.method === 'DELETE') {
    if (uploadId === null) objects.delete(key);
    else uploads.delete(uploadId);
    response.statusCode = 204;
    return void response.end();
  }
  if (request.method === 'POST' && query.has('uploads')) {
    const id = `upload-${server.calls.length}`;
    uploads.set(id, { key, parts: new Map() });
    return xml(`<InitiateMultipartUploadResult><UploadId>${id}</UploadId></InitiateMultipartUploadResult>`);
  }
  if (request.method === 'POST' && upload) {
    const wanted = [...body.toString().matchAll(/<PartNumber>(\d+)<\/PartNumber><ETag>"?(\w+)"?<\/ETag>/g)];
    const parts = wanted.map(([, number, tag]) => {
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

export const startS3 = async (): Promise<S3Server> => {
  const server: S3Server = {
    url: '',
    bucket: 'backups',
    region: 'eu-test-1',
    pageSize: 1_000,
    mood: 'well',
    calls: [],
    accessKeyId: 'AKIATEST',
    secretAccessKey: 'a secret access key of the test',
    objects: new Map(),
    frozen: new Set(),
    uploads: new Map(),
    halt: undefined,
    denied: undefined,
    stop: async () => {
      http.closeAllConnections();
      await new Promise((done) => http.close(done));
    },
  };
  const http = createServer((request, response) => {
    server.calls.push(`${request.method} ${request.url}`);
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
        checkSignature(request, body, server);
        // When halted, carry out the request, but write the answer to a response without a connection.
        const heard = isHalted(true) ? new ServerResponse(request) : response;
        answerTo(request, heard, body, server);
      } catch (error) {
        if (!(error instanceof Refusal)) throw error;
        response.statusCode = error.status;
        response.end(`<Error><Code>${error.code}</Code><Message>${error.message}</Message></Error>`);
      }
    });
  });
  await new Promise<void>((done) => http.listen(0, '127.0.0.1', done));
  server.url = `http://127.0.0.1:${(http.address() as AddressInfo).port}`;
  return server;
};
