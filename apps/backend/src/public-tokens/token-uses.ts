/**
 * Counts the uses of tokens. A product may read a thousand times a second, so this process collects the uses and adds
 * them to the table every few seconds. Those of a process that dies in between are lost.
 */
import type { Pool } from '../platform/tokens';

/** The first use since the beginning of the day. */
export interface FirstUse {
  id: string;
  workspace: string;
  uses: number;
}

const ADD = `
  with known as (
    select t.id, t.used_at, new.uses from app.public_tokens t
      join unnest($1::uuid[], $2::bigint[]) as new (id, uses) on new.id = t.id
    order by t.id for update of t)
  update app.public_tokens t set uses = t.uses + known.uses, used_at = clock_timestamp() from known
  where t.id = known.id
  returning t.id, t.workspace, t.uses::text,
    (known.used_at is null or (known.used_at at time zone 'utc')::date < (clock_timestamp() at time zone 'utc')::date)
      as "isFirst"`;

export class TokenUses {
  private counted = new Map<string, number>();
  private adding: Promise<void> = Promise.resolve();

  constructor(
    private readonly db: Pool,
    private readonly onFirst: (use: FirstUse) => Promise<void>,
  ) {}

  count(id: string): void {
    this.counted.set(id, (this.counted.get(id) ?? 0) + 1);
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
    const { rows } = await this.db
      .query<{ id: string; workspace: string; uses: string; isFirst: boolean }>(ADD, [
        [...counted.keys()],
        [...counted.values()],
      ])
      .catch((error: unknown) => {
        for (const [id, uses] of counted) this.counted.set(id, (this.counted.get(id) ?? 0) + uses);
        throw error;
      });
    for (const { isFirst, id, workspace, uses } of rows)
      if (isFirst) await this.onFirst({ id, workspace, uses: Number(uses) });
  }
}
