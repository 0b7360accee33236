/** A database cluster at a provider: one stream from when it was first seen. And the changes to domains there. */
import type { EventData, EventsOf } from '@quarterdeck/events';
import type { cloudDatabaseEvents, cloudDomainEvents } from '@quarterdeck/events/catalogue';
import { command, deciderOf } from '../platform/decider';
import { notFound } from '../platform/errors';
import { sameData } from '../platform/same-data';
import type { Cluster } from './provider';

type CloudDatabaseEvent = EventsOf<typeof cloudDatabaseEvents>;
type CloudDomainEvent = EventsOf<typeof cloudDomainEvents>;

export type CloudDatabaseState =
  | { is: 'unknown' }
  | {
      is: 'here' | 'gone';
      found: EventData<'CloudDatabaseDiscovered'>;
      associated?: EventData<'CloudDatabaseAssociated'>;
    };

const clusterOf = ({ name, status, version, size, region, dbNames, connection, tags }: Cluster): Cluster => ({
  name,
  status,
  version,
  size,
  region,
  ...(dbNames && { dbNames }),
  ...(connection && { connection }),
  tags,
});

export class ObserveCloudDatabase extends command('ObserveCloudDatabase', { idempotent: true })(
  (data: EventData<'CloudDatabaseDiscovered'>, state: CloudDatabaseState): readonly CloudDatabaseEvent[] => {
    if (state.is === 'unknown') return [{ type: 'CloudDatabaseDiscovered', data }];
    const [before, now] = [clusterOf(state.found), clusterOf(data)];
    // What the provider does not say at the moment stays known.
    if (state.is === 'gone' || sameData({ ...before, ...now }, before)) return [];
    return [{ type: 'CloudDatabaseChanged', data: now }];
  },
) {}

export class AssociateCloudDatabase extends command('AssociateCloudDatabase', { idempotent: true })(
  (data: EventData<'CloudDatabaseAssociated'>, state: CloudDatabaseState) => {
    if (state.is !== 'here') throw notFound('cloud database');
    return state.associated?.database === data.database ? [] : [{ type: 'CloudDatabaseAssociated', data }];
  },
) {}

export class ReleaseCloudDatabase extends command('ReleaseCloudDatabase', { idempotent: true })(
  ({ database }: { database: string }, state: CloudDatabaseState) =>
    state.is !== 'unknown' && state.associated?.database === database
      ? [{ type: 'CloudDatabaseReleased', data: state.associated }]
      : [],
) {}

/** Recorded each time, before the password is shown. */
export class RecordPasswordShown extends command('RecordPasswordShown')(
  (data: EventData<'CloudDatabasePasswordRevealed'>, { is }: CloudDatabaseState) => {
    if (is !== 'here') throw notFound('cloud database');
    return [{ type: 'CloudDatabasePasswordRevealed', data }];
  },
) {}

export class LoseCloudDatabase extends command('LoseCloudDatabase', { idempotent: true })(
  (_: object, state: CloudDatabaseState) =>
    state.is === 'here' ? [{ type: 'CloudDatabaseVanished', data: { name: state.found.name } }] : [],
) {}

export const cloudDatabaseDecider = deciderOf<CloudDatabaseState, CloudDatabaseEvent>()({
  category: 'clouddatabase',
  commands: [
    ObserveCloudDatabase,
    AssociateCloudDatabase,
    ReleaseCloudDatabase,
    RecordPasswordShown,
    LoseCloudDatabase,
  ],
  initial: { is: 'unknown' },
  evolve: {
    CloudDatabaseDiscovered: (_, found) => ({ is: 'here', found }),
    CloudDatabaseChanged: (state, data) =>
      state.is === 'unknown' ? state : { ...state, found: { ...state.found, ...data } },
    CloudDatabaseAssociated: (state, associated) =>
      state.is === 'unknown' ? state : { ...state, associated },
    CloudDatabaseReleased: (state) => {
      if (state.is === 'unknown') return state;
      const { associated: _, ...before } = state;
      return before;
    },
    CloudDatabaseVanished: (state) => (state.is === 'unknown' ? state : { ...state, is: 'gone' }),
  },
});

/** Changes are recorded as they happened: the provider says what a zone has. */
export class RecordZoneChange extends command('RecordZoneChange')((change: CloudDomainEvent) => [change]) {}

export const cloudDomainDecider = deciderOf<Record<never, never>, CloudDomainEvent>()({
  category: 'clouddomain',
  commands: [RecordZoneChange],
  initial: {},
  evolve: {},
});
