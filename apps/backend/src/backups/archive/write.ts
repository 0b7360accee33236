/**
 * Writes an archive beside its name, and gives it that name once it is whole and on the disk. Nothing of it is kept in
 * memory: each part is compressed, encrypted and written as it comes.
 */
import { createHash } from 'node:crypto';
import { open, rename, rm, type FileHandle } from 'node:fs/promises';
import path from 'node:path';
import { Readable } from 'node:stream';
import type { ReadableStream } from 'node:stream/web';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import { Encrypter } from 'age-encryption';
import { HEAD_BYTES, headText, type Head, type Part } from './head';

/** Who can open it: the holders of these age identities, or whoever knows the passphrase. */
export type Lock = { recipients: readonly string[] } | { passphrase: string };

/** The end of the name of what is not an archive yet. */
export const DRAFT = '.part';

/** 64 MB of memory for 0.3 s: age's own default of 18 takes 256 MB for each part. */
const SCRYPT_WORK_FACTOR = 16;
/** Level 1 takes a third of the time of the default, for a tenth more bytes. */
const GZIP = { level: 1, chunkSize: 65_536 } as const;

const encrypterFor = (lock: Lock): Encrypter => {
  const encrypter = new Encrypter();
  if ('passphrase' in lock) {
    encrypter.setScryptWorkFactor(SCRYPT_WORK_FACTOR);
    encrypter.setPassphrase(lock.passphrase);
  } else for (const recipient of lock.recipients) encrypter.addRecipient(recipient);
  return encrypter;
};

/** @returns what is wrong with a recipient; undefined when archives can be encrypted to it */
export const recipientProblem = (recipient: string): string | undefined => {
  try {
    new Encrypter().addRecipient(recipient);
    return undefined;
  } catch {
    return `${recipient} is not the public key of an age identity, which begins with age1`;
  }
};

/** A name reaches the disk separately from the file. Asynchronous, since a folder elsewhere may never answer. */
const syncFolder = async (folder: string): Promise<void> => {
  if (process.platform === 'win32') return;
  const handle = await open(folder, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
};

export class ArchiveWriter {
  readonly #parts: Part[] = [];
  #end = HEAD_BYTES;

  private constructor(
    private readonly file: string,
    private readonly handle: FileHandle,
    private readonly lock: Lock,
  ) {}

  /** @param file the name that the archive gets in the end */
  static async create(file: string, lock: Lock): Promise<ArchiveWriter> {
    const handle = await open(`${file}${DRAFT}`, 'w', 0o600);
    return new ArchiveWriter(file, handle, lock);
  }

  get bytes(): number {
    return this.#end;
  }

  /** How many rows of which table were added in that part. */
  rowsOf(name: string): Record<string, number> {
    return this.#parts.find((part) => part.name === name)?.rows ?? {};
  }

  /**
   * @param source is read as fast as it can be written
   * @param rows known once the source was read
   */
  async add(
    name: string,
    source: AsyncIterable<Uint8Array>,
    rows: () => Record<string, number>,
    lock: Lock = this.lock,
  ): Promise<void> {
    const from = this.#end;
    const hash = createHash('sha256');
    const zip = createGzip(GZIP);
    const zipped = pipeline(Readable.from(source, { objectMode: false }), zip);
    // Reported by the loop below as well, which ends first.
    zipped.catch(() => undefined);
    const plain = Readable.toWeb(zip) as ReadableStream<Uint8Array>;
    const sealed = await encrypterFor(lock).encrypt(plain as globalThis.ReadableStream<Uint8Array>);
    for await (const chunk of sealed as unknown as AsyncIterable<Uint8Array>) {
      hash.update(chunk);
      await this.#write(chunk);
    }
    await zipped;
    this.#parts.push({ name, from, bytes: this.#end - from, sha256: hash.digest('hex'), rows: rows() });
  }

  /** @param sign makes the signature of a text, base64 */
  async finish(facts: Omit<Head, 'parts' | 'bytes'>, sign: (text: string) => string): Promise<Head> {
    const head: Head = { ...facts, parts: this.#parts, bytes: this.#end };
    await this.handle.write(headText(head, sign), 0, HEAD_BYTES, 0);
    await this.handle.sync();
    await this.handle.close();
    await rename(`${this.file}${DRAFT}`, this.file);
    await syncFolder(path.dirname(this.file));
    return head;
  }

  async abandon(): Promise<void> {
    await this.handle.close().catch(() => undefined);
    await rm(`${this.file}${DRAFT}`, { force: true });
  }

  async #write(chunk: Uint8Array): Promise<void> {
    for (let written = 0; written < chunk.length;) {
      const { bytesWritten } = await this.handle.write(
        chunk,
        written,
        chunk.length - written,
        this.#end + written,
      );
      written += bytesWritten;
    }
    this.#end += chunk.length;
  }
}
