/** JSON that people type. Pure. */

/** Undefined if the text is no JSON. */
export const jsonIn = (text: string): unknown => {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
};

/** Where the text stops being JSON. Some browsers name the character, some its line and column, and for some faults none. */
const placeOf = (text: string, message: string): { line: number; column: number } | undefined => {
  const [, position] = /position (\d+)/.exec(message) ?? [];
  if (position !== undefined) {
    const lines = text.slice(0, Number(position)).split('\n');
    return { line: lines.length, column: (lines.at(-1)?.length ?? 0) + 1 };
  }
  const [, line, column] = /line (\d+),? column (\d+)/.exec(message) ?? [];
  return line === undefined ? undefined : { line: Number(line), column: Number(column) };
};

/** What is expected instead of the text, which is no JSON. */
export const noJsonIn = (text: string, example: string): string => {
  const expected = `JSON is expected, such as ${example}`;
  try {
    JSON.parse(text);
  } catch (error) {
    const place = placeOf(text, (error as Error).message);
    if (place) return `${expected}. It is wrong at line ${place.line}, column ${place.column}.`;
  }
  return expected;
};
