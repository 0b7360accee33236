/** Opens the event log at EVENT_STORE_URL once it answers. */
import { setTimeout as sleep } from 'node:timers/promises';
import { openEventStore, type EventStoreConfig } from '@quarterdeck/events/store';
import {
  logAddress,
  LogWithoutPrefix,
  openEngine,
  StoreUnavailable,
  type AuthenticStore,
  type LogEngine,
} from '@quarterdeck/log/store';
import { withoutSecrets } from '../../config';
import { databaseObstacle } from './database-obstacles';
import { oneNodeAnswers } from './event-log-nodes';
import { eventLogObstacle } from './event-log-obstacles';
import { untilThere, type Awaited, type Obstacle, type Patience } from './patience';
import { StartProblem, UNAVAILABLE, WRONG_ENVIRONMENT } from '../../start-problem';

interface Opened {
  head(): Promise<unknown>;
  close(): Promise<void>;
}

const ANSWER_MS = 5_000;

/** Reads the log's head, which needs the permission to read it. */
const answers = async (store: Opened): Promise<void> => {
  const timer = new AbortController();
  const late = sleep(ANSWER_MS, undefined, { signal: timer.signal }).then(() => {
    throw new StoreUnavailable(new Error('no answer in time'));
  });
  late.catch(() => undefined);
  try {
    await Promise.race([store.head(), late]);
  } finally {
    timer.abort();
  }
};

const openOnce = async <T extends Opened>(open: () => Promise<T>): Promise<T> => {
  const store = await open();
  try {
    await answers(store);
    return store;
  } catch (error) {
    await store.close();
    throw error;
  }
};

/** If the log has a separate Postgres, an outage of that counts as the log's, not the database's. */
const postgresObstacle = (error: unknown): Obstacle | undefined => {
  const obstacle = databaseObstacle(error);
  return obstacle?.waits ? { ...obstacle, exitCode: UNAVAILABLE } : obstacle;
};

export const awaitedEventLog = (url: string, variable = 'EVENT_STORE_URL'): Awaited => {
  const address = logAddress(url);
  const shown = withoutSecrets(url);
  return {
    what: `the event log at ${address.nodes.map(({ host, port }) => `${host}:${port}`).join(',')}`,
    setting: { variable, ...(shown === undefined ? {} : { value: shown }) },
    obstacleOf:
      address.engine === 'postgres'
        ? postgresObstacle
        : eventLogObstacle(address.url.includes('@'), address.tls !== undefined),
  };
};

/** Continuing would start a second, empty log beside the old one. */
const withoutPrefix = (error: unknown): never => {
  if (!(error instanceof LogWithoutPrefix)) throw error;
  const wrong =
    'finds none of its streams in the event log, but streams of an earlier version without a prefix';
  const remedy = 'set EVENT_STORE_PREFIX=none to go on with them';
  const setting = { variable: 'EVENT_STORE_PREFIX', value: error.prefix };
  throw new StartProblem(setting, { wrong, remedy, exitCode: WRONG_ENVIRONMENT }, error);
};

/** @throws StartProblem */
export const openEventLog = (
  url: string,
  options: Omit<EventStoreConfig, 'url'>,
  patience: Patience,
): Promise<AuthenticStore> =>
  openOnceThere(() => openEventStore({ url, ...options }), url, awaitedEventLog(url), patience);

/** Opens the destination of a move as it is. @throws StartProblem */
export const openPlace = (
  url: string,
  options: { prefix: string },
  awaited: Awaited,
  patience: Patience,
): Promise<LogEngine> => openOnceThere(() => openEngine({ url, ...options }), url, awaited, patience);

const openOnceThere = <T extends Opened>(
  attempt: () => Promise<T>,
  url: string,
  awaited: Awaited,
  patience: Patience,
): Promise<T> => {
  const address = logAddress(url);
  const open = (): Promise<T> => attempt().catch(withoutPrefix);
  if (address.engine === 'postgres') return untilThere(open, awaited, patience);
  return untilThere(
    async () => {
      await oneNodeAnswers(address);
      return openOnce(open);
    },
    awaited,
    patience,
  );
};
