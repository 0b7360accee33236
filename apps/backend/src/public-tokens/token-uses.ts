/**
 * Counts the uses of tokens. A product may read a thousand times a second, so this process collects the uses and adds
 * them to the table every few seconds. Those of a process that dies in between are lost.
 */
export class TokenUses {
  private counted = new Map<string, number>();
  private adding: Promise<void> = Promise.resolve();

  constructor(private readonly addAll: (uses: ReadonlyMap<string, number>) => Promise<unknown>) {}

  count(id: string, uses = 1): void {
    this.counted.set(id, (this.counted.get(id) ?? 0) + uses);
  }

  /** Settles when everything that was counted before is in the table. */
  add(): Promise<void> {
    this.adding = this.adding.catch(() => undefined).then(() => this.addCounted());
    return this.adding;
  }

  private async addCounted(): Promise<void> {
    const { counted } = this;
    if (counted.size === 0) return;
    this.counted = new Map();
    try {
      await this.addAll(counted);
    } catch (error) {
      for (const [id, uses] of counted) this.count(id, uses);
      throw error;
    }
  }
}
