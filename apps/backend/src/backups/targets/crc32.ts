import { crc32 } from 'node:zlib';

/** As Amazon's client wants it. Its own is written in JavaScript: 0.7 s for 500 MB, where this takes 0.13. */
export class Crc32 {
  private sum = 0;

  update(bytes: Uint8Array): void {
    this.sum = crc32(bytes, this.sum);
  }

  async digest(): Promise<Uint8Array> {
    const digest = Buffer.alloc(4);
    digest.writeUInt32BE(this.sum);
    return digest;
  }

  reset(): void {
    this.sum = 0;
  }
}
