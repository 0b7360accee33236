/** A restore of this console: recorded once; its held scheduled work is released once. */
import type { EventData, EventsOf } from '@quarterdeck/events';
import type { restorationEvents } from '@quarterdeck/events/catalogue';
import { command, deciderOf } from '../platform/decider';
import { notFound } from '../platform/errors';

type RestorationEvent = EventsOf<typeof restorationEvents>;
type RestorationState = 'unknown' | 'held' | 'released';

export class RecordRestoration extends command('RecordRestoration', { opens: true })(
  (data: EventData<'ConsoleRestored'>, state: RestorationState) =>
    state === 'unknown' ? [{ type: 'ConsoleRestored', data }] : [],
) {}

export class ReleaseScheduledWork extends command('ReleaseScheduledWork')(
  (_: object, state: RestorationState) => {
    if (state === 'unknown') throw notFound('restore');
    return state === 'held' ? [{ type: 'ScheduledWorkReleased', data: {} }] : [];
  },
) {}

export const restorationsDecider = deciderOf<RestorationState, RestorationEvent>()({
  category: 'restoration',
  commands: [RecordRestoration, ReleaseScheduledWork],
  initial: 'unknown',
  evolve: { ConsoleRestored: () => 'held', ScheduledWorkReleased: () => 'released' },
});
