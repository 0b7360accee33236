/** What is said at the end of a start or a command that failed, and with which exit code. */
import { DATABASE, LogElsewhere, StoreUnavailable, UNFINISHED } from '@quarterdeck/events/store';
import { ConfigError, type Config } from '../config';
import { sqlClassOf } from '../../database';
import { awaitedDatabase } from './database';
import { awaitedEventLog } from './event-log';
import { withoutSecrets } from './address';
import { StartProblem, WRONG_ENVIRONMENT } from '../../start-problem';

/** What Postgres itself says has a severity; files and other servers fail with the same codes of the system. */
const isOfDatabase = (error: object): boolean => 'severity' in error && sqlClassOf(error) !== undefined;

/** The gRPC of the log's client: no other part of the back end numbers its errors. */
const isOfEventLog = (error: object): boolean =>
  'code' in error && typeof error.code === 'number' && 'type' in error;

/** An old log, or a copy that is not finished. */
const movedAway = (error: LogElsewhere, { EVENT_STORE_URL }: Config): StartProblem => {
  const { to } = error;
  const value = EVENT_STORE_URL === undefined ? undefined : withoutSecrets(EVENT_STORE_URL);
  const setting = { variable: 'EVENT_STORE_URL', ...(value === undefined ? {} : { value }) };
  const place =
    EVENT_STORE_URL === undefined ? 'is not set, and the log in the database' : 'names a log that';
  const [what, remedy] =
    to === UNFINISHED
      ? ['is a copy that is not finished', 'run `npm run log -- copy` again, or name the log that is copied']
      : to === DATABASE
        ? ['has moved into the database of the read models', 'remove EVENT_STORE_URL']
        : [`has moved to ${to}`, 'set EVENT_STORE_URL to that address'];
  return new StartProblem(setting, { wrong: `${place} ${what}`, remedy, exitCode: WRONG_ENVIRONMENT }, error);
};

/**
 * A database or a log that was there, and then was not or refused what came next: named as it is when it is away from
 * the beginning. Everything else stays what it is.
 */
export const named = (error: unknown, config: Config): unknown => {
  if (typeof error !== 'object' || error === null) return error;
  if (error instanceof LogElsewhere) return movedAway(error, config);
  const ofStore = error instanceof StoreUnavailable || isOfEventLog(error);
  const cause = error instanceof StoreUnavailable ? error.cause : error;
  const awaited =
    ofStore && config.EVENT_STORE_URL ? awaitedEventLog(config.EVENT_STORE_URL) : awaitedDatabase(config);
  if (!ofStore && !isOfDatabase(error)) return error;
  const obstacle = awaited.obstacleOf(error) ?? awaited.obstacleOf(cause);
  return obstacle ? new StartProblem(awaited.setting, obstacle, error) : error;
};

/** A stack is for what nobody foresaw. */
export const endOf = (error: unknown, unforeseen = 1): { line: string; exitCode: number } => {
  if (error instanceof StartProblem || error instanceof ConfigError)
    return { line: error.message, exitCode: error.exitCode };
  return { line: (error as Error | undefined)?.stack ?? String(error), exitCode: unforeseen };
};
