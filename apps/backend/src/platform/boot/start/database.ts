/** The name of the database in messages of a start. */
import { join } from 'node:path';
import { logAddress } from '@quarterdeck/events/store';
import type { Config } from '../config';
import { withoutSecrets } from './address';
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

export const awaitedDatabase = ({
  DATABASE_URL,
  DATA_DIR,
}: Pick<Config, 'DATABASE_URL' | 'DATA_DIR'>): Awaited =>
  DATABASE_URL ? given(DATABASE_URL) : embedded(DATA_DIR);
