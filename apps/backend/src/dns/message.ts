/**
 * DNS messages, as far as queries and dynamic updates need them (RFC 1035, RFC 2136). The usual library, dns-packet,
 * cannot write the class NONE, and an update without it has no conditions.
 */
import { SocketAddress } from 'node:net';
import type { RecordType } from './records';

export const typeNumber = { A: 1, CNAME: 5, SOA: 6, TXT: 16, AAAA: 28, TSIG: 250, ANY: 255 } as const;
export const classNumber = { IN: 1, NONE: 254, ANY: 255 } as const;
export const opcode = { query: 0, update: 5 } as const;

export interface ResourceRecord {
  name: string;
  type: number;
  class: number;
  ttl: number;
  data: Buffer;
  /** Offset of the record in its message, and offset of its data. */
  at: number;
  dataAt: number;
}

export interface Message {
  bytes: Buffer;
  id: number;
  opcode: number;
  isResponse: boolean;
  rcode: number;
  /** The sections after the questions. In an update: conditions, changes, additional. */
  sections: [ResourceRecord[], ResourceRecord[], ResourceRecord[]];
}

const headerBytes = 12;

export const u16 = (value: number): Buffer => {
  const bytes = Buffer.alloc(2);
  bytes.writeUInt16BE(value);
  return bytes;
};
export const u32 = (value: number): Buffer => {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(value);
  return bytes;
};

/** Uncompressed and in lower case, as signatures require. @throws RangeError if it is not a name */
export const writeName = (name: string): Buffer => {
  const labels = name
    .toLowerCase()
    .split('.')
    .filter((label) => label !== '')
    .map((label) => Buffer.from(label, 'latin1'));
  const bytes = Buffer.concat([
    ...labels.flatMap((label) => [Buffer.from([label.length & 63]), label]),
    Buffer.from([0]),
  ]);
  if (bytes.length > 255 || labels.some((label) => label.length > 63))
    throw new RangeError(`${name} is too long for a name`);
  return bytes;
};

/** @throws RangeError if the bytes are not a name. Pointers may only lead backwards, so that the name ends. */
export const readName = (bytes: Buffer, start: number): { name: string; end: number } => {
  const labels: string[] = [];
  let at = start;
  let limit = start;
  let end: number | undefined;
  for (;;) {
    const length = bytes.readUInt8(at);
    if (length === 0) return { name: labels.join('.').toLowerCase(), end: end ?? at + 1 };
    if (length >= 192) {
      const to = bytes.readUInt16BE(at) & 0x3fff;
      if (to >= limit) throw new RangeError('a compressed name points forwards');
      end ??= at + 2;
      limit = at = to;
    } else {
      if (length > 63 || at + 1 + length > bytes.length) throw new RangeError('a name is cut off');
      labels.push(bytes.toString('latin1', at + 1, at + 1 + length));
      at += 1 + length;
    }
  }
};

export const writeQuestion = (name: string, type: number): Buffer =>
  Buffer.concat([writeName(name), u16(type), u16(classNumber.IN)]);

export const writeRecord = (
  name: string,
  type: number,
  klass: number,
  ttl: number,
  data: Buffer = Buffer.alloc(0),
): Buffer => Buffer.concat([writeName(name), u16(type), u16(klass), u32(ttl), u16(data.length), data]);

/** A query for, or an update of, one name or zone, with the records of each section. */
export const writeMessage = (
  id: number,
  kind: keyof typeof opcode,
  question: Buffer,
  sections: [Buffer[], Buffer[], Buffer[]] = [[], [], []],
): Buffer =>
  Buffer.concat([
    ...[id, opcode[kind] << 11, 1, ...sections.map(({ length }) => length)].map(u16),
    question,
    ...sections.flat(),
  ]);

/** @throws RangeError if the message is truncated or malformed */
export const readMessage = (bytes: Buffer): Message => {
  const flags = bytes.readUInt16BE(2);
  let at = headerBytes;
  for (let left = bytes.readUInt16BE(4); left > 0; left -= 1) at = readName(bytes, at).end + 4;
  const section = (count: number): ResourceRecord[] =>
    Array.from({ length: count }, () => {
      const { name, end } = readName(bytes, at);
      const dataAt = end + 10;
      const length = bytes.readUInt16BE(end + 8);
      if (dataAt + length > bytes.length) throw new RangeError('a record is cut off');
      const record: ResourceRecord = {
        name,
        type: bytes.readUInt16BE(end),
        class: bytes.readUInt16BE(end + 2),
        ttl: bytes.readUInt32BE(end + 4),
        data: bytes.subarray(dataAt, dataAt + length),
        at,
        dataAt,
      };
      at = dataAt + length;
      return record;
    });
  return {
    bytes,
    id: bytes.readUInt16BE(0),
    opcode: (flags >> 11) & 15,
    isResponse: (flags & 0x8000) !== 0,
    rcode: flags & 15,
    sections: [
      section(bytes.readUInt16BE(6)),
      section(bytes.readUInt16BE(8)),
      section(bytes.readUInt16BE(10)),
    ],
  };
};

const groupsOf = (address: string): number[] => {
  const [head = '', tail] = address.split('::');
  const groups = (text: string): number[] =>
    text === '' ? [] : text.split(':').map((one) => parseInt(one, 16));
  const [before, after] = [groups(head), groups(tail ?? '')];
  return [...before, ...Array<number>(8 - before.length - after.length).fill(0), ...after];
};

/** The data of a record. An IPv6 address contains no dots, as `addressOf` writes it. */
export const writeData = (type: RecordType, value: string): Buffer => {
  if (type === 'A') return Buffer.from(value.split('.').map(Number));
  if (type === 'AAAA') return Buffer.concat(groupsOf(value).map(u16));
  return writeName(value);
};

/** @throws RangeError if the data is not of that type */
export const readData = (type: RecordType, { bytes }: Message, { data, dataAt }: ResourceRecord): string => {
  if (type === 'CNAME') return readName(bytes, dataAt).name;
  if (data.length !== (type === 'A' ? 4 : 16))
    throw new RangeError(`an ${type} record of ${data.length} bytes`);
  if (type === 'A') return data.join('.');
  const groups = Array.from({ length: 8 }, (_, at) => data.readUInt16BE(at * 2).toString(16));
  return new SocketAddress({ address: groups.join(':'), family: 'ipv6' }).address;
};

/** The data of a TXT record with one string. */
export const writeText = (text: string): Buffer => {
  const bytes = Buffer.from(text, 'latin1');
  if (bytes.length > 255) throw new RangeError('a string of more than 255 bytes');
  return Buffer.concat([Buffer.from([bytes.length]), bytes]);
};

/** All strings of a TXT record as one text. @throws RangeError if the data is malformed */
export const readText = (data: Buffer): string => {
  let text = '';
  for (let at = 0; at < data.length;) {
    const end = at + 1 + data.readUInt8(at);
    if (end > data.length) throw new RangeError('a text is cut off');
    text += data.toString('latin1', at + 1, end);
    at = end;
  }
  return text;
};
