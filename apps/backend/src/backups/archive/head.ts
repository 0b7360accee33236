/**
 * The head of an archive: a description of its content in the first 16 KiB of the file, readable without a key
 * (docs/backups.md). It is signed with the key of the log and contains the checksum of every part, so any altered byte
 * is detected without decrypting anything.
 */
import { isTextSignedBy } from '@quarterdeck/log/store';
import { z } from 'zod';

export const HEAD_BYTES = 16_384;
/** Increased whenever programs that know only earlier formats could not restore the archive. */
export const FORMAT = 1;
const TITLE = 'quarterdeck backup';

const seal = z.object({
  position: z.string().regex(/^\d{1,20}$/),
  hash: z.string().regex(/^[0-9a-f]{64}$/),
});

const part = z.object({
  name: z.string().regex(/^[a-z-]{1,30}$/),
  /** Offset of the part in the file. */
  from: z.int().min(HEAD_BYTES),
  bytes: z.int().min(1),
  sha256: z.string().regex(/^[0-9a-f]{64}$/),
  /** Number of rows per table. */
  rows: z.record(z.string(), z.int().min(0)),
});
export type Part = z.infer<typeof part>;

const archiveHead = z.object({
  id: z.uuid(),
  /** Id of the archive that has to be restored before this one; null for a full archive. */
  base: z.uuid().nullable(),
  takenAt: z.iso.datetime(),
  /** Version of the program that took the archive. */
  version: z.string(),
  log: z.object({
    id: z.uuid(),
    publicKey: z.string(),
    engine: z.enum(['postgres', 'eventstoredb']),
    /** Id of the `LogArrived` event of the place whose positions are used; null if the log never moved. */
    home: z.uuid().nullable(),
    /** The last event of the previous archive. This archive begins after it. */
    after: seal,
    end: seal,
    events: z.int().min(0),
  }),
  /** Fingerprint of the master key that opens the vault and the keys of the log. */
  masterKey: z.string(),
  /**
   * Identifies what the archive was encrypted to (`lockMark`). It is the same in all archives of a chain, so one key
   * opens the whole chain. Absent in archives of earlier versions.
   */
  lock: z
    .string()
    .regex(/^(passphrase|[0-9a-f]{64})$/)
    .optional(),
  /** Migrations that schema `app` had at that time. */
  schema: z.array(z.string()),
  /** Tells the next increment which rows were added later: see `tables.ts`. */
  snapshot: z.object({ database: z.string(), xmin: z.string().regex(/^\d+$/) }),
  parts: z.array(part),
  /**
   * In an increment: total number of rows of the tables of which it contains only the later rows. Absent in archives of
   * earlier versions.
   */
  totals: z.record(z.string(), z.int().min(0)).optional(),
  bytes: z.int(),
});
export type Head = z.infer<typeof archiveHead>;

/** The archive is altered, unknown, or not the one that is needed. The message is one line. */
export class ArchiveRefused extends Error {
  override name = 'ArchiveRefused';
}

const firstLine = `${TITLE} ${FORMAT}\n`;
const signedText = (json: string): string => `${firstLine}${json}\n`;

/** The beginning of the file: title, JSON and signature on a line each, padded with spaces. */
const laidOut = (json: string, signature: string): Buffer => {
  const text = Buffer.from(`${signedText(json)}${signature}\n`);
  if (text.length >= HEAD_BYTES) throw new Error(`the head of the archive takes ${text.length} bytes`);
  const bytes = Buffer.alloc(HEAD_BYTES, ' ');
  text.copy(bytes);
  bytes[HEAD_BYTES - 1] = 0x0a;
  return bytes;
};

/** @param sign returns the signature of a text in base64 */
export const headText = (head: Head, sign: (text: string) => string): Buffer => {
  const json = JSON.stringify(head);
  return laidOut(json, sign(signedText(json)));
};

const parsed = (json: string): unknown => {
  try {
    return JSON.parse(json);
  } catch {
    return undefined;
  }
};

/**
 * @param bytes the first `HEAD_BYTES` of the file, or fewer if it is shorter
 * @param name of the file, for error messages
 * @throws ArchiveRefused
 */
export const readHead = (bytes: Buffer, name: string): Head => {
  const refuse = (problem: string): never => {
    throw new ArchiveRefused(`${name}: ${problem}`);
  };
  const [title, number] = /^quarterdeck backup (\d{1,9})\n/.exec(bytes.toString('latin1', 0, 40)) ?? [];
  if (title === undefined) return refuse('this is no archive of Quarterdeck, or its head is altered');
  if (Number(number) > FORMAT)
    return refuse(`the archive has format ${number}, and this version reads ${FORMAT}: use a newer version`);
  if (bytes.length < HEAD_BYTES) return refuse('the archive is cut off in its head');
  const [, json = '', signature = ''] = bytes.toString('utf8').split('\n');
  const head = archiveHead.safeParse(parsed(json)).data;
  const isWhole =
    head !== undefined &&
    laidOut(json, signature).equals(bytes) &&
    // Several base64 texts decode to the same signature. Only the canonical one is accepted.
    Buffer.from(signature, 'base64').toString('base64') === signature &&
    isTextSignedBy(head.log.publicKey, signedText(json), signature);
  return isWhole ? head : refuse('the head of the archive is altered');
};
