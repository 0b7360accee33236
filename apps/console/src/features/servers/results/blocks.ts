/** Blocks of a command's result, and parsers for the two ways in which tools print tables. Pure. */

export interface ResultTable {
  is: 'table';
  title?: string;
  columns: readonly string[];
  rows: readonly (readonly string[])[];
}

export type Block =
  | ResultTable
  | { is: 'facts'; facts: readonly { name: string; value: string }[] }
  | { is: 'sentence'; text: string; tone: 'good' | 'bad' | 'quiet' };

/** `undefined` if the output has an unexpected format; then its text is shown. */
export type Result = readonly Block[] | undefined;

/** Splits the output at empty lines. */
export const paragraphs = (text: string): string[][] =>
  text
    .split(/\n[ \t]*\n/)
    .map((part) => part.split('\n').filter((line) => line.trim() !== ''))
    .filter((lines) => lines.length > 0);

/**
 * Parses a table whose cells start below their headings, as docker prints it. Empty cells are blank.
 *
 * @param headings as the tool prints them, in order
 */
export const alignedRows = (
  [head = '', ...lines]: readonly string[],
  headings: readonly string[],
): string[][] | undefined => {
  const starts: number[] = [];
  for (const heading of headings) {
    const at = head.indexOf(heading, (starts.at(-1) ?? -1) + 1);
    if (at < 0) return undefined;
    starts.push(at);
  }
  if (head.replace(/\s+/g, ' ').trim() !== headings.join(' ')) return undefined;
  return lines.map((line) => starts.map((from, index) => line.slice(from, starts[index + 1]).trim()));
};

/** Capture groups of each line; `undefined` unless every line matches. */
export const matchedRows = (lines: readonly string[], form: RegExp): string[][] | undefined => {
  const rows = lines.map((line) =>
    form
      .exec(line)
      ?.slice(1)
      .map((cell) => cell ?? ''),
  );
  return rows.every((row) => row !== undefined) ? rows : undefined;
};
