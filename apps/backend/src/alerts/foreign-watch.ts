/**
 * Raises an alert if the log contains events that this console did not write, or hides some that it did write.
 * Only one is open at a time. After it was dismissed, or a superadmin has acknowledged the events, the next foreign
 * event raises another.
 */
import { FOREIGN_EVENT, streamParts } from '@quarterdeck/events';
import { LOG_STREAM } from '@quarterdeck/events/catalogue';
import type { AlertView } from '@quarterdeck/projections';
import { v5 as uuidv5 } from 'uuid';
import { ACKNOWLEDGED } from '../platform/database';
import { inView } from '../platform/in-view';
import { TOLD_OF_INSTALLATION, Watch } from './watch';

const ABOUT = inView<AlertView>('a.view').text('about');

const NAMESPACE = '7b0a1d0e-6f0c-4c53-9a8c-3f6d6d0b6a11';

/** The newest foreign event, for each workspace that needs an alert and has none open. */
const UNTOLD = `
  select p.workspace, newest.position::text as position, newest.count
  from (select max(position) as position, count(*)::int as count from read.foreign_events
      where position > ${ACKNOWLEDGED}) newest
    cross join (${TOLD_OF_INSTALLATION}) p
  where newest.count > 0 and not exists (
    select from read.alerts a
    where a.workspace = p.workspace and a.state = 'open' and ${ABOUT} = 'foreignEvents')`;

/** Open alerts about events that have been acknowledged since. */
const TOLD = `
  select a.id, a.workspace from read.alerts a
  where a.state = 'open' and ${ABOUT} = 'foreignEvents'
    and not exists (select from read.foreign_events where position > ${ACKNOWLEDGED})`;

const inWords = (count: number): string =>
  count === 1
    ? 'The event log holds an event that this console did not write. It has no effect.'
    : `The event log holds ${count} events that this console did not write. They have no effect.`;

export class ForeignWatch extends Watch {
  /** A fallback only: events trigger the look whenever something has changed. */
  protected readonly everyMs = 60 * 60_000;
  protected override readonly after = [FOREIGN_EVENT, 'ForeignEventsAcknowledged'];

  protected async settle(): Promise<void> {
    const { rows } = await this.deps.db.query<{ workspace: string; position: string; count: number }>(UNTOLD);
    const subject = { kind: 'log', id: streamParts(LOG_STREAM).id, name: 'event log' };
    for (const { workspace, position, count } of rows) {
      const id = uuidv5(`${workspace} ${position}`, NAMESPACE);
      const raised = { subject, about: 'foreignEvents', says: inWords(count) } as const;
      await this.raise(id, raised, workspace);
    }
    const told = await this.deps.db.query<{ id: string; workspace: string }>(TOLD);
    const reason = 'a superadministrator has looked at the events';
    for (const { id, workspace } of told.rows) await this.resolve(id, reason, workspace);
  }
}
