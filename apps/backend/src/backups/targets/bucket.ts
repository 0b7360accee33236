/** A bucket, by Amazon's client, which is loaded with the first call: 10 MB that a console without a bucket does not need. */
import type * as S3 from '@aws-sdk/client-s3';
import { open, stat } from 'node:fs/promises';
import type { Readable } from 'node:stream';
import { addressOf, hostOf, type Outbound } from '../../platform/outbound';
import { bucketCalls } from './bucket-calls';
import {
  BucketFault,
  exactly,
  LIMITS,
  MAX_OBJECTS,
  MAX_PAGES,
  MAX_UPLOADS,
  type BucketLimits,
} from './bucket-limits';
import { bucketFault, type Called } from './bucket-reasons';
import { Crc32 } from './crc32';
import type { Attempt } from './target';

export interface BucketAddress {
  /** For example `https://s3.eu-central-1.amazonaws.com`. May have a path. */
  endpoint: string;
  region: string;
  bucket: string;
  /** The bucket is in the path, not in the host name. */
  pathStyle: boolean;
  accessKeyId: string;
  secretAccessKey: string;
  sessionToken?: string | undefined;
  /** PEM of authorities to trust in addition to the usual ones. */
  ca?: string | undefined;
  /** Of new objects, such as `STANDARD_IA`. */
  storageClass?: string | undefined;
  /** By the server, with its own key or with one that its key service has. */
  encryption?: 'AES256' | 'aws:kms' | undefined;
  encryptionKey?: string | undefined;
  /** Only for what a refusal says. */
  prefix?: string | undefined;
}

/** What an object begins with, and its length. */
interface Beginning {
  bytes: Buffer;
  length: number;
}

/** An upload in parts that has begun. */
export interface UploadInParts {
  key: string;
  id: string | undefined;
}

type OnUpload = (upload: UploadInParts) => Promise<unknown> | undefined;

const MAX_PARTS = 9_000;
/** Others may be using the same prefix: after every restore there are two consoles. */
const FORGOTTEN_MS = 24 * 60 * 60_000;

/** The server reports that it did not carry out the call. */
const isRefusal = (error: unknown): boolean =>
  error instanceof BucketFault &&
  error.answered !== undefined &&
  error.answered.status < 500 &&
  error.answered.code !== 'NoSuchUpload';

export class Bucket {
  private readonly limits: BucketLimits;
  private readonly inPath: boolean;
  private alive: () => void = () => undefined;
  private repeats = 0;
  private made: S3.S3Client | undefined;

  /** @param limits tests shorten them */
  constructor(
    private readonly address: BucketAddress,
    private readonly outbound: Outbound,
    limits: Partial<BucketLimits> = {},
  ) {
    this.limits = { ...LIMITS, ...limits };
    // An IP address has no subdomains.
    this.inPath = address.pathStyle || addressOf(hostOf(address.endpoint)) !== undefined;
  }

  /** @param alive called from now on with each sign of life: with each call, also a repeated one */
  heardBy(alive: () => void): void {
    this.alive = alive;
  }

  /** Names and sizes of all objects whose names begin with the prefix. */
  async list(prefix: string): Promise<{ key: string; bytes: number }[]> {
    const found: { key: string; bytes: number }[] = [];
    let token: string | undefined;
    for (let page = 0; page < MAX_PAGES && found.length <= MAX_OBJECTS; page += 1) {
      const answer: S3.ListObjectsV2CommandOutput = await this.call(
        { right: 's3:ListBucket' },
        (client, s3) =>
          client.send(
            new s3.ListObjectsV2Command({ ...this.bucket, Prefix: prefix, ContinuationToken: token }),
          ),
      );
      if (answer.Name === undefined && answer.IsTruncated === undefined)
        throw new BucketFault(
          `${this.host} did not answer s3:ListBucket with a list of objects: check the endpoint`,
        );
      for (const { Key: key = '', Size: bytes = 0 } of answer.Contents ?? []) found.push({ key, bytes });
      const next = answer.NextContinuationToken;
      if (next === undefined && answer.IsTruncated !== true) return found;
      if (next === undefined || next === token)
        throw new BucketFault(
          `${this.host} says in s3:ListBucket that more objects follow, but not where they begin`,
        );
      token = next;
    }
    throw new BucketFault(
      `${this.host} lists objects without end (s3:ListBucket): ${found.length} on ${MAX_PAGES} pages at most are read; name a prefix of its own for the archives`,
    );
  }

