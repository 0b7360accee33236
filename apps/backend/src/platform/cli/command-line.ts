/** The interface of a CLI command. */
import type { Program } from '../boot';

export interface CommandContext extends Program {
  env: NodeJS.ProcessEnv;
  /** The result, on stdout. */
  print(line: string): void;
  /** Progress, on stderr. */
  tell(line: string): void;
  /**
   * Work that ends by itself when the process is asked to end, because it has something to clean up. Other work is cut
   * off, as in a crash.
   */
  interruptible<T>(work: (signal: AbortSignal) => Promise<T>): Promise<T>;
}

export interface Command {
  usage: string[];
  /** @returns the exit code */
  run(args: string[], context: CommandContext): Promise<number>;
}

const TOLD_EVERY_MS = 1_000;

/** Reports the first progress at once, and then at most one line per second. */
export const telling = <P>(
  { tell }: CommandContext,
  line: (progress: P) => string,
): ((progress: P) => void) => {
  let toldAt = -Infinity;
  return (progress) => {
    if (performance.now() - toldAt < TOLD_EVERY_MS) return;
    toldAt = performance.now();
    tell(line(progress));
  };
};

/** The process was asked to end. */
export class Interrupted extends Error {
  override name = 'Interrupted';

  constructor(message = 'interrupted') {
    super(message);
  }
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
