/** Reads an archive: its head and checksums without a key, its parts with one. */
import { createHash } from 'node:crypto';
import { constants, createReadStream } from 'node:fs';
import { open, type FileHandle } from 'node:fs/promises';
import { Transform, type Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGunzip } from 'node:zlib';
import { decrypted, HEADER_LIMIT, opened, type Key, type Opened } from './age';
import { ArchiveRefused, HEAD_BYTES, readHead, type Head, type Part } from './head';

/** Level 1 of gzip, which archives use, reaches 230 at most. Made to unpack to a lot, a file reaches 1032. */
const MAX_RATIO = 256;
const FLOOR_BYTES = 1_048_576;

export interface Archive {
  file: string;
  head: Head;
}

/**
 * Opens a file that has to be a regular one: a pipe or a device in the folder would never answer, or never end.
 * @throws ArchiveRefused
 */
export const openRegular = async (file: string): Promise<FileHandle> => {
  // Otherwise, opening a pipe waits for somebody who writes to it.
  const handle = await open(file, constants.O_RDONLY | constants.O_NONBLOCK);
  if ((await handle.stat()).isFile()) return handle;
  await handle.close();
  throw new ArchiveRefused(`${file}: it is not a regular file`);
};

/**
 * Opens an archive and checks the signature of its head. Whether the parts are intact is known only after reading them
 * (`checkParts`).
 * @throws ArchiveRefused
 */
export const openArchive = async (file: string): Promise<Archive> => {
  const handle = await openRegular(file);
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(HEAD_BYTES), 0, HEAD_BYTES, 0);
    const head = readHead(buffer.subarray(0, bytesRead), file);
    const { size } = await handle.stat();
    if (size > head.bytes)
      throw new ArchiveRefused(`${file}: ${size - head.bytes} bytes follow its last part`);
    const cut = head.parts.find(({ from, bytes }) => from + bytes > size);
    if (cut) throw new ArchiveRefused(`${file}: the archive is cut off in part ${cut.name}`);
    return { file, head };
  } finally {
    await handle.close();
  }
};

/** @param skipped number of bytes to skip at the beginning of the part */
const bytesOf = (file: string, { from, bytes }: Part, skipped = 0): Readable =>
  createReadStream(file, { start: from + skipped, end: from + bytes - 1, highWaterMark: 262_144 });

const beginningOf = async (file: string, { from, bytes }: Part): Promise<Buffer> => {
  const handle = await open(file, 'r');
  try {
    const length = Math.min(bytes, HEADER_LIMIT);
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(length), 0, length, from);
    return buffer.subarray(0, bytesRead);
  } finally {
    await handle.close();
  }
};

/**
 * @param onPiece called after each piece is read
 * @throws ArchiveRefused that names the part
 */
export const checkParts = async ({ file, head }: Archive, onPiece?: () => void): Promise<void> => {
  for (const part of head.parts) {
    const hash = createHash('sha256');
    for await (const chunk of bytesOf(file, part)) {
      hash.update(chunk as Buffer);
      onPiece?.();
    }
    if (hash.digest('hex') !== part.sha256)
      throw new ArchiveRefused(`${file}: part ${part.name} of the archive is altered`);
  }
};

/** Several keys if the archives of a chain were encrypted to different recipients. */
export type Keys = Key | readonly Key[];

const openedWith = async (beginning: Buffer, keys: readonly Key[]): Promise<Opened> => {
  const [key, ...others] = keys;
  if (!key) throw new Error('no key was given');
  return others.length === 0
    ? opened(beginning, key)
    : opened(beginning, key).catch(() => openedWith(beginning, others));
};

/** @throws ArchiveRefused if the archive was not encrypted to any of the keys */
export const openPart = async ({ file, head }: Archive, name: string, keys: Keys): Promise<Readable> => {
  const part = head.parts.find((one) => one.name === name);
  if (!part) throw new ArchiveRefused(`${file}: the archive has no part ${name}`);
  const beginning = await beginningOf(file, part);
  const unlocked = await openedWith(beginning, [keys].flat()).catch((error: unknown) => {
    const which = [keys].flat().every((key) => 'passphrase' in key) ? 'passphrase' : 'identity';
    throw new ArchiveRefused(`${file}: the ${which} does not open the archive`, { cause: error });
  });
  const chunks = bytesOf(file, part, unlocked.from);
  const unzipped: Transform = createGunzip({ chunkSize: 262_144 });
  const maxBytes = FLOOR_BYTES + part.bytes * MAX_RATIO;
  let bytes = 0;
  const limited = new Transform({
    transform: (piece: Buffer, _, done) => {
      bytes += piece.length;
      if (bytes <= maxBytes) return done(null, piece);
      done(new ArchiveRefused(`${file}: part ${name} unpacks to more than ${MAX_RATIO} times its size`));
    },
  });
  pipeline(chunks, (from) => decrypted(from, unlocked.key), unzipped, limited).catch((error: unknown) =>
    limited.destroy(
      error instanceof ArchiveRefused
        ? error
        : new ArchiveRefused(`${file}: part ${name} of the archive is altered`, { cause: error }),
    ),
  );
  return limited;
};
