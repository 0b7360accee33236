/** How startup messages name the database, and explain why it cannot be used. */
import { join } from 'node:path';
import { logAddress } from '@quarterdeck/log/store';
import { NewerSchema, UnfinishedRestore } from '../../database';
import { StartProblem, WRONG_ENVIRONMENT, type Fault } from '../../start-problem';
import { VERSION } from '../../version';
import type { Config } from '../../config';
import { withoutSecrets } from '../../config';
import { databaseObstacle } from './database-obstacles';
import type { Awaited } from './patience';

const given = (url: string): Awaited => {
  const [node] = logAddress(url).nodes;
  const shown = withoutSecrets(url);
  return {
    what: `the database at ${node?.host}:${node?.port}`,
    setting: { variable: 'DATABASE_URL', ...(shown === undefined ? {} : { value: shown }) },
    obstacleOf: databaseObstacle,
  };
};

const embedded = (dir: string): Awaited => ({
  what: 'the embedded database',
  setting: { variable: 'DATA_DIR', value: dir },
  obstacleOf: (error) => {
    const obstacle = databaseObstacle(error);
    if (!obstacle) return undefined;
    const remedy =
      (error as { code?: unknown }).code === '28P01'
        ? 'put postgres.password back from a backup of that folder'
        : `see ${join(dir, 'postgres', 'server.log')}`;
    return { ...obstacle, wrong: `has a database that ${obstacle.wrong}`, remedy };
  },
});

type DatabaseConfig = Pick<Config, 'DATABASE_URL' | 'DATA_DIR'>;

export const awaitedDatabase = ({ DATABASE_URL, DATA_DIR }: DatabaseConfig): Awaited =>
  DATABASE_URL ? given(DATABASE_URL) : embedded(DATA_DIR);

const unfinishedRestore = (config: DatabaseConfig, error: UnfinishedRestore): StartProblem => {
  const what = config.DATABASE_URL ? 'an empty database' : 'an empty folder';
  const fault: Fault = {
    wrong: 'has an unfinished restore',
    remedy: `restore the archive again, into ${what}`,
    exitCode: WRONG_ENVIRONMENT,
  };
  return new StartProblem(awaitedDatabase(config).setting, fault, error);
};

const newerSchema = (config: DatabaseConfig, error: NewerSchema): StartProblem => {
  const fault: Fault = {
    wrong: `was last used by a newer version of the console: ${error.message}, and this is version ${VERSION}`,
    remedy: 'start that version or a newer one, or restore a backup of this version into an empty place',
    exitCode: WRONG_ENVIRONMENT,
  };
  return new StartProblem(awaitedDatabase(config).setting, fault, error);
};

/** Explains why this version cannot use the database. @returns any other error unchanged */
export const schemaProblem = (config: DatabaseConfig, error: unknown): unknown => {
  if (error instanceof NewerSchema) return newerSchema(config, error);
  return error instanceof UnfinishedRestore ? unfinishedRestore(config, error) : error;
};
