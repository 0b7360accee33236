/** Reads an archive: its head and checksums without a key, its parts with one. */
import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { open } from 'node:fs/promises';
import { Readable, type Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { ReadableStream } from 'node:stream/web';
import { createGunzip } from 'node:zlib';
import { Decrypter } from 'age-encryption';
import { ArchiveRefused, HEAD_BYTES, readHead, type Head, type Part } from './head';

export interface Archive {
  file: string;
  head: Head;
}

/** What opens an archive: age identities, one or several, or a passphrase. */
export type Key = { identities: readonly string[] } | { passphrase: string };

/**
 * The archive of that name, judged by its head alone. What the head says is signed; whether the parts are whole takes
 * reading them (`checkParts`).
 * @throws ArchiveRefused
 */
export const openArchive = async (file: string): Promise<Archive> => {
  const handle = await open(file, 'r');
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

const bytesOf = (file: string, { from, bytes }: Part): Readable =>
  createReadStream(file, { start: from, end: from + bytes - 1, highWaterMark: 262_144 });

/** @throws ArchiveRefused that names the part */
export const checkParts = async ({ file, head }: Archive): Promise<void> => {
  for (const part of head.parts) {
    const hash = createHash('sha256');
    for await (const chunk of bytesOf(file, part)) hash.update(chunk as Buffer);
    if (hash.digest('hex') !== part.sha256)
      throw new ArchiveRefused(`${file}: part ${part.name} of the archive is altered`);
  }
};

const decrypterFor = (key: Key): Decrypter => {
  const decrypter = new Decrypter();
  if ('passphrase' in key) decrypter.addPassphrase(key.passphrase);
  else for (const identity of key.identities) decrypter.addIdentity(identity);
  return decrypter;
};

/** @throws ArchiveRefused when the key is not one of those that the archive was encrypted to */
export const openPart = async ({ file, head }: Archive, name: string, key: Key): Promise<Readable> => {
  const part = head.parts.find((one) => one.name === name);
  if (!part) throw new ArchiveRefused(`${file}: the archive has no part ${name}`);
  const sealed = bytesOf(file, part);
  const web = Readable.toWeb(sealed) as ReadableStream<Uint8Array>;
  const plain = await decrypterFor(key)
    .decrypt(web as globalThis.ReadableStream<Uint8Array>)
    .catch((error: unknown) => {
      sealed.destroy();
      const which = 'passphrase' in key ? 'passphrase' : 'identity';
      throw new ArchiveRefused(`${file}: the ${which} does not open the archive`, { cause: error });
    });
  const unzipped: Transform = createGunzip({ chunkSize: 262_144 });
  pipeline(Readable.fromWeb(plain as ReadableStream<Uint8Array>), unzipped).catch((error: unknown) =>
    unzipped.destroy(new ArchiveRefused(`${file}: part ${name} of the archive is altered`, { cause: error })),
  );
  return unzipped;
};
