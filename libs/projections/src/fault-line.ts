/** Finds the line of a program's output that says why it failed. Used by the back end and the console. Pure. */

const FAULT =
  /\b(?:error|fatal|failed|failure|denied|cannot|can't|could not|couldn't|not found|no such|no space|unable to|refused|timed out|panic|exception|traceback)\b/i;
/** `0 errors` is no fault. */
const NO_FAULT = /\b(?:0|no) (?:errors?|failures?|failed)\b/i;
/** Our own scripts end with a full sentence: `There is no package manager here that is known: apt.` */
const SENTENCE = /^[A-Z]\S* .*\S \S+\.$/;
/** systemd ends with a hint instead of the cause: `See "systemctl status nginx" for details.` */
const POINTER =
  /^(?:See|Try|Run|Check|Use) .* (?:for|to see|to get) (?:more )?(?:details?|information|help|logs?)\.?$/i;
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

/**
 * The index of the line that says why a program failed: a sentence at the end, else the first line that names a fault,
 * else the last line with content.
 */
export const faultAt = (lines: readonly string[]): number | undefined => {
  const end = lines.findLastIndex((line) => line.trim() !== '');
  if (end < 0) return undefined;
  const told = lines.findLastIndex((line) => line.trim() !== '' && !POINTER.test(line.trim()));
  const last = told < 0 ? end : told;
  if (SENTENCE.test(lines[last]?.trim() ?? '')) return last;
  const named = lines.findIndex((line) => FAULT.test(line) && !NO_FAULT.test(line));
  return named < 0 ? last : named;
};

/** Why a program failed, according to its output; `undefined` if it printed nothing. */
export const faultIn = (output: string): string | undefined => {
  const lines = plainLines(output);
  const at = faultAt(lines);
  return at === undefined ? undefined : lines[at]?.trim().slice(0, REASON_CHARACTERS);
};

/** Whether a reason contains only an exit code, so the output is more informative. */
export const isExitCodeOnly = (reason: string): boolean => EXIT_CODE_ONLY.test(reason);
