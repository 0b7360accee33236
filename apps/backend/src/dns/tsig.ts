/** Signs messages with a shared key (RFC 8945). Pure. */
import { createHmac, timingSafeEqual } from 'node:crypto';
import type { TsigAlgorithm } from './dns.settings';
import { classNumber, type Message, readName, typeNumber, u16, u32, writeName, writeRecord } from './message';

export interface TsigKey {
  name: string;
  algorithm: TsigAlgorithm;
  secret: Buffer;
}

const hashOf: Record<TsigAlgorithm, string> = {
  'hmac-sha256': 'sha256',
  'hmac-sha384': 'sha384',
  'hmac-sha512': 'sha512',
};
/** Allowed clock difference in seconds; every implementation accepts this value. */
const fudge = 300;

const u48 = (value: number): Buffer =>
  Buffer.concat([u16(Math.floor(value / 2 ** 32)), u32(value % 2 ** 32)]);

const sized = (bytes: Buffer): Buffer => Buffer.concat([u16(bytes.length), bytes]);

interface Variables {
  seconds: number;
  fudge: number;
  error: number;
  other: Buffer;
}

const macOf = (
  key: TsigKey,
  before: Buffer,
  message: Buffer,
  { seconds, fudge: slack, error, other }: Variables,
) =>
  createHmac(hashOf[key.algorithm], key.secret)
    .update(before)
    .update(message)
    .update(writeName(key.name))
    .update(Buffer.concat([u16(classNumber.ANY), u32(0), writeName(key.algorithm)]))
    .update(Buffer.concat([u48(seconds), u16(slack), u16(error), sized(other)]))
    .digest();

/** @param seconds since 1970 @returns the message with its signature as the last record, and the signature alone */
export const sign = (message: Buffer, key: TsigKey, seconds: number): { signed: Buffer; mac: Buffer } => {
  const none = Buffer.alloc(0);
  const mac = macOf(key, none, message, { seconds, fudge, error: 0, other: none });
  const data = Buffer.concat([
    writeName(key.algorithm),
    u48(seconds),
    u16(fudge),
    sized(mac),
    message.subarray(0, 2),
    u16(0),
    u16(0),
  ]);
  const signed = Buffer.concat([message, writeRecord(key.name, typeNumber.TSIG, classNumber.ANY, 0, data)]);
  signed.writeUInt16BE(message.readUInt16BE(10) + 1, 10);
  return { signed, mac };
};

export interface Signature {
  /** `valid`: made with our key over this answer to our question. `absent`: no signature, or an error without one. */
  is: 'valid' | 'absent' | 'wrong';
  /** 16 BADSIG, 17 BADKEY, 18 BADTIME, 22 BADTRUNC. */
  error: number;
  /** The server's clock, with BADTIME. */
  serverSeconds?: number;
}

/**
 * Reads and verifies the signature of an answer.
 *
 * @param requestMac the signature of the question, which the answer's signature covers
 * @throws RangeError if the record is malformed
 */
export const verify = (answer: Message, key: TsigKey, requestMac: Buffer, nowSeconds: number): Signature => {
  const record = answer.sections[2].at(-1);
  if (record?.type !== typeNumber.TSIG) return { is: 'absent', error: 0 };
  const { name: algorithm, end } = readName(answer.bytes, record.dataAt);
  const { bytes } = answer;
  const seconds = bytes.readUIntBE(end, 6);
  const slack = bytes.readUInt16BE(end + 6);
  const macAt = end + 10;
  const mac = bytes.subarray(macAt, macAt + bytes.readUInt16BE(end + 8));
  const idAt = macAt + mac.length;
  const error = bytes.readUInt16BE(idAt + 2);
  const other = bytes.subarray(idAt + 6, idAt + 6 + bytes.readUInt16BE(idAt + 4));
  if (idAt + 6 + bytes.readUInt16BE(idAt + 4) !== record.dataAt + record.data.length)
    throw new RangeError('a signature has another length than it says');
  const told = { error, ...(other.length === 6 ? { serverSeconds: other.readUIntBE(0, 6) } : {}) };
  if (mac.length === 0) return { is: 'absent', ...told };
  const unsigned = Buffer.from(bytes.subarray(0, record.at));
  bytes.copy(unsigned, 0, idAt, idAt + 2);
  unsigned.writeUInt16BE(bytes.readUInt16BE(10) - 1, 10);
  const right = macOf(key, sized(requestMac), unsigned, { seconds, fudge: slack, error, other });
  const isOurs = record.name === key.name.toLowerCase().replace(/\.$/, '') && algorithm === key.algorithm;
  const inTime = Math.abs(nowSeconds - seconds) <= slack || error === 18;
  const valid = isOurs && inTime && mac.length === right.length && timingSafeEqual(mac, right);
  return { is: valid ? 'valid' : 'wrong', ...told };
};
