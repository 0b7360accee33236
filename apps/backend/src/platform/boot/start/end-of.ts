/** The message and exit code of a failed start or command. */
import { DATABASE, LogElsewhere, StoreUnavailable, UNFINISHED } from '@quarterdeck/log/store';
import { ConfigError, type Config } from '../../config';
import { sqlClassOf } from '../../database';
import { awaitedDatabase } from './database';
import { awaitedEventLog } from './event-log';
import { withoutSecrets } from '../../config';
import { StartProblem, WRONG_ENVIRONMENT } from '../../start-problem';

/** Only errors of Postgres have a severity. Their system codes also occur for files and other servers. */
const isOfDatabase = (error: object): boolean => 'severity' in error && sqlClassOf(error) !== undefined;

/** gRPC codes of the log's client: no other part of the back end has numeric error codes. */
const isOfEventLog = (error: object): boolean =>
  'code' in error && typeof error.code === 'number' && 'type' in error;

/** Explains that the log has moved, or is an unfinished copy. */
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
 * A database or log that fails later is reported like one that was unreachable from the beginning. All other errors
 * stay as they are.
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

/** Only unforeseen errors get a stack trace. */
export const endOf = (error: unknown, unforeseen = 1): { line: string; exitCode: number } => {
  if (error instanceof StartProblem || error instanceof ConfigError)
    return { line: error.message, exitCode: error.exitCode };
  return { line: (error as Error | undefined)?.stack ?? String(error), exitCode: unforeseen };
};
