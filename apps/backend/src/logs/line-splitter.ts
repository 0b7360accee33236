/** Cuts bytes into lines. A line that never ends does not fill the memory: it is cut, too. */
const MAX_LINE_BYTES = 256 * 1024;
const NEWLINE = 10;

export interface SplitLine {
  bytes: Buffer;
  /** With the line break, unless it was cut. */
  length: number;
}

export class LineSplitter {
  private pending: Buffer[] = [];
  private pendingBytes = 0;

  /** Bytes of the line that has not ended. */
  get held(): number {
    return this.pendingBytes;
  }

  push(bytes: Buffer): SplitLine[] {
    const lines: SplitLine[] = [];
    let from = 0;
    for (let at = bytes.indexOf(NEWLINE); at >= 0; at = bytes.indexOf(NEWLINE, from)) {
      lines.push(this.taken(bytes.subarray(from, at), 1));
      from = at + 1;
    }
    if (from < bytes.length) {
      // A copy: the whole piece of a connection is not kept for its last bytes.
      this.pending.push(Buffer.from(bytes.subarray(from)));
      this.pendingBytes += bytes.length - from;
      if (this.pendingBytes >= MAX_LINE_BYTES) lines.push(this.taken(Buffer.alloc(0)));
    }
    return lines;
  }

  /** The rest, if the last line lacks its end. */
  end(): SplitLine[] {
    return this.pendingBytes > 0 ? [this.taken(Buffer.alloc(0))] : [];
  }

  private taken(last: Buffer, breaks = 0): SplitLine {
    const bytes = this.pendingBytes === 0 ? last : Buffer.concat([...this.pending, last]);
    this.pending = [];
    this.pendingBytes = 0;
    return { bytes, length: bytes.length + breaks };
  }
}
