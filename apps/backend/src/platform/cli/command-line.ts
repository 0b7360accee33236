/** What a command of the command line is. */
import type { Config } from '../boot';
import type { Logger } from '../tokens';

export interface CommandContext {
  config: Config;
  logger: Logger;
  print(line: string): void;
}

export interface Command {
  usage: string[];
  /** @returns the exit code */
  run(args: string[], context: CommandContext): Promise<number>;
}

export class UsageError extends Error {
  override name = 'UsageError';
}

/** `parseArgs` in our words. */
export const parsed = <T>(parse: () => T): T => {
  try {
    return parse();
  } catch (error) {
    throw new UsageError((error as Error).message);
  }
};
