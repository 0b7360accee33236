/** Configuration, logger and tables, which every process of the program needs from the start. */
import type { Pool } from 'pg';
import type { composed } from '../database';
import type { Logger } from '../tokens';
import type { Config } from '../config';

/** Called before the schema is changed, while no other process can change it. */
export type BeforeMigration = (about: {
  config: Config;
  logger: Logger;
  url: string;
  pool: Pool;
  tables: Pick<ProgramTables, 'rows'>;
  /** Names of the migration steps that are still missing. */
  pending: readonly string[];
  signal?: AbortSignal | undefined;
}) => Promise<void>;

/** Tables of the platform and of every feature. */
export type ProgramTables = ReturnType<typeof composed> & { beforeMigration: BeforeMigration };

export interface Program {
  config: Config;
  logger: Logger;
  tables: ProgramTables;
}
