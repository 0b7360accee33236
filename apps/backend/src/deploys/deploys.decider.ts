/** One deploy of a service: requested, and then either served or failed. */
import type { EventData, EventsOf } from '@quarterdeck/events';
import type { deployEvents } from '@quarterdeck/events/catalogue';
import { command, deciderOf } from '../platform/decider';
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

type KnownDeploy = Exclude<DeployState, { is: 'unknown' }>;

/** A rule about releases that are there. No other one is found. */
const ofRelease =
  <D>(rule: (data: D, release: KnownDeploy & { version: string }) => readonly DeployEvent[]) =>
  (data: D, state: DeployState): readonly DeployEvent[] => {
    if (state.is === 'unknown' || state.is === 'removed') throw notFound('release');
    return rule(data, { ...state, version: state.asked.package.version });
  };

export class RequestRelease extends command('RequestRelease', { opens: true })(
  (data: Requested, { is }: DeployState) => {
    if (is === 'unknown') return [{ type: 'ReleaseRequested', data }];
    throw new DomainError('conflict', 'this deploy was already requested');
  },
) {}

export class RecordServed extends command('RecordServed', { idempotent: true })(
  ofRelease((data: Omit<EventData<'ReleaseServed'>, 'version'>, { is, version }) =>
    is === 'served' ? [] : [{ type: 'ReleaseServed', data: { version, ...data } }],
  ),
) {}

/** If a step after the switch fails, the release serves nevertheless. */
export class RecordReleaseFailure extends command('RecordReleaseFailure', { idempotent: true })(
  ofRelease((data: Omit<EventData<'ReleaseFailed'>, 'version'>, { is, version }) =>
    is === 'requested' ? [{ type: 'ReleaseFailed', data: { version, ...data } }] : [],
  ),
) {}

export class RecordStopped extends command('RecordStopped', { idempotent: true })(
  ofRelease((_: object, { is, version }) => {
    if (is === 'stopped') return [];
    if (is === 'served') return [{ type: 'ReleaseStopped', data: { version } }];
    throw new DomainError('conflict', 'this release does not serve');
  }),
) {}

/** Destroys the value that the release keeps of a secret variable. */
export class DestroyValue extends command('DestroyValue', { idempotent: true })(
  ofRelease(({ key }: { key: string }, { version, asked, destroyed }) => {
    const isKept = asked.variables.some((one) => one.key === key && one.secret);
    return isKept && !destroyed.includes(key)
      ? [{ type: 'ReleaseValueDestroyed', data: { version, key } }]
      : [];
  }),
) {}

/**
 * `last`: whether no other release of its service has served on its server since. Without the last release, the deploy
 * before it would look as if it served again.
 */
export class RemoveRelease extends command('RemoveRelease')(
  ofRelease(({ last }: { last: boolean }, { version }) => {
    if (!last) return [{ type: 'ReleaseRemoved', data: { version } }];
    throw new DomainError('conflict', 'this release served last: its record stays until another one serves');
  }),
) {}

const ifKnown = (state: DeployState, change: Partial<KnownDeploy>): DeployState =>
  state.is === 'unknown' ? state : { ...state, ...change };

export const deploysDecider = deciderOf<DeployState, DeployEvent>()({
  category: 'release',
  commands: [RequestRelease, RecordServed, RecordReleaseFailure, RecordStopped, DestroyValue, RemoveRelease],
  initial: { is: 'unknown' },
  evolve: {
    ReleaseRequested: (_, asked) => ({ is: 'requested', asked, destroyed: [] }),
    ReleaseServed: (state) => ifKnown(state, { is: 'served' }),
    ReleaseStopped: (state) => ifKnown(state, { is: 'stopped' }),
    ReleaseFailed: (state) => ifKnown(state, { is: 'failed' }),
    ReleaseValueDestroyed: (state, { key }) =>
      state.is === 'unknown' ? state : { ...state, destroyed: [...state.destroyed, key] },
    ReleaseRemoved: (state) => ifKnown(state, { is: 'removed' }),
  },
});
