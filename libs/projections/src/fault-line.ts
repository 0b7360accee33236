/** Finds the line of a program's output that says why it failed. Used by the back end and the console. Pure. */

const FAULT =
  /\b(?:error|fatal|failed|failure|denied|cannot|can't|couldn't|could not|not found|not installed|no such|no space|unable to|refused|timed out|panic|exception|segmentation fault|out of memory|is required|is masked|too ?many ?requests|interrupted)\b|^E: /i;
/** What names the cause itself, wherever it stands, with the most telling first. */
const CAUSES = [
  /\[emerg\]/,
  /^(?:live|archive) directory exists for /,
  /^\s*Detail: /,
  /^(?:docker: )?Error response from daemon: /,
];
/** The cause is on the next line with content. */
const BEFORE_CAUSE = /^(?:An unexpected error occurred:|The following error was encountered:)$/;
/** The cause is the next line that is not indented. */
const TRACE = /^Traceback \(most recent call last\):$/;
/** Says that something failed, but not why, or is about something else. */
const NO_CAUSE = [
  /\b(?:0|no) (?:errors?|failures?|failed)\b/i,
  /^sudo: unable to resolve host /,
  /^Job for \S+ failed because /,
  /^Challenge failed for domain /,
  /^Certbot failed to authenticate /,
  /^Some challenges have failed\.$/,
  /^dpkg: error processing /,
  /^Errors were encountered while processing:/,
  /^E: (?:Sub-process |Some index files )/,
  /^make(?:\[\d+\])?: \*\*\* /,
];
/** Our own scripts end with a full sentence: `There is no package manager here that is known: apt.` A log does not. */
const SENTENCE = /^(?![EWN]: |\w{3} [ \d]\d \d\d:)[A-Z]\S* .*\S \S+\.$/;
/** An ending with a hint instead of the cause: `See "systemctl status nginx" for details.` */
const POINTER =
  /^(?:(?:See|Try|Run|Check|Use) .* (?:for|to see|to get) (?:more )?(?:details?|information|help|logs?)\.?$|Ask for help |Either run as root, )/i;
/** How a shell begins its errors. Its files are ours, in a folder that tells nobody anything. */
const OUR_FILE =
  /^(?:\S*\/(?:\.quarterdeck|quarterdeck-script-\w+)\/(?:\S*\/)?(?:(?:run|script): (?:(?:line )?\d+: )?|[^\s/]*: (?:line )?\d+: ))+|^(?:\/bin\/)?sh: \d+: /;
const REASON_CHARACTERS = 300;
/** The reason of old runs, recorded before reasons were taken from the output, and of runs without output. */
const EXIT_CODE_ONLY = / ended with exit code \S+$/;

// Colours and cursor movements, then all other control characters except the tab.
const CONTROL =
  // oxlint-disable-next-line no-control-regex -- control characters are what it looks for
  /\x1b\[[0-9;:?<=>]*[ -/]*[@-~]|\x1b\][^\x07\x1b]*(?:\x07|\x1b\\)|[\x00-\x08\x0b-\x1f\x7f]/g;

/** Lines without colour codes. A carriage return restarts the line, as in a progress bar. */
export const plainLines = (text: string): string[] =>
  text.split('\n').map((line) =>
    (
      line
        .replace(/(?<!\r)\r+$/, '')
        .split('\r')
        .at(-1) ?? ''
    )
      .replace(CONTROL, '')
      .trimEnd(),
  );

const isCause = (line: string): boolean => FAULT.test(line) && !NO_CAUSE.some((one) => one.test(line));

/**
 * The index of the line that says why a program failed: a sentence at the end, else what names a cause, else the first
 * line that names a fault. `undefined` if no line does: what it printed last may be about its success until then.
 */
export const faultAt = (lines: readonly string[]): number | undefined => {
  const all = lines.map((line) => line.trim());
  const told = all.findLastIndex((line) => line !== '' && !POINTER.test(line));
  if (told < 0) return undefined;
  const end = all[told] ?? '';
  if (SENTENCE.test(end) && !NO_CAUSE.some((one) => one.test(end))) return told;
  const after = (at: number, is: (line: string) => boolean): number =>
    at < 0 ? -1 : lines.findIndex((line, index) => index > at && is(line));
  return [
    ...CAUSES.map((cause) => all.findIndex((line) => cause.test(line))),
    after(
      all.findIndex((line) => BEFORE_CAUSE.test(line)),
      (line) => line.trim() !== '',
    ),
    after(
      all.findLastIndex((line) => TRACE.test(line)),
      (line) => /^\S/.test(line),
    ),
    all.findIndex(isCause),
    all.findIndex((line) => FAULT.test(line) && !NO_CAUSE[0]?.test(line)),
  ].find((at) => at >= 0);
};

/** A line of output as a reason. */
export const reasonOf = (line: string): string =>
  line.trim().replace(OUR_FILE, '').slice(0, REASON_CHARACTERS);

/** Why a program failed, according to its output; `undefined` if it does not say. */
export const faultIn = (output: string): string | undefined => {
  const lines = plainLines(output);
  const at = faultAt(lines);
  return at === undefined ? undefined : reasonOf(lines[at] ?? '');
};

/** What a program printed last; `undefined` if it printed nothing. */
export const lastLineOf = (output: string): string | undefined => {
  const last = plainLines(output).findLast((line) => line.trim() !== '');
  return last === undefined ? undefined : reasonOf(last);
};

/** Whether a reason contains only an exit code, so the output is more informative. */
export const isExitCodeOnly = (reason: string): boolean => EXIT_CODE_ONLY.test(reason);
