/** What stops a start: one line that names the variable, what is wrong with it, and what to do. */

/** As sysexits.h numbers them. */
export const WRONG_ENVIRONMENT = 78;
export const UNAVAILABLE = 69;

export type ExitCode = typeof WRONG_ENVIRONMENT | typeof UNAVAILABLE;

export interface Fault {
  /** Continues the sentence that begins with the variable: `cannot be reached: …`. */
  wrong: string;
  remedy: string;
  exitCode: ExitCode;
}

/** The variable to look at. Its value is left out when it is a secret. */
export interface Setting {
  variable: string;
  value?: string;
}

/** What was read from outside is kept to one line, of a length that a terminal shows. */
const oneLine = (text: string): string => {
  // oxlint-disable-next-line no-control-regex -- Control characters are what is taken out.
  const line = text.replace(/[\u0000-\u001f\u007f]+/g, ' ').trim();
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
