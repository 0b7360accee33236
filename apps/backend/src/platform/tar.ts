/** Several files as one tar file (POSIX ustar), generated while it is read. Any `tar -xf` can unpack it. */
import type { Readable } from 'node:stream';

export interface TarFile {
  /** Perhaps with folders: at most 100 bytes after a slash, and 155 before it. */
  name: string;
  bytes: number;
  at: string;
  /** Default: only for the account that unpacks it. */
  mode?: number;
  open: () => Promise<Readable>;
}

const BLOCK = 512;
/** The largest size that fits into eleven octal digits. */
const MAX_OCTAL = 8 ** 11 - 1;

const paddingOf = (bytes: number): number => (BLOCK - (bytes % BLOCK)) % BLOCK;

export const tarBytes = (files: readonly Pick<TarFile, 'bytes'>[]): number =>
  files.reduce((sum, { bytes }) => sum + BLOCK + bytes + paddingOf(bytes), 2 * BLOCK);

/** A long name is written in two fields. @throws Error if it does not fit */
const nameFields = (name: string): { folder: string; name: string } => {
  if (Buffer.byteLength(name) <= 100) return { folder: '', name };
  const slash = name.lastIndexOf('/');
  const [folder, file] = [name.slice(0, Math.max(slash, 0)), name.slice(slash + 1)];
  if (Buffer.byteLength(folder) > 155 || Buffer.byteLength(file) > 100)
    throw new Error(`${name} is too long for a tar file`);
  return { folder, name: file };
};

const headerOf = ({ name, bytes, at, mode = 0o600 }: TarFile): Buffer => {
  const block = Buffer.alloc(BLOCK);
  const octal = (value: number, from: number, length: number): void =>
    void block.write(`${value.toString(8).padStart(length - 1, '0')}\0`, from);
  const fields = nameFields(name);
  block.write(fields.name, 0, 100);
  block.write(fields.folder, 345, 155);
  octal(mode, 100, 8);
  octal(0, 108, 8);
  octal(0, 116, 8);
  if (bytes <= MAX_OCTAL) octal(bytes, 124, 12);
  else {
    // The extension of GNU tar, which all others support since: a marker byte, then a binary number.
    block[124] = 0x80;
    block.writeBigUInt64BE(BigInt(bytes), 128);
  }
  octal(Math.floor(Date.parse(at) / 1000), 136, 12);
  block.write('0', 156);
  block.write('ustar\x0000', 257);
  // The checksum is computed with its own field filled with spaces.
  block.fill(' ', 148, 156);
  octal(
    block.reduce((sum, byte) => sum + byte, 0),
    148,
    7,
  );
  return block;
};

/** @throws Error as soon as a file turns out to be longer or shorter than declared */
export async function* tarOf(files: readonly TarFile[]): AsyncGenerator<Buffer> {
  for (const file of files) {
    const { name, bytes, open } = file;
    yield headerOf(file);
    let read = 0;
    for await (const chunk of await open()) {
      read += (chunk as Buffer).length;
      if (read > bytes) break;
      yield chunk as Buffer;
    }
    if (read !== bytes) throw new Error(`${name} has another length than ${bytes} bytes`);
    yield Buffer.alloc(paddingOf(bytes));
  }
  yield Buffer.alloc(2 * BLOCK);
}
