/** A bucket for archives. An archive is created in a local folder, uploaded, and then deleted there. */
import { randomUUID } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import fs from 'node:fs/promises';
import path from 'node:path';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { ArchiveRefused, HEAD_BYTES, readHead } from '../archive/head';
import type { Archive } from '../archive/read';
import { EXTENSION, type FolderContent } from '../folder';
import { roomProblem, type Reserve } from '../room';
import type { Bucket, UploadInParts } from './bucket';
import { BucketFault } from './bucket-limits';
import { sameAsSent, TRIAL_TEXT, type Attempt, type Target, type Trial } from './target';

/** How many heads are read concurrently. */
const AT_ONCE = 8;
/** A plan keeps a few hundred. */
const MAX_ARCHIVES = 10_000;

/**
 * The object was removed, is empty, was encrypted with a key that the caller has to send, belongs to somebody else, or is
 * in a storage class from which it must be restored before it can be read.
 */
const isOfOneObject = ({ answered }: BucketFault): boolean =>
  answered !== undefined && [400, 403, 404, 416].includes(answered.status);

/** Told of what does not keep a backup from being taken. */
interface Heard {
  /** An unfinished upload could not be ended. */
  left: (fault: Error) => void;
  /** So many calls of an upload were made again. */
  repeated: (calls: number) => void;
}

export class S3Target implements Target {
  constructor(
    private readonly bucket: Bucket,
    /** For example `backups/`, or empty. */
    private readonly prefix: string,
    readonly name: string,
    /** Folder for archives during the transfer. Nothing else is in it. */
    private readonly staging: string,
    private readonly reserve: Reserve | undefined,
    private readonly heard: Heard,
  ) {}

  async list({ alive }: Pick<Attempt, 'alive'>): Promise<FolderContent> {
    this.bucket.heardBy(alive);
    const objects = (await this.bucket.list(this.prefix)).filter(({ key }) => this.isArchive(key));
    if (objects.length > MAX_ARCHIVES)
      throw new BucketFault(
        `${this.name} has ${objects.length} archives, and at most ${MAX_ARCHIVES} are read: remove those that are not needed`,
      );
    const found: FolderContent = { archives: [], refused: [] };
    for (let at = 0; at < objects.length; at += AT_ONCE) {
      const some = objects.slice(at, at + AT_ONCE);
      const opened = await Promise.all(some.map((object) => this.opened(object)));
      for (const one of opened)
        if (typeof one === 'string') found.refused.push(one);
        else found.archives.push(one);
    }
    found.archives.sort((a, b) => a.head.takenAt.localeCompare(b.head.takenAt));
    return found;
  }

  async put(name: string, make: (file: string) => Promise<Archive>, attempt: Attempt): Promise<Archive> {
    this.bucket.heardBy(attempt.alive);
    await this.dropUnfinished();
    return this.staged(async () => {
      const { head, file } = await make(path.join(this.staging, name));
      const key = `${this.prefix}${name}`;
      try {
        const repeats = await this.bucket.put(key, file, attempt, (upload) =>
          fs.writeFile(this.note, JSON.stringify(upload)),
        );
        if (repeats > 0) this.heard.repeated(repeats);
      } finally {
        await fs.rm(this.note, { force: true });
      }
      await this.seen(key, head);
      return { head, file: key };
    });
  }

  asFiles<T>(
    archives: readonly Archive[],
    work: (files: Archive[]) => Promise<T>,
    { signal, alive }: Attempt,
  ): Promise<T> {
    this.bucket.heardBy(alive);
    return this.staged(async () => {
      const bytes = archives.reduce((sum, { head }) => sum + head.bytes, 0);
      const problem = await roomProblem(this.staging, this.reserve, bytes);
      if (problem !== undefined) throw new ArchiveRefused(problem);
      const files: Archive[] = [];
      for (const { file: key, head } of archives) {
        const file = path.join(this.staging, path.basename(key));
        const content = (await this.bucket.open(key, head.bytes)).on('data', alive);
        await pipeline(content, createWriteStream(file, { mode: 0o600 }), { signal });
        files.push({ file, head });
      }
      return work(files);
    });
  }

  /** Empties the folder for transfers before and after the work: a killed process may have left files there. */
  private async staged<T>(work: () => Promise<T>): Promise<T> {
    await fs.rm(this.staging, { recursive: true, force: true });
    await fs.mkdir(this.staging, { recursive: true, mode: 0o700 });
    try {
      return await work();
    } finally {
      await fs.rm(this.staging, { recursive: true, force: true });
    }
  }

  read(name: string, bytes: number): Promise<Readable> {
    return this.bucket.open(`${this.prefix}${name}`, bytes);
  }

  trials(): Trial[] {
    const key = `${this.prefix}test-${randomUUID()}`;
    const body = Buffer.from(TRIAL_TEXT);
    return [
      { does: 'list', run: () => this.bucket.list(this.prefix) },
      { does: 'write', run: () => this.bucket.putBytes(key, body) },
      {
        does: 'read',
        run: async () => sameAsSent((await this.bucket.begin(key, body.length + 1)).bytes.toString()),
      },
      { does: 'delete', run: () => this.bucket.remove(key) },
    ];
  }

  async remove({ file }: Archive): Promise<void> {
    await this.bucket.remove(file);
  }

  /** A server that answers every call with 200 has kept nothing. */
  private async seen(key: string, sent: Archive['head']): Promise<void> {
    const found = await this.opened({ key, bytes: sent.bytes }, (fault) => {
      throw fault;
    });
    if (typeof found === 'string' || found.head.id !== sent.id)
      throw new BucketFault(
        `${this.name}: the archive is not there as it was sent${typeof found === 'string' ? `: ${found}` : ''}`,
      );
  }

  /** @returns the archive, or why it cannot be read as one */
  private async opened(
    { key, bytes }: { key: string; bytes: number },
    ofOneObject = (fault: BucketFault): string => `${key}: ${fault.message}`,
  ): Promise<Archive | string> {
    try {
      const begun = await this.bucket.begin(key, HEAD_BYTES);
      const head = readHead(begun.bytes, key);
      return head.bytes === bytes && head.bytes === begun.length
        ? { file: key, head }
        : `${key}: it has ${Math.min(bytes, begun.length)} bytes instead of ${head.bytes}`;
    } catch (error) {
      const { message } = error as Error;
      if (error instanceof ArchiveRefused) return message;
      if (error instanceof BucketFault && isOfOneObject(error)) return ofOneObject(error);
      throw error;
    }
  }

  /** Says which upload has begun. A process that was killed leaves it. */
  private get note(): string {
    return `${this.staging}.json`;
  }

  /**
   * Ends the uploads of a killed process. Credentials may lack permission to list uploads, some servers do not support
   * them, and some list what they cannot abort: a backup does not depend on this.
   */
  private async dropUnfinished(): Promise<void> {
    const noted = await fs.readFile(this.note, 'utf8').catch(() => undefined);
    if (noted !== undefined) {
      await this.dropNoted(noted).catch(this.heard.left);
      await fs.rm(this.note, { force: true });
    }
    const isOwn = (key: string): boolean => this.isArchive(key);
    await this.bucket.dropUnfinished(this.prefix, { isOwn, onFault: this.heard.left }).catch(this.heard.left);
  }

  private async dropNoted(text: string): Promise<void> {
    await this.bucket.dropUpload(JSON.parse(text) as UploadInParts);
  }

  private isArchive(key: string): boolean {
    return key.endsWith(EXTENSION) && !key.slice(this.prefix.length).includes('/');
  }
}
