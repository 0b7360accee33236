import type { EventStore } from '@quarterdeck/events/store';
import { describeAppends } from './appends';
import { describeManyStreams } from './many-streams';
import { describeOutages, type Outage } from './outages';
import { describeSubscriptions, type Load } from './subscriptions';

export interface Engine extends Load {
  /** Another process on the same log. */
  open(): Promise<EventStore>;
  /** Absent if the server is not ours to break. */
  outage?: Outage;
}

/** One suite for every engine: the same guarantees hold for all. */
export const describeEventStore = (name: string, engine: Engine): void => {
  describe(name, () => {
    let store: EventStore;
    let second: EventStore;
    beforeAll(async () => {
      [store, second] = await Promise.all([engine.open(), engine.open()]);
    });
    describeAppends(
      () => store,
      () => second,
    );
    describeManyStreams(() => store);
    describeSubscriptions(
      () => store,
      () => second,
      engine,
    );
    if (engine.outage) describeOutages(() => store, engine.outage);
  });
};