  /** The first bytes of an object, or fewer if it is shorter. */
  async begin(key: string, bytes: number): Promise<Beginning> {
    return this.call({ right: 's3:GetObject', key }, async (client, s3) => {
      const range = { Range: `bytes=0-${bytes - 1}` };
      const answer = await client.send(new s3.GetObjectCommand({ ...this.bucket, Key: key, ...range }));
      const pieces: Buffer[] = [];
      let length = 0;
      for await (const piece of answer.Body as Readable) {
        pieces.push(piece as Buffer);
        length += (piece as Buffer).length;
        // Some servers send all of it.
        if (length >= bytes) break;
      }
      const whole = Number(/\/(\d+)$/.exec(answer.ContentRange ?? '')?.[1] ?? answer.ContentLength ?? length);
      return { bytes: Buffer.concat(pieces).subarray(0, bytes), length: whole };
    });
  }

  /** A whole object of that size as a stream. */
  async open(key: string, bytes: number): Promise<Readable> {
    const { Body: body } = await this.call({ right: 's3:GetObject', key }, (client, s3) =>
      client.send(new s3.GetObjectCommand({ ...this.bucket, Key: key })),
    );
    return exactly(body as Readable, bytes, { host: this.host, key });
  }

  async remove(key: string): Promise<void> {
    await this.call({ right: 's3:DeleteObject', key }, (client, s3) =>
      client.send(new s3.DeleteObjectCommand({ ...this.bucket, Key: key })),
    );
  }

  /**
   * The object appears under its name only after all of it has arrived.
   * @returns how many calls were made again, because they had failed for the moment
   */
  async put(
    key: string,
    file: string,
    attempt: Attempt,
    onUpload: OnUpload = () => undefined,
  ): Promise<number> {
    const { size } = await stat(file);
    this.heardBy(attempt.alive);
    this.repeats = 0;
    try {
      if (size > this.limits.partBytes) await this.putInParts(key, file, size, attempt, onUpload);
      else await this.putBytes(key, await this.partOf(file, 0, Buffer.allocUnsafe(size)), attempt.signal);
    } catch (error) {
      // The answer to a completed upload may be lost. Names are used only once, so an object of this size is ours.
      if (attempt.signal.aborted || isRefusal(error) || !(await this.has(key, size))) throw error;
    }
    return this.repeats;
  }

  async putBytes(key: string, body: Buffer, abortSignal?: AbortSignal): Promise<void> {
    await this.call({ right: 's3:PutObject', key }, (client, s3) =>
      client.send(
        new s3.PutObjectCommand({ ...this.bucket, Key: key, Body: body, ...this.kept }),
        abortSignal ? { abortSignal } : {},
      ),
    );
  }

  /** Also false if that cannot be determined. */
  private async has(key: string, bytes: number): Promise<boolean> {
    const found = await this.list(key).catch(() => []);
    return found.some((one) => one.key === key && one.bytes === bytes);
  }

  /**
   * Aborts uploads that a killed process left behind a day ago: they are not listed as objects but take up space. Leaves
   * other programs' uploads alone.
   * @param onFault told of an upload that cannot be aborted: some servers list uploads that they do not find
   * @throws BucketFault if the uploads cannot be listed
   */
  async dropUnfinished(
    prefix: string,
    { isOwn, onFault }: { isOwn: (key: string) => boolean; onFault: (fault: Error) => void },
  ): Promise<void> {
    const { Uploads: uploads = [] } = await this.call(
      { right: 's3:ListBucketMultipartUploads' },
      (client, s3) => client.send(new s3.ListMultipartUploadsCommand({ ...this.bucket, Prefix: prefix })),
    );
    const before = Date.now() - FORGOTTEN_MS;
    for (const { Key: key = '', UploadId: id, Initiated: begun } of uploads.slice(0, MAX_UPLOADS))
      if (isOwn(key) && begun !== undefined && begun.getTime() < before)
        await this.dropUpload({ key, id }).catch(onFault);
  }

  async dropUpload({ key, id }: UploadInParts): Promise<void> {
    await this.call({ right: 's3:AbortMultipartUpload', key }, (client, s3) =>
      client.send(new s3.AbortMultipartUploadCommand({ ...this.bucket, Key: key, UploadId: id })),
    );
  }

