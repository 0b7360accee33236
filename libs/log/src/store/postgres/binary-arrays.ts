/**
 * Encodes array parameters in Postgres's binary format. The usual text format quotes every element here and unquotes it
 * there. For JSON full of quotation marks that took 15 % of the time of a batch.
 */
const BYTEA = 17;
const TEXT = 25;
const UUID = 2950;
const INT4 = 23;
const INT8 = 20;
const HEADER = 20;

export function textArray(values: readonly string[]): Buffer {
  let size = HEADER;
  for (const value of values) size += 4 + Buffer.byteLength(value);
  const buffer = header(Buffer.allocUnsafe(size), TEXT, values.length);
  let offset = HEADER;
  for (const value of values) {
    const length = buffer.write(value, offset + 4, 'utf8');
    offset = buffer.writeInt32BE(length, offset) + length;
  }
  return buffer;
}

export function uuidArray(values: readonly string[]): Buffer {
  const buffer = header(Buffer.allocUnsafe(HEADER + values.length * 20), UUID, values.length);
  let offset = HEADER;
  for (const value of values) {
    offset = buffer.writeInt32BE(16, offset);
    offset += buffer.write(value.replaceAll('-', ''), offset, 'hex');
  }
  return buffer;
}

export function byteaArray(values: readonly Buffer[]): Buffer {
  const size = values.reduce((sum, value) => sum + 4 + value.length, HEADER);
  const buffer = header(Buffer.allocUnsafe(size), BYTEA, values.length);
  let offset = HEADER;
  for (const value of values) offset += 4 + value.copy(buffer, buffer.writeInt32BE(value.length, offset));
  return buffer;
}

export function int4Array(values: readonly number[]): Buffer {
  const buffer = header(Buffer.allocUnsafe(HEADER + values.length * 8), INT4, values.length);
  let offset = HEADER;
  for (const value of values) offset = buffer.writeInt32BE(value, buffer.writeInt32BE(4, offset));
  return buffer;
}

export function int8Array(values: readonly number[]): Buffer {
  const buffer = header(Buffer.allocUnsafe(HEADER + values.length * 12), INT8, values.length);
  let offset = HEADER;
  for (const value of values) {
    offset = buffer.writeInt32BE(8, offset);
    // Written as two halves: numbers above 2^53 do not occur, and BigInt would cost more than everything else.
    offset = buffer.writeInt32BE(Math.floor(value / 0x1_0000_0000), offset);
    offset = buffer.writeUInt32BE(value >= 0 ? value % 0x1_0000_0000 : value + 0x1_0000_0000, offset);
  }
  return buffer;
}

/** Header of the array: one dimension, no nulls, element type, length, first index 1. */
function header(buffer: Buffer, elementType: number, length: number): Buffer {
  buffer.writeInt32BE(1, 0);
  buffer.writeInt32BE(0, 4);
  buffer.writeInt32BE(elementType, 8);
  buffer.writeInt32BE(length, 12);
  buffer.writeInt32BE(1, 16);
  return buffer;
}
