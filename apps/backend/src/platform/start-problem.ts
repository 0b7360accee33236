/** Stops a start with one line: the variable, what is wrong with it, and what to do. */

/** Numbers from sysexits.h. */
export const WRONG_ENVIRONMENT = 78;
export const UNAVAILABLE = 69;

export type ExitCode = typeof WRONG_ENVIRONMENT | typeof UNAVAILABLE;

export interface Fault {
  /** Continues the sentence that begins with the variable: `cannot be reached: …`. */
  wrong: string;
  remedy: string;
  exitCode: ExitCode;
}

/** The variable to check. Its value is omitted if it is secret. */
export interface Setting {
  variable: string;
  value?: string;
}

/** Reduces external text to one line of limited length. */
const oneLine = (text: string): string => {
  const line = text.replace(/\p{Cc}+/gu, ' ').trim();
  return line.length > 300 ? `${line.slice(0, 299)}…` : line;
};

export class StartProblem extends Error {
  override name = 'StartProblem';
  readonly exitCode: ExitCode;

  constructor({ variable, value }: Setting, { wrong, remedy, exitCode }: Fault, cause?: unknown) {
    const subject = value === undefined ? variable : `${variable}=${oneLine(value)}`;
    super(`${subject} ${oneLine(wrong)}; ${remedy}`, { cause });
    this.exitCode = exitCode;
  }
}
