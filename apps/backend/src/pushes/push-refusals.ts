/** Counts the calls that were refused: one row for each service, so that an attacker fills nothing. */
import { Inject, Injectable } from '@nestjs/common';
import { DB, type Pool } from '../platform/tokens';

interface RefusalRow {
  count: string;
  since: Date;
  at: Date;
  says: string;
}

@Injectable()
export class PushRefusals {
  constructor(@Inject(DB) private readonly db: Pool) {}

  async count({ service, workspace }: { service: string; workspace: string }, says: string): Promise<void> {
    await this.db.query(
      `insert into app.push_refusals as known (service, workspace, count, since, at, says)
       values ($1, $2, 1, clock_timestamp(), clock_timestamp(), $3)
       on conflict (service) do update set count = known.count + 1, at = excluded.at, says = excluded.says`,
      [service, workspace, says],
    );
  }

  async of(service: string, workspace: string) {
    const { rows } = await this.db.query<RefusalRow>(
      `select count::text, since, at, says from app.push_refusals where service = $1 and workspace = $2`,
      [service, workspace],
    );
    return rows.map(({ count, since, at, says }) => ({
      count: Number(count),
      since: since.toISOString(),
      at: at.toISOString(),
      says,
    }))[0];
  }
}
