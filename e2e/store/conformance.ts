import type { EventStore } from '@quarterdeck/log/store';
import { describeAppends } from './appends';
import { describeManyStreams } from './many-streams';
import { describeOutages, type Outage } from './outages';
import { describeSubscriptions, type Load } from './subscriptions';

export interface Engine extends Load {
  /** Another process on the same log. */
  open(): Promise<EventStore>;
  /** Absent if the tests cannot break the server. */
  outage?: Outage;
}

/** One suite for all engines, which give the same guarantees. */
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
