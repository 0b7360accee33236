/** Events in the log that this console did not write, and who has reviewed them. */
import { Inject, Injectable } from '@nestjs/common';
import { streamParts, type Position } from '@quarterdeck/events';
import { LOG_STREAM } from '@quarterdeck/events/catalogue';
import { same, type EventLogFacts, type ForeignEvent, type ForeignEventView } from '@quarterdeck/projections';
import type { Decision } from '../platform/decider';
import { Decisions } from '../platform/decisions';
import { invalidField } from '../platform/errors';
import { ACKNOWLEDGED, unacknowledged } from '../platform/database';
import { inView, type HistoryOf } from '../platform/in-view';
import type { CommandMeta } from '../platform/sessions';
import { DB, type Pool } from '../platform/tokens';
import { AcknowledgeForeign, foreignDecider } from './foreign.decider';
import { installationMeta } from './maintenance-book';

const foreign = inView<ForeignEventView>('f.view');
const reviewed = inView<HistoryOf<'ForeignEventsAcknowledged'>>('h.view');

/** How many of the newest are shown. */
const SHOWN = 20;

const NEWEST = `
  select f.position::text, ${foreign.text('stream')} as stream, ${foreign.text('type')} as type, ${foreign.text('reason')} as reason,
    ${foreign.text('recordedAt')} as "recordedAt", looked.by_whom as acknowledged
  from (select * from read.foreign_events order by position desc limit ${SHOWN}) f
    left join lateral (
      select json_build_object('at', ${reviewed.text('at')}, 'by', coalesce(p.shown_as, h.actor),
        'reason', ${reviewed.text('data', 'reason')}) as by_whom
      from read.history h left join app.person_records p on p.id::text = h.actor
      where ${same('h.workspace', `'-'`)} and ${same('h.type', `'ForeignEventsAcknowledged'`)}
        and ${reviewed.text('data', 'upTo')}::bigint >= f.position
      order by h.position limit 1) looked on true
  order by f.position desc`;

type Row = Omit<ForeignEvent, 'acknowledged'> & { acknowledged: ForeignEvent['acknowledged'] | null };

@Injectable()
export class ForeignEvents {
  constructor(
    @Inject(DB) private readonly db: Pool,
    private readonly decisions: Decisions,
  ) {}

  async facts(): Promise<EventLogFacts['foreign']> {
    const [{ rows }, all, open] = await Promise.all([
      this.db.query<Row>(NEWEST),
      this.db.query<{ count: number }>('select count(*)::int as count from read.foreign_events'),
      unacknowledged(this.db),
    ]);
    const newest = rows.map(({ acknowledged, ...event }) => ({
      ...event,
      ...(acknowledged ? { acknowledged } : {}),
    }));
    return { count: all.rows[0]?.count ?? 0, open, newest };
  }

  /**
   * @param upTo position of the newest reviewed event; later ones are reported again
   * @throws DomainError
   */
  async acknowledge(upTo: Position, reason: string, meta: CommandMeta): Promise<Decision> {
    const { rows } = await this.db.query<{ known: boolean; count: number }>(
      `select bool_or(position = $1) as known, count(*) filter (where position > ${ACKNOWLEDGED})::int as count
       from read.foreign_events where position <= $1`,
      [upTo],
    );
    const { known, count } = rows[0] ?? { known: false, count: 0 };
    // A future position would hide events that do not exist yet.
    if (!known) throw invalidField('upTo', 'there is no foreign event at this position');
    const { id } = streamParts(LOG_STREAM);
    return this.decisions.execute(
      foreignDecider,
      new AcknowledgeForeign(id, { upTo, count, reason }, installationMeta(meta)),
    );
  }
}
