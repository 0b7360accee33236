/** What every process of the program starts with. */
import type { Pool } from 'pg';
import type { composed } from '../database';
import type { Logger } from '../tokens';
import type { Config } from './config';

/** Called while nothing is changed yet, and no other process may change it. */
export type BeforeMigration = (about: {
  config: Config;
  logger: Logger;
  url: string;
  pool: Pool;
  tables: Pick<ProgramTables, 'rows'>;
  /** Names of the steps. */
  pending: readonly string[];
  signal?: AbortSignal | undefined;
}) => Promise<void>;

/** Of the platform and of every feature. */
export type ProgramTables = ReturnType<typeof composed> & { beforeMigration: BeforeMigration };

export interface Program {
  config: Config;
  logger: Logger;
  tables: ProgramTables;
}
