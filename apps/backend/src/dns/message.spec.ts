import fc from 'fast-check';
import * as wire from './message';
import type { RecordType } from './records';

const written = (type: RecordType, value: string): wire.Message =>
  wire.readMessage(
    wire.writeMessage(7, 'update', wire.writeQuestion('example.org', wire.typeNumber.SOA), [
      [wire.writeRecord('Shop.example.org', wire.typeNumber[type], wire.classNumber.NONE, 0)],
      [wire.writeRecord('shop.example.org', wire.typeNumber[type], 1, 300, wire.writeData(type, value))],
      [],
    ]),
  );

describe('DNS messages', () => {
  it.each<[RecordType, string]>([
    ['A', '192.0.2.1'],
    ['AAAA', '2001:db8::1'],
    ['AAAA', '::1'],
    ['AAAA', '2001:db8::'],
    ['AAAA', '2001:db8:1:2:3:4:5:6'],
    ['CNAME', 'other.example.net'],
  ])('encode and decode an %s record with %s', (type, value) => {
    const message = written(type, value);
    expect(message).toMatchObject({ id: 7, opcode: 5, isResponse: false, rcode: 0 });
    const [[condition], [change]] = message.sections;
    expect(condition).toMatchObject({ name: 'shop.example.org', class: 254, data: Buffer.alloc(0) });
    expect(change && wire.readData(type, message, change)).toBe(value);
    expect(change?.ttl).toBe(300);
  });

  it('follow pointers of compressed names only backwards, so that every name ends', () => {
    const compressed = Buffer.from([3, 111, 114, 103, 0, 4, 115, 104, 111, 112, 0xc0, 0]);
    expect(wire.readName(compressed, 5)).toEqual({ name: 'shop.org', end: 12 });
    for (const bytes of [
      [0xc0, 0],
      [1, 97, 0xc0, 0],
      [0xc0, 2, 0xc0, 0],
      [64, 1],
      [5, 97],
    ])
      expect(() => wire.readName(Buffer.from(bytes), 0)).toThrow(
        expect.objectContaining({ name: 'RangeError' }),
      );
  });

  it('are refused with a RangeError, and nothing else, if they are malformed', () => {
    const whole = written('AAAA', '2001:db8::1').bytes;
    const damaged = fc
      .tuple(fc.nat(whole.length - 1), fc.nat(255), fc.nat(whole.length))
      .map(([at, value, end]) => {
        const bytes = Buffer.from(whole);
        bytes[at] = value;
        return bytes.subarray(0, end);
      });
    const random = fc.uint8Array({ maxLength: 200 }).map((bytes) => Buffer.from(bytes));
    fc.assert(
      fc.property(fc.oneof(damaged, random), (bytes) => {
        try {
          const message = wire.readMessage(bytes);
          for (const record of message.sections.flat()) wire.readData('CNAME', message, record);
        } catch (error) {
          expect((error as Error).name).toBe('RangeError');
        }
      }),
      { numRuns: 2000 },
    );
  });

  it('contain no label of more than 63 bytes and no name of more than 255', () => {
    expect(wire.writeName('a'.repeat(63))).toHaveLength(65);
    expect(() => wire.writeName('a'.repeat(64))).toThrow(RangeError);
    expect(() => wire.writeName('ab.'.repeat(90))).toThrow(RangeError);
  });
});
