/** The start of the embedded Postgres. */
import { asConsole, type PostgresServer, startPostgres } from '../../database';
import type { Config } from '../../config';
import { embeddedProblem, prepareDataDir } from './data-dir';
import { awaitedDatabase } from './database';
import { type Patience, untilThere } from './patience';

/** Its address is that of the console's role, which is no superuser. */
export const startEmbedded = async (config: Config, patience: Patience): Promise<PostgresServer> => {
  const dir = config.DATA_DIR;
  prepareDataDir(dir, { database: true });
  const server = await startPostgres({ dir }).catch((error: unknown) => embeddedProblem(dir, error));
  try {
    const url = await untilThere(() => asConsole(server.url), awaitedDatabase(config), patience);
    return { ...server, url };
  } catch (error) {
    await server.stop();
    throw error;
  }
};
