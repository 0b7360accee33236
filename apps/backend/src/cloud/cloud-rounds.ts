/** Looks at the accounts of all workspaces at intervals, in one process. */
import { Inject, Injectable } from '@nestjs/common';
import { LeasedRounds, Leases } from '../platform/leases';
import { CONFIG, DB, LOGGER, type Config, type Logger, type Pool } from '../platform/tokens';
import { CloudLooks } from './cloud-looks';

/** At rest, a look takes three calls, so an account that may make 5,000 calls an hour notices nothing. */
const EVERY_MS = 30_000;
/** An account whose token was refused: the provider may have been wrong. */
const REFUSED_EVERY_S = 300;

@Injectable()
export class CloudRounds extends LeasedRounds {
  constructor(
    leases: Leases,
    @Inject(LOGGER) logger: Logger,
    @Inject(CONFIG) config: Config,
    @Inject(DB) private readonly db: Pool,
    private readonly looks: CloudLooks,
  ) {
    super(leases, logger, {
      lease: 'cloud-looks',
      what: 'the lists of cloud accounts could not be read',
      isOn: config.CLOUD_LOOKS === 'on',
      everyMs: EVERY_MS,
    });
  }

  protected async round(signal: AbortSignal): Promise<void> {
    const { rows } = await this.db.query<{ workspace: string }>(
      `select account.workspace from read.cloud_accounts account
       left join app.cloud_looks look on look.workspace::text = account.workspace
       where refused is null or tried_at is null or tried_at < clock_timestamp() - make_interval(secs => $1)
       order by account.workspace`,
      [REFUSED_EVERY_S],
    );
    for (const { workspace } of rows) {
      if (signal.aborted) return;
      await this.looks.look(workspace, signal).catch((error: unknown) => {
        this.logger.warn({ err: error, workspace }, this.terms.what);
      });
    }
  }
}
