/** The interface of a command of the command line. */
import type { Program } from '../boot';

export interface CommandContext extends Program {
  env: NodeJS.ProcessEnv;
  /** The result, on stdout. */
  print(line: string): void;
  /** Progress, on stderr. */
  tell(line: string): void;
}

export interface Command {
  usage: string[];
  /** @returns the exit code */
  run(args: string[], context: CommandContext): Promise<number>;
}

export class UsageError extends Error {
  override name = 'UsageError';
}

/** `parseArgs` with our own error messages. */
export const parsed = <T>(parse: () => T): T => {
  try {
    return parse();
  } catch (error) {
    throw new UsageError((error as Error).message);
  }
};
