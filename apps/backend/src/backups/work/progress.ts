/**
 * Progress of the work, for the pages of every process. Written once a second and at the start of each part; deleted
 * when the work ends.
 */
import type { Pool } from '../../platform/tokens';

const WRITTEN_EVERY_MS = 1_000;

export interface Progress {
  /** Part of the archive being taken, or step of a drill. `archives`: the target is being read. */
  part: string;
  bytes: number;
}

export class ProgressNotes {
  private writtenAt = -Infinity;
  private part: string | undefined;
  private last: Promise<unknown> = Promise.resolve();

  constructor(
    private readonly db: Pool,
    private readonly work: string,
  ) {}

  /** Work continues even if its progress cannot be written. */
  tell({ part, bytes }: Progress): void {
    if (part === this.part && performance.now() - this.writtenAt < WRITTEN_EVERY_MS) return;
    this.part = part;
    this.writtenAt = performance.now();
    const write = (): Promise<unknown> =>
      this.db.query(
        `insert into app.backup_progress (work, part, bytes) values ($1, $2, $3)
         on conflict (work) do update set part = excluded.part, bytes = excluded.bytes`,
        [this.work, part, bytes],
      );
    this.last = this.last.then(write).catch(() => undefined);
  }

  async clear(): Promise<void> {
    await this.last;
    await this.db.query('delete from app.backup_progress').catch(() => undefined);
  }
}

export const progressOf = async (db: Pool, work: string): Promise<Progress | undefined> => {
  const { rows } = await db.query<Progress>(
    'select part, bytes::float8 as bytes from app.backup_progress where work = $1',
    [work],
  );
  return rows[0];
};