  private async putInParts(
    key: string,
    file: string,
    size: number,
    attempt: Attempt,
    onUpload: OnUpload,
  ): Promise<void> {
    const { signal: abortSignal, busy, alive } = attempt;
    const called = { right: 's3:PutObject', key };
    const where = { ...this.bucket, Key: key };
    const { UploadId: id } = await this.call(called, (client, s3) =>
      client.send(
        new s3.CreateMultipartUploadCommand({ ...where, ...this.kept, ChecksumAlgorithm: 'CRC32' }),
        { abortSignal },
      ),
    );
    const upload = { ...where, UploadId: id };
    try {
      await onUpload({ key, id });
      const parts: S3.CompletedPart[] = [];
      const partBytes = Math.max(this.limits.partBytes, Math.ceil(size / MAX_PARTS));
      // One for all parts: to get as much memory for each takes longer than to hash it.
      const room = Buffer.allocUnsafe(Math.min(partBytes, size));
      for (let from = 0; from < size; from += partBytes) {
        const body = await this.partOf(file, from, room.subarray(0, size - from));
        const number = { PartNumber: parts.length + 1 };
        const sent = await this.call(called, (client, s3) =>
          client.send(new s3.UploadPartCommand({ ...upload, ...number, Body: body }), { abortSignal }),
        );
        parts.push({ ...number, ETag: sent.ETag, ChecksumCRC32: sent.ChecksumCRC32 });
      }
      // From now on the server works, and may say nothing for minutes.
      this.heardBy(() => undefined);
      busy();
      await this.call(called, (client, s3) =>
        client.send(new s3.CompleteMultipartUploadCommand({ ...upload, MultipartUpload: { Parts: parts } }), {
          abortSignal,
        }),
      );
    } catch (error) {
      // What failed is what counts; an upload that stays is dropped a day later.
      await this.dropUpload({ key, id }).catch(() => undefined);
      throw error;
    } finally {
      this.heardBy(alive);
    }
  }

  private async partOf(file: string, from: number, room: Buffer): Promise<Buffer> {
    const handle = await open(file);
    try {
      const { bytesRead, buffer } = await handle.read(room, 0, room.length, from);
      if (bytesRead !== room.length) throw new Error(`${file} has become shorter while it was sent`);
      return buffer;
    } finally {
      await handle.close();
    }
  }

  private get bucket(): { Bucket: string } {
    return { Bucket: this.address.bucket };
  }

  /** How a new object is kept. */
  private get kept(): Pick<
    S3.PutObjectCommandInput,
    'StorageClass' | 'ServerSideEncryption' | 'SSEKMSKeyId'
  > {
    const { storageClass, encryption, encryptionKey } = this.address;
    return {
      ...(storageClass === undefined ? {} : { StorageClass: storageClass as S3.StorageClass }),
      ...(encryption === undefined ? {} : { ServerSideEncryption: encryption }),
      ...(encryption === 'aws:kms' && encryptionKey !== undefined ? { SSEKMSKeyId: encryptionKey } : {}),
    };
  }

  private get host(): string {
    return new URL(this.address.endpoint).host;
  }

  /** @throws BucketFault, OutboundRefused */
  private async call<T>(
    called: Called,
    work: (client: S3.S3Client, s3: typeof S3) => Promise<T>,
  ): Promise<T> {
    // This version works on Node 20 too, which the project supports.
    process.env.AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED ??= 'true';
    const s3 = await import('@aws-sdk/client-s3');
    this.made ??= this.clientOf(s3);
    try {
      return await work(this.made, s3);
    } catch (error) {
      const { bucket, region, prefix = '', endpoint } = this.address;
      const isPlain = endpoint.startsWith('http:');
      throw bucketFault(error, called, {
        host: this.host,
        bucket,
        region,
        prefix,
        isPlain,
        inPath: this.inPath,
      });
    }
  }

  private clientOf(s3: typeof S3): S3.S3Client {
    const { endpoint, region, accessKeyId, secretAccessKey, sessionToken, ca } = this.address;
    const credentials = { accessKeyId, secretAccessKey, ...(sessionToken ? { sessionToken } : {}) };
    // At Amazon the client finds the endpoint of a region by itself, and another one if the bucket is there.
    const isAmazon = /^https:\/\/s3(\.[a-z\d-]+)?\.amazonaws\.com\/?$/.test(endpoint);
    return new s3.S3Client({
      ...(isAmazon ? {} : { endpoint }),
      region,
      credentials,
      // The variables and files that Amazon's tools read on this machine change nothing: the plan says where archives go.
      ignoreConfiguredEndpointUrls: true,
      requestChecksumCalculation: 'WHEN_SUPPORTED',
      retryMode: 'standard',
      useDualstackEndpoint: false,
      useFipsEndpoint: false,
      forcePathStyle: this.inPath,
      followRegionRedirects: true,
      maxAttempts: this.limits.attempts,
      // A smaller body is with the server before it has refused it.
      expectContinueHeader: 64 * 1024,
      responseChecksumValidation: 'WHEN_REQUIRED',
      checksumAlgorithms: { CRC32: Crc32 },
      requestHandler: bucketCalls({
        outbound: this.outbound,
        limits: this.limits,
        ca,
        alive: () => this.alive(),
        repeated: () => void (this.repeats += 1),
      }),
    });
  }
}
