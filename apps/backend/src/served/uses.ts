/** How many use something at the moment, and when nobody has for a while. A use needs no timer of its own. */
export class Uses {
  private count = 0;
  private lastAt = 0;
  private looking: NodeJS.Timeout | undefined;
  private isClosed = false;

  /** @param unused called once nobody has used it for so long */
  constructor(
    private readonly ms: number,
    private readonly unused: () => void,
  ) {}

  get underWay(): number {
    return this.count;
  }

  async during<T>(work: () => Promise<T>): Promise<T> {
    this.count += 1;
    try {
      return await work();
    } finally {
      this.count -= 1;
      this.lastAt = performance.now();
      if (!this.isClosed) this.looking ??= this.lookIn(this.ms);
    }
  }

  close(): void {
    this.isClosed = true;
    clearTimeout(this.looking);
  }

  private lookIn(ms: number): NodeJS.Timeout {
    return setTimeout(() => {
      this.looking = undefined;
      // The last one that is under way looks again.
      if (this.count > 0) return;
      const left = this.lastAt + this.ms - performance.now();
      if (left > 0) this.looking = this.lookIn(left);
      else this.unused();
    }, ms).unref();
  }
}
