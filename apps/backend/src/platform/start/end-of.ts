/** What is said at the end of a start or a command that failed, and with which exit code. */
import { ConfigError } from '../config';
import { StartProblem } from './start-problem';

/** A stack is for what nobody foresaw. */
export const endOf = (error: unknown, unforeseen = 1): { line: string; exitCode: number } => {
  if (error instanceof StartProblem || error instanceof ConfigError)
    return { line: error.message, exitCode: error.exitCode };
  return { line: (error as Error | undefined)?.stack ?? String(error), exitCode: unforeseen };
};
