/**
 * The head of an archive: what is in it, in the first 16 KiB of the file, readable without a key (docs/backups.md). The
 * log's own key signs it, and it has the checksum of every part, so each altered byte shows without opening anything.
 */
import { isTextSignedBy } from '@quarterdeck/events/store';
import { z } from 'zod';

export const HEAD_BYTES = 16_384;
/** The number changes when a program that knows only the ones before could not restore the archive. */
export const FORMAT = 1;
const TITLE = 'quarterdeck backup';

const seal = z.object({
  position: z.string().regex(/^\d{1,20}$/),
  hash: z.string().regex(/^[0-9a-f]{64}$/),
});

const part = z.object({
  name: z.string().regex(/^[a-z-]{1,30}$/),
  /** Where it begins in the file. */
  from: z.int().min(HEAD_BYTES),
  bytes: z.int().min(1),
  sha256: z.string().regex(/^[0-9a-f]{64}$/),
  /** How many rows of which table. */
  rows: z.record(z.string(), z.int().min(0)),
});
export type Part = z.infer<typeof part>;

const archiveHead = z.object({
  id: z.uuid(),
  /** The archive that has to be restored before this one; null for a full one. */
  base: z.uuid().nullable(),
  takenAt: z.iso.datetime(),
  /** Of the program that took it. */
  version: z.string(),
  log: z.object({
    id: z.uuid(),
    publicKey: z.string(),
    engine: z.enum(['postgres', 'eventstoredb']),
    /** Id of the `LogArrived` event of the place whose positions are used; null if the log never moved. */
    home: z.uuid().nullable(),
    /** The last event of the previous archive. This one begins after it. */
    after: seal,
    end: seal,
    events: z.int().min(0),
  }),
  /** Fingerprint of the master key that opens the vault and the keys of the log. */
  masterKey: z.string(),
  /**
   * The mark of what it was encrypted to: the same in each archive of a chain, so one key opens all of it. Earlier versions
   * left it out.
   */
  lock: z
    .string()
    .regex(/^(passphrase|[0-9a-f]{64})$/)
    .optional(),
  /** The steps that schema `app` had gone through. */
  schema: z.array(z.string()),
  /** What an increment needs to know which rows came later: see `tables.ts`. */
  snapshot: z.object({ database: z.string(), xmin: z.string().regex(/^\d+$/) }),
  parts: z.array(part),
  /** In an increment: how many rows the tables had of which it has only the later ones. Earlier versions left it out. */
  totals: z.record(z.string(), z.int().min(0)).optional(),
  bytes: z.int(),
});
export type Head = z.infer<typeof archiveHead>;

/** The answer is no, in one line: the archive is altered, unknown or not the one that is needed. */
export class ArchiveRefused extends Error {
  override name = 'ArchiveRefused';
}

const firstLine = `${TITLE} ${FORMAT}\n`;
const signedText = (json: string): string => `${firstLine}${json}\n`;

/** What the file begins with: title, JSON and signature in a line each, then spaces. */
const laidOut = (json: string, signature: string): Buffer => {
  const text = Buffer.from(`${signedText(json)}${signature}\n`);
  if (text.length >= HEAD_BYTES) throw new Error(`the head of the archive takes ${text.length} bytes`);
  const bytes = Buffer.alloc(HEAD_BYTES, ' ');
  text.copy(bytes);
  bytes[HEAD_BYTES - 1] = 0x0a;
  return bytes;
};

/** @param sign makes the signature of a text, base64 */
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
 * @param bytes the first `HEAD_BYTES` of the file, fewer where it has no more
 * @param name of the file, for what is wrong with it
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
    // Several texts decode to the same signature, and only one of them was written.
    Buffer.from(signature, 'base64').toString('base64') === signature &&
    isTextSignedBy(head.log.publicKey, signedText(json), signature);
  return isWhole ? head : refuse('the head of the archive is altered');
};
