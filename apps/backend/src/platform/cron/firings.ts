/** What schedules and triggers have started, and what they could not start: kept for a week, and the newest of each longer. */
import type { Pool } from 'pg';
import { v5 as uuidv5 } from 'uuid';

const KEPT_DAYS = 7;
/** The newest of each, which are kept however old they are. */
const SHOWN = 50;

const FIRING = `id, at, state as "is", source, coalesce(reason, '') as reason, occurrence`;
interface FiringRow<Is> {
  id: string;
  at: Date;
  is: Is;
  source: string;
  reason: string;
  occurrence: Date | null;
}

export interface Firing<Is = string> {
  /** Id of what was started, or would have been. */
  id: string;
  at: string;
  is: Is;
  source: string;
  reason?: string;
  occurrence?: string;
}

export interface NewFiring<Is> {
  id: string;
  workspace: string;
  is: Is;
  source: string;
  occurrence?: Date | undefined;
  chain?: string | undefined;
  reason?: string | undefined;
}

const viewOf = <Is>({ id, at, is, source, reason, occurrence }: FiringRow<Is>): Firing<Is> => ({
  id,
  at: at.toISOString(),
  is,
  source,
  ...(reason !== '' && { reason }),
  ...(occurrence && { occurrence: occurrence.toISOString() }),
});

/** The id of what is started. The same source has the same one, so it is started once. */
export const firedIdOf = (trigger: string, source: string): string => uuidv5(source, trigger);

export class Firings<Is extends string> {
  /** @param table of the feature, with the columns of `app.workflow_firings` */
  constructor(
    private readonly db: Pick<Pool, 'query'>,
    private readonly table: string,
  ) {}

  /** What was recorded before stays as it is. */
  async record(trigger: string, firing: NewFiring<Is>): Promise<Firing<Is>> {
    const { id, workspace, is, source, occurrence = null, chain = null, reason = null } = firing;
    await this.db.query(
      `insert into ${this.table} (trigger, id, workspace, state, source, occurrence, chain, reason)
       values ($1, $2, $3, $4, $5, $6, $7, $8) on conflict do nothing`,
      [trigger, id, workspace, is, source, occurrence, chain, reason],
    );
    return (await this.known(trigger, id)) ?? { id, at: new Date().toISOString(), is, source };
  }

  async known(trigger: string, id: string): Promise<Firing<Is> | undefined> {
    const { rows } = await this.db.query<FiringRow<Is>>(
      `select ${FIRING} from ${this.table} where trigger = $1 and id = $2`,
      [trigger, id],
    );
    return rows[0] && viewOf(rows[0]);
  }

  /** Newest first. @param is only those in this state */
  async list(trigger: string, is?: Is, max = SHOWN): Promise<Firing<Is>[]> {
    const { rows } = await this.db.query<FiringRow<Is>>(
      `select ${FIRING} from ${this.table} where trigger = $1 and ($2::text is null or state = $2)
       order by at desc, id limit $3`,
      [trigger, is ?? null, max],
    );
    return rows.map(viewOf);
  }

  /** The last one of each trigger. */
  async last(triggers: readonly string[]): Promise<Map<string, Firing<Is>>> {
    const { rows } = await this.db.query<FiringRow<Is> & { trigger: string }>(
      `select f.* from unnest($1::uuid[]) as t (trigger),
         lateral (select trigger, ${FIRING} from ${this.table} w where w.trigger = t.trigger
           order by at desc, id limit 1) f`,
      [triggers],
    );
    return new Map(rows.map((row) => [row.trigger, viewOf(row)]));
  }

  /** The last occurrence that was seen to. */
  async occurrence(trigger: string): Promise<Date | undefined> {
    const { rows } = await this.db.query<{ at: Date | null }>(
      `select max(occurrence) as at from ${this.table} where trigger = $1`,
      [trigger],
    );
    return rows[0]?.at ?? undefined;
  }

  /** The newest of each trigger stay: they are shown, and the next occurrence is counted from them. */
  async sweep(): Promise<void> {
    await this.db.query(
      `delete from ${this.table} f where f.at < clock_timestamp() - interval '${KEPT_DAYS} days'
         and exists (select from ${this.table} n where n.trigger = f.trigger and n.at > f.at offset ${SHOWN - 1})`,
    );
  }
}
