/**
 * The counts of all served APIs by endpoint and day, in Postgres: they survive a restart, and several console processes
 * count together. Written in batches. A batch whose write fails is written with the next one.
 */
import { Inject, Injectable } from '@nestjs/common';
import { DB, LOGGER, type Logger, type Pool } from '../platform/tokens';
import { addCounts, noCounts, type Counts } from './child/counts';

/** Days that are shown, today included. What is older goes. */
const DAYS = 7;
const WRITE_MS = 500;
const AGAIN_MS = 5000;
const CLEAN_MS = 3_600_000;
/** Counts of endpoints that wait to be written. During an outage, further endpoints are not counted. */
const MAX_WAITING = 20_000;

const TODAY = `(now() at time zone 'UTC')::date`;

/** Always in one order, so that two processes never wait for each other. */
const ADD = `
  insert into app.api_counts as kept (instance, day, endpoint, since, requests, refused, failed, buckets)
  select instance, ${TODAY}, endpoint, now(), requests, refused, failed, buckets
  from jsonb_to_recordset($1) as more
    (instance uuid, endpoint text, requests bigint, refused bigint, failed bigint, buckets bigint[])
  order by instance, endpoint
  on conflict (instance, day, endpoint) do update set
    requests = kept.requests + excluded.requests, refused = kept.refused + excluded.refused,
    failed = kept.failed + excluded.failed,
    buckets = (
      select array_agg(coalesce(one, 0) + coalesce(other, 0) order by at)
      from unnest(kept.buckets, excluded.buckets) with ordinality as pairs (one, other, at))`;

const READ = `
  select endpoint, since, requests::float8, refused::float8, failed::float8, array_to_json(buckets) as buckets
  from app.api_counts where instance = $1 and day > ${TODAY} - ${DAYS}`;

export interface Counted {
  /** Undefined: nothing was counted. */
  readonly since: Date | undefined;
  /** By id of the endpoint. Removed ones leave their counts. */
  readonly endpoints: ReadonlyMap<string, Counts>;
}

@Injectable()
export class KeptCounts {
  /** By instance, then by endpoint. */
  private waiting = new Map<string, Map<string, Counts>>();
  private size = 0;
  private timer: NodeJS.Timeout | undefined;
  private writing: Promise<void> = Promise.resolve();
  private cleanedAt = -Infinity;

  constructor(
    @Inject(DB) private readonly db: Pool,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  add(instance: string, counts: Readonly<Record<string, Counts>>): void {
    const known = this.waiting.get(instance) ?? new Map<string, Counts>();
    this.waiting.set(instance, known);
    for (const [endpoint, more] of Object.entries(counts)) {
      let sum = known.get(endpoint);
      if (!sum) {
        if (this.size >= MAX_WAITING) continue;
        this.size += 1;
        sum = noCounts();
        known.set(endpoint, sum);
      }
      addCounts(sum, more);
    }
    this.timer ??= setTimeout(() => void this.flush(), WRITE_MS);
  }

  /** Resolves after the attempt to write what waits. */
  flush(): Promise<void> {
    clearTimeout(this.timer);
    this.timer = undefined;
    this.writing = this.writing.then(() => this.write());
    return this.writing;
  }

  async of(instance: string): Promise<Counted> {
    const { rows } = await this.db.query<Counts & { endpoint: string; since: Date }>(READ, [instance]);
    const endpoints = new Map<string, Counts>();
    let since: Date | undefined;
    for (const { endpoint, since: began, ...counts } of rows) {
      const sum = endpoints.get(endpoint) ?? noCounts();
      addCounts(sum, counts);
      endpoints.set(endpoint, sum);
      if (!since || began < since) since = began;
    }
    return { since, endpoints };
  }

  private async write(): Promise<void> {
    const { waiting } = this;
    const rows = [...waiting].flatMap(([instance, counts]) =>
      [...counts].map(([endpoint, one]) => ({ instance, endpoint, ...one })),
    );
    this.waiting = new Map();
    this.size = 0;
    try {
      if (rows.length > 0) await this.db.query(ADD, [JSON.stringify(rows)]);
      await this.clean();
    } catch (error) {
      this.logger.warn({ err: error }, 'counts of served APIs could not be written');
      for (const [instance, counts] of waiting) this.add(instance, Object.fromEntries(counts));
      clearTimeout(this.timer);
      this.timer = setTimeout(() => void this.flush(), AGAIN_MS).unref();
    }
  }

  private async clean(): Promise<void> {
    if (performance.now() - this.cleanedAt < CLEAN_MS) return;
    await this.db.query(`delete from app.api_counts where day <= ${TODAY} - ${DAYS}`);
    this.cleanedAt = performance.now();
  }
}
