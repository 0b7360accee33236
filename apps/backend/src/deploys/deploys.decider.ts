/** One deploy of a service: requested, and then either served or failed. */
import type { EventData, EventsOf } from '@quarterdeck/events';
import type { deployEvents } from '@quarterdeck/events/catalogue';
import { command, type CommandOf, type Decider } from '../platform/decider';
import { DomainError, notFound } from '../platform/errors';

export type DeployEvent = EventsOf<typeof deployEvents>;

type Requested = EventData<'ReleaseRequested'>;

export type DeployState =
  | { is: 'unknown' }
  | {
      is: 'requested' | 'served' | 'stopped' | 'failed' | 'removed';
      asked: Requested;
      destroyed: readonly string[];
    };

export class RequestRelease extends command('RequestRelease', { opens: true })<Requested>() {}
export class RecordServed extends command('RecordServed', { idempotent: true })<
  Omit<EventData<'ReleaseServed'>, 'version'>
>() {}
export class RecordReleaseFailure extends command('RecordReleaseFailure', { idempotent: true })<
  Omit<EventData<'ReleaseFailed'>, 'version'>
>() {}
export class RecordStopped extends command('RecordStopped', { idempotent: true })<object>() {}
/** Destroys the value that the release keeps of a secret variable. */
export class DestroyValue extends command('DestroyValue', { idempotent: true })<{ key: string }>() {}
/** `last`: whether no other release of its service has served on its server since. */
export class RemoveRelease extends command('RemoveRelease')<{ last: boolean }>() {}

const deployCommands = [
  RequestRelease,
  RecordServed,
  RecordReleaseFailure,
  RecordStopped,
  DestroyValue,
  RemoveRelease,
];
export type DeployCommand = CommandOf<typeof deployCommands>;

const decide = (given: DeployCommand, state: DeployState): readonly DeployEvent[] => {
  if (given.type === 'RequestRelease') {
    if (state.is === 'unknown') return [{ type: 'ReleaseRequested', data: given.data }];
    throw new DomainError('conflict', 'this deploy was already requested');
  }
  if (state.is === 'unknown' || state.is === 'removed') throw notFound('release');
  const { version } = state.asked.package;
  switch (given.type) {
    case 'RecordServed':
      return state.is === 'served' ? [] : [{ type: 'ReleaseServed', data: { version, ...given.data } }];
    // If a step after the switch fails, the release serves nevertheless.
    case 'RecordReleaseFailure':
      return state.is === 'requested' ? [{ type: 'ReleaseFailed', data: { version, ...given.data } }] : [];
    case 'RecordStopped':
      if (state.is === 'stopped') return [];
      if (state.is === 'served') return [{ type: 'ReleaseStopped', data: { version } }];
      throw new DomainError('conflict', 'this release does not serve');
    case 'DestroyValue': {
      const { key } = given.data;
      const isKept = state.asked.variables.some((one) => one.key === key && one.secret);
      return isKept && !state.destroyed.includes(key)
        ? [{ type: 'ReleaseValueDestroyed', data: { version, key } }]
        : [];
    }
    // Without the last release, the deploy before it would look as if it served again.
    case 'RemoveRelease':
      if (given.data.last)
        throw new DomainError(
          'conflict',
          'this release served last: its record stays until another one serves',
        );
      return [{ type: 'ReleaseRemoved', data: { version } }];
  }
};

const evolve = (state: DeployState, event: DeployEvent): DeployState => {
  if (event.type === 'ReleaseRequested') return { is: 'requested', asked: event.data, destroyed: [] };
  if (state.is === 'unknown') return state;
  switch (event.type) {
    case 'ReleaseServed':
      return { ...state, is: 'served' };
    case 'ReleaseStopped':
      return { ...state, is: 'stopped' };
    case 'ReleaseFailed':
      return { ...state, is: 'failed' };
    case 'ReleaseValueDestroyed':
      return { ...state, destroyed: [...state.destroyed, event.data.key] };
    case 'ReleaseRemoved':
      return { ...state, is: 'removed' };
  }
};

export const deploysDecider: Decider<DeployState, DeployCommand, DeployEvent> = {
  category: 'release',
  commands: deployCommands,
  initial: { is: 'unknown' },
  decide,
  evolve,
};
