import type { EventData, EventsOf } from '@quarterdeck/events';
import type { superadminEvents } from '@quarterdeck/events/catalogue';
import type { Maintenance } from '@quarterdeck/projections';
import { command, deciderOf } from '../platform/decider';
import { conflict, notFound } from '../platform/errors';

type MaintenanceEvent = EventsOf<typeof superadminEvents>;
type Ended = Extract<
  MaintenanceEvent,
  { type: 'RebuildFinished' | 'VerificationFinished' | 'MaintenanceFailed' | 'MaintenanceCancelled' }
>;

/** After this many processes have died during the work, it is given up. */
export const MAX_ATTEMPTS = 3;

export interface MaintenanceState {
  current?: Maintenance;
}

const inWords = ({ kind, readModel }: Maintenance): string =>
  `${kind === 'rebuild' ? 'a rebuild' : 'a verification'} of ${readModel === 'all' ? 'all read models' : readModel}`;

interface Meant {
  maintenance: string;
}

const meantBy = ({ maintenance }: Meant, { current }: MaintenanceState): Maintenance | undefined =>
  current?.maintenance === maintenance ? current : undefined;

export class RequestMaintenance extends command('RequestMaintenance', { opens: true })(
  (data: EventData<'MaintenanceRequested'>, { current }: MaintenanceState) => {
    if (current) throw conflict(`${inWords(current)} is already under way; wait for it to end`, current);
    return [{ type: 'MaintenanceRequested', data }];
  },
) {}

/** `process`: its name, for the record. */
export class StartMaintenance extends command('StartMaintenance')(
  (data: Meant & { process: string }, state: MaintenanceState): MaintenanceEvent[] => {
    const current = meantBy(data, state);
    if (!current) return [];
    const { maintenance, process } = data;
    if (current.cancelRequested) return [{ type: 'MaintenanceCancelled', data: { maintenance } }];
    if (current.attempts < MAX_ATTEMPTS)
      return [{ type: 'MaintenanceStarted', data: { maintenance, attempt: current.attempts + 1, process } }];
    const reason = `${MAX_ATTEMPTS} processes ended during it`;
    return [{ type: 'MaintenanceFailed', data: { maintenance, reason } }];
  },
) {}

export class CancelMaintenance extends command('CancelMaintenance')(
  (data: Meant, state: MaintenanceState): MaintenanceEvent[] => {
    const current = meantBy(data, state);
    if (!current) throw notFound('maintenance that is under way');
    if (current.cancelRequested) return [];
    const asked: MaintenanceEvent = { type: 'MaintenanceCancelRequested', data };
    // Work that no process has begun is cancelled at once.
    return current.attempts > 0 ? [asked] : [asked, { type: 'MaintenanceCancelled', data }];
  },
) {}

export class EndMaintenance extends command('EndMaintenance', { idempotent: true })(
  (outcome: Ended, state: MaintenanceState) => (meantBy(outcome.data, state) ? [outcome] : []),
) {}

export class RequestParkedRetry extends command('RequestParkedRetry', { opens: true })(
  (data: EventData<'ParkedStreamRetryRequested'>) => [{ type: 'ParkedStreamRetryRequested', data }],
) {}

const none = (): MaintenanceState => ({});

export const maintenanceDecider = deciderOf<MaintenanceState, MaintenanceEvent>()({
  category: 'maintenance',
  commands: [RequestMaintenance, StartMaintenance, CancelMaintenance, EndMaintenance, RequestParkedRetry],
  initial: {},
  evolve: {
    MaintenanceRequested: (_, data) => ({ current: { ...data, attempts: 0, cancelRequested: false } }),
    MaintenanceStarted: ({ current }, { attempt }) =>
      current ? { current: { ...current, attempts: attempt } } : {},
    MaintenanceCancelRequested: ({ current }) =>
      current ? { current: { ...current, cancelRequested: true } } : {},
    MaintenanceCancelled: none,
    MaintenanceFailed: none,
    RebuildFinished: none,
    VerificationFinished: none,
  },
});
