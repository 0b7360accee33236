/** Every hour, removes e-mails that are older than the workspace keeps them, in the process that holds the lease. */
import { Inject, Injectable } from '@nestjs/common';
import { DEFAULT_EMAIL_DAYS } from '@quarterdeck/projections';
import type { EventData } from '@quarterdeck/events';
import { literally } from '../platform/database';
import { Decisions } from '../platform/decisions';
import { LeasedRounds, Leases } from '../platform/leases';
import { type CommandMeta, ownMeta } from '../platform/sessions';
import { DB, LOGGER, type Logger, type Pool } from '../platform/tokens';
import { SIGNATURE_SECONDS } from '../platform/webhook-signature';
import { settingsOfAll } from '../workspaces';
import { Mails } from './mails';
import { emailDecider } from './mails.decider';

const EVERY_MS = 60 * 60_000;
const AT_ONCE = 100;

const NOBODY = '00000000-0000-0000-0000-000000000000';
/** Rows of e-mails that the read model does not have. Most were removed, and then something was interrupted. */
const UNLISTED = `
  select e.id, e.workspace from app.emails e
  where e.received_at < clock_timestamp() - interval '1 day' and e.id > $1
    and not exists (select from read.emails r where r.id = e.id::text)
  order by e.id limit ${AT_ONCE}`;

@Injectable()
export class MailRetention extends LeasedRounds {
  constructor(
    @Inject(DB) private readonly db: Pool,
    @Inject(LOGGER) logger: Logger,
    private readonly mails: Mails,
    private readonly decisions: Decisions,
    leases: Leases,
  ) {
    super(leases, logger, {
      lease: 'mail-retention',
      what: 'the retention of e-mails',
      everyMs: EVERY_MS,
    });
  }

  protected round(signal: AbortSignal): Promise<number> {
    return this.sweep(signal);
  }

  /** @returns how many e-mails were removed */
  async sweep(signal?: AbortSignal): Promise<number> {
    let removed = 0;
    for (const { workspace, chosen } of await settingsOfAll(this.db, 'retention')) {
      const days = chosen.emailDays ?? DEFAULT_EMAIL_DAYS;
      removed += await this.removeAll(
        `received_at < clock_timestamp() - make_interval(days => $3)`,
        [days],
        { because: 'retention', days },
        ownMeta('system', workspace),
        signal,
      );
    }
    await this.sweepUnlisted(signal);
    await this.db.query(
      'delete from app.mail_webhooks where at < clock_timestamp() - make_interval(secs => $1)',
      [2 * SIGNATURE_SECONDS],
    );
    if (removed > 0) this.logger.info({ emails: removed }, 'old e-mails were removed');
    return removed;
  }

  /** Removes every e-mail of the workspace that names one of these addresses. */
  async forget(addresses: readonly string[], meta: CommandMeta): Promise<number> {
    let removed = 0;
    for (const address of addresses) {
      const lower = address.toLowerCase();
      // An address is a part of a longer one only by chance, and then that e-mail stays.
      const whole = `(^|[^a-z0-9._%+-])${lower.replaceAll(/[^a-z0-9]/g, '\\$&')}($|[^a-z0-9_-])`;
      removed += await this.removeAll(
        `((search like $3 and search ~ $4) or (lower(body) like $3 and lower(body) ~ $4)
          or (position($5::bytea in raw) > 0 or position($6::bytea in raw) > 0))`,
        [`%${literally(lower)}%`, whole, Buffer.from(address), Buffer.from(lower)],
        { because: 'forgotten' },
        meta,
      );
    }
    return removed;
  }

  private async removeAll(
    which: string,
    values: unknown[],
    why: EventData<'EmailRemoved'>,
    meta: CommandMeta,
    signal?: AbortSignal,
  ): Promise<number> {
    let removed = 0;
    for (let after = NOBODY; !signal?.aborted;) {
      const { rows } = await this.db.query<{ id: string }>(
        `select id from app.emails where workspace = $1 and id > $2 and ${which} order by id limit ${AT_ONCE}`,
        [meta.workspace, after, ...values],
      );
      for (const { id } of rows) {
        if (signal?.aborted) return removed;
        await this.mails.remove(id, why, { ...meta, keyed: undefined });
        removed += 1;
      }
      after = rows.at(-1)?.id ?? after;
      if (rows.length < AT_ONCE) break;
    }
    return removed;
  }

  /** The log decides: a read model that is being built has not got them yet. */
  private async sweepUnlisted(signal?: AbortSignal): Promise<void> {
    for (let after = NOBODY; !signal?.aborted;) {
      const { rows } = await this.db.query<{ id: string; workspace: string }>(UNLISTED, [after]);
      for (const { id, workspace } of rows) {
        const { state } = await this.decisions.load(emailDecider, id, workspace);
        if (state.is === 'removed') await this.db.query('delete from app.emails where id = $1', [id]);
      }
      after = rows.at(-1)?.id ?? after;
      if (rows.length < AT_ONCE) break;
    }
  }
}
