// covers: AUD-05
import type { EventData } from '@quarterdeck/events';
import { given, meta } from '../platform/decisions/decider-testing';
import {
  CancelMaintenance,
  EndMaintenance,
  maintenanceDecider,
  MAX_ATTEMPTS,
  RequestMaintenance,
  RequestParkedRetry,
  StartMaintenance,
} from './maintenance.decider';

const id = '00000000-0000-7000-8000-000000000000';
const maintenance = '0193f0a0-0000-7000-8000-0000000000aa';
const another = '0193f0a0-0000-7000-8000-0000000000bb';
const wanted: EventData<'MaintenanceRequested'> = { maintenance, kind: 'rebuild', readModel: 'all' };
const requested = { type: 'MaintenanceRequested', data: wanted } as const;
const started = (attempt: number) =>
  ({ type: 'MaintenanceStarted', data: { maintenance, attempt, process: 'a:1' } }) as const;
const cancelRequested = { type: 'MaintenanceCancelRequested', data: { maintenance } } as const;
const cancelled = { type: 'MaintenanceCancelled', data: { maintenance } } as const;
const failed = (reason: string) => ({ type: 'MaintenanceFailed', data: { maintenance, reason } }) as const;

const start = new StartMaintenance(id, { maintenance, process: 'a:1' }, meta);
const cancel = new CancelMaintenance(id, { maintenance }, meta);

describe('maintenance of the read models', () => {
  it('can be requested only once at a time', () => {
    given(maintenanceDecider, [])
      .when(new RequestMaintenance(id, wanted, meta))
      .then([requested]);
    given(maintenanceDecider, [requested])
      .when(new RequestMaintenance(id, { ...wanted, maintenance: another, kind: 'verify' }, meta))
      .thenRejected('conflict', /a rebuild of all read models is already under way/);
    given(maintenanceDecider, [requested, started(1), failed('no disk')])
      .when(new RequestMaintenance(id, { ...wanted, maintenance: another }, meta))
      .then([{ ...requested, data: { ...wanted, maintenance: another } }]);
  });

  it('begins again a few times after a process died in the middle', () => {
    given(maintenanceDecider, [requested])
      .when(start)
      .then([started(1)]);
    given(maintenanceDecider, [requested, started(1)])
      .when(start)
      .then([started(2)]);
    given(maintenanceDecider, [requested, started(MAX_ATTEMPTS)])
      .when(start)
      .then([failed('3 processes ended during it')]);
    given(maintenanceDecider, [requested, started(1), cancelled])
      .when(start)
      .thenNothing();
  });

  it('is cancelled by the process that runs it, and at once if none does', () => {
    given(maintenanceDecider, [requested, started(1)])
      .when(cancel)
      .then([cancelRequested]);
    given(maintenanceDecider, [requested, started(1), cancelRequested])
      .when(cancel)
      .thenNothing();
    given(maintenanceDecider, [requested]).when(cancel).then([cancelRequested, cancelled]);
    // The process died before it could cancel. The next one does not begin.
    given(maintenanceDecider, [requested, started(1), cancelRequested])
      .when(start)
      .then([cancelled]);
    given(maintenanceDecider, [requested, cancelled]).when(cancel).thenRejected('notFound');
    given(maintenanceDecider, [requested])
      .when(new CancelMaintenance(id, { maintenance: another }, meta))
      .thenRejected('notFound');
  });

  it('ends once', () => {
    const end = new EndMaintenance(id, failed('no disk'), meta);
    given(maintenanceDecider, [requested, started(1)])
      .when(end)
      .then([failed('no disk')]);
    given(maintenanceDecider, [requested, started(1), cancelled])
      .when(end)
      .thenNothing();
  });

  it('records every retry of a parked stream, whatever else is running', () => {
    const retry = { readModel: 'servers', stream: 'server-x' };
    given(maintenanceDecider, [requested])
      .when(new RequestParkedRetry(id, retry, meta))
      .then([{ type: 'ParkedStreamRetryRequested', data: retry }]);
  });
});
