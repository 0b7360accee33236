/**
 * Decodes bytes piece by piece, with the same result however they were cut: an incomplete character waits for the rest.
 * Unlike `StringDecoder` it reports whether something waits.
 */
export class Utf8Decoder {
  private rest: Buffer = Buffer.alloc(0);

  get holding(): boolean {
    return this.rest.length > 0;
  }

  push(bytes: Buffer): string {
    const all = this.rest.length > 0 ? Buffer.concat([this.rest, bytes]) : bytes;
    const end = all.length - openEnd(all);
    // A copy: the bytes may belong to a buffer that the socket reuses.
    this.rest = Buffer.from(all.subarray(end));
    return all.toString('utf8', 0, end);
  }

  end(): string {
    const text = this.rest.toString();
    this.rest = Buffer.alloc(0);
    return text;
  }
}

/** Number of bytes at the end that begin an incomplete character. */
const openEnd = (bytes: Buffer): number => {
  for (let back = 1; back <= Math.min(3, bytes.length); back++) {
    const byte = bytes[bytes.length - back] ?? 0;
    if (byte < 0x80) return 0;
    if (byte >= 0xc0) {
      const length = byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : 2;
      return byte <= 0xf4 && length > back ? back : 0;
    }
  }
  return 0;
};
