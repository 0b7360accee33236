/** JSON that people type. Pure. */

/** Undefined if the text is no JSON. */
export const jsonIn = (text: string): unknown => {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
};

/** What is expected, and where the text stops being that, as far as the browser tells. */
export const noJsonIn = (text: string, example: string): string => {
  const expected = `JSON is expected, such as ${example}`;
  try {
    JSON.parse(text);
  } catch (error) {
    const [, line, column] = /line (\d+),? column (\d+)/.exec((error as Error).message) ?? [];
    if (line !== undefined) return `${expected}. It is wrong at line ${line}, column ${column}.`;
  }
  return expected;
};
