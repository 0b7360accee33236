/** The running processes of the console. Each reports every two seconds. */
import { hostname } from 'node:os';
import { Inject, Injectable, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import type { ProcessView } from '@quarterdeck/projections';
import { v7 as uuidv7 } from 'uuid';
import { DB, LOGGER, PROJECTIONS, type Logger, type Pool, type ProjectionRunner } from '../platform/tokens';
import { VERSION } from '../platform/version';

const BEAT_MS = 2_000;
/** A process that has not reported for this long has ended, or is cut off. */
const SILENT = `interval '8 seconds'`;
const FORGOTTEN = `interval '1 hour'`;

interface Row extends Omit<ProcessView, 'startedAt' | 'leadingSince'> {
  startedAt: Date;
  leadingSince: Date | null;
}

@Injectable()
export class Processes implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly id = uuidv7();
  private readonly startedAt = new Date();
  private timer: NodeJS.Timeout | undefined;
  private beating = Promise.resolve();

  constructor(
    @Inject(DB) private readonly db: Pool,
    @Inject(PROJECTIONS) private readonly projections: ProjectionRunner,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  async onApplicationBootstrap(): Promise<void> {
    this.timer = setInterval(() => this.beat(), BEAT_MS).unref();
    this.beat();
    await this.beating;
  }

  async onModuleDestroy(): Promise<void> {
    clearInterval(this.timer);
    await this.beating;
    await this.db.query('delete from app.processes where id = $1', [this.id]).catch(() => undefined);
  }

  /** Running processes, the oldest first. */
  async list(): Promise<ProcessView[]> {
    const { rows } = await this.db.query<Row>(
      `select id, host, pid, version, started_at as "startedAt",
         case when leading_since = max(leading_since) over () then leading_since end as "leadingSince"
       from app.processes where seen_at > clock_timestamp() - ${SILENT} order by started_at, id`,
    );
    return rows.map(({ startedAt, leadingSince, ...row }) => ({
      ...row,
      startedAt: startedAt.toISOString(),
      // If two processes claim the lead, the later one is right: the earlier one has died, or has not noticed yet.
      ...(leadingSince ? { leadingSince: leadingSince.toISOString() } : {}),
    }));
  }

  private beat(): void {
    this.beating = this.beating
      .then(() => this.say())
      .catch((error: unknown) => {
        this.logger.warn({ err: error }, 'the list of processes');
      });
  }

  private async say(): Promise<void> {
    await this.db.query(
      `with gone as (delete from app.processes where seen_at < clock_timestamp() - ${FORGOTTEN})
       insert into app.processes (id, host, pid, version, started_at, leading_since, seen_at)
       values ($1, $2, $3, $4, $5, $6, clock_timestamp())
       on conflict (id) do update set leading_since = excluded.leading_since, seen_at = excluded.seen_at`,
      [this.id, hostname(), process.pid, VERSION, this.startedAt, this.projections.leadingSince ?? null],
    );
  }
}
