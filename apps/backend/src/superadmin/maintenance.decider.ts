import type { EventData, EventsOf } from '@quarterdeck/events';
import type { superadminEvents } from '@quarterdeck/events/catalogue';
import type { Maintenance } from '@quarterdeck/projections';
import { command, type CommandOf, type Decider } from '../platform/decider';
import { conflict, notFound } from '../platform/errors';

type MaintenanceEvent = EventsOf<typeof superadminEvents>;
type Ended = Extract<
  MaintenanceEvent,
  { type: 'RebuildFinished' | 'VerificationFinished' | 'MaintenanceFailed' | 'MaintenanceCancelled' }
>;

/** After this many processes have died during the work, it is given up. */
export const MAX_ATTEMPTS = 3;

export class RequestMaintenance extends command('RequestMaintenance', { opens: true })<
  EventData<'MaintenanceRequested'>
>() {}
/** `process`: its name, for the record. */
export class StartMaintenance extends command('StartMaintenance')<{
  maintenance: string;
  process: string;
}>() {}
export class CancelMaintenance extends command('CancelMaintenance')<{ maintenance: string }>() {}
export class EndMaintenance extends command('EndMaintenance', { idempotent: true })<Ended>() {}
export class RequestParkedRetry extends command('RequestParkedRetry', { opens: true })<
  EventData<'ParkedStreamRetryRequested'>
>() {}

const maintenanceCommands = [
  RequestMaintenance,
  StartMaintenance,
  CancelMaintenance,
  EndMaintenance,
  RequestParkedRetry,
];
type MaintenanceCommand = CommandOf<typeof maintenanceCommands>;

export interface MaintenanceState {
  current?: Maintenance;
}

const inWords = ({ kind, readModel }: Maintenance): string =>
  `${kind === 'rebuild' ? 'a rebuild' : 'a verification'} of ${readModel === 'all' ? 'all read models' : readModel}`;

const start = (
  { maintenance, process }: StartMaintenance['data'],
  current: Maintenance,
): MaintenanceEvent[] => {
  if (current.cancelRequested) return [{ type: 'MaintenanceCancelled', data: { maintenance } }];
  if (current.attempts < MAX_ATTEMPTS)
    return [{ type: 'MaintenanceStarted', data: { maintenance, attempt: current.attempts + 1, process } }];
  const reason = `${MAX_ATTEMPTS} processes ended during it`;
  return [{ type: 'MaintenanceFailed', data: { maintenance, reason } }];
};

const cancel = ({ maintenance }: CancelMaintenance['data'], current: Maintenance): MaintenanceEvent[] => {
  if (current.cancelRequested) return [];
  const asked: MaintenanceEvent = { type: 'MaintenanceCancelRequested', data: { maintenance } };
  // Work that no process has begun is cancelled at once.
  return current.attempts > 0 ? [asked] : [asked, { type: 'MaintenanceCancelled', data: { maintenance } }];
};

const started = (current: Maintenance, attempts: number): MaintenanceState => ({
  current: { ...current, attempts },
});

export const maintenanceDecider: Decider<MaintenanceState, MaintenanceCommand, MaintenanceEvent> = {
  category: 'maintenance',
  commands: maintenanceCommands,
  initial: {},
  decide: (given, { current }) => {
    if (given.type === 'RequestParkedRetry')
      return [{ type: 'ParkedStreamRetryRequested', data: given.data }];
    if (given.type === 'RequestMaintenance') {
      if (current) throw conflict(`${inWords(current)} is already under way; wait for it to end`, current);
      return [{ type: 'MaintenanceRequested', data: given.data }];
    }
    const ends = given.type === 'EndMaintenance';
    const { maintenance } = ends ? given.data.data : given.data;
    const meant = current?.maintenance === maintenance ? current : undefined;
    if (given.type === 'CancelMaintenance') {
      if (!meant) throw notFound('maintenance that is under way');
      return cancel(given.data, meant);
    }
    if (!meant) return [];
    return ends ? [given.data] : start(given.data, meant);
  },
  evolve: (state, event) => {
    switch (event.type) {
      case 'MaintenanceRequested':
        return { current: { ...event.data, attempts: 0, cancelRequested: false } };
      case 'MaintenanceStarted':
        return state.current ? started(state.current, event.data.attempt) : state;
      case 'MaintenanceCancelRequested':
        return state.current ? { current: { ...state.current, cancelRequested: true } } : state;
      case 'ParkedStreamRetryRequested':
        return state;
      default:
        return {};
    }
  },
};
