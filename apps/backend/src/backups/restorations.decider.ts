/** A restore of this console: recorded once; its held scheduled work is released once. */
import type { EventData, EventsOf } from '@quarterdeck/events';
import type { restorationEvents } from '@quarterdeck/events/catalogue';
import { command, type CommandOf, type Decider } from '../platform/decider';
import { notFound } from '../platform/errors';

type RestorationEvent = EventsOf<typeof restorationEvents>;
type RestorationState = 'unknown' | 'held' | 'released';

export class RecordRestoration extends command('RecordRestoration', { opens: true })<
  EventData<'ConsoleRestored'>
>() {}
export class ReleaseScheduledWork extends command('ReleaseScheduledWork')<object>() {}

const restorationCommands = [RecordRestoration, ReleaseScheduledWork];
type RestorationCommand = CommandOf<typeof restorationCommands>;

export const restorationsDecider: Decider<RestorationState, RestorationCommand, RestorationEvent> = {
  category: 'restoration',
  commands: restorationCommands,
  initial: 'unknown',
  decide: (given, state) => {
    if (given.type === 'RecordRestoration')
      return state === 'unknown' ? [{ type: 'ConsoleRestored', data: given.data }] : [];
    if (state === 'unknown') throw notFound('restore');
    return state === 'held' ? [{ type: 'ScheduledWorkReleased', data: {} }] : [];
  },
  evolve: (_state, event) => (event.type === 'ConsoleRestored' ? 'held' : 'released'),
};
