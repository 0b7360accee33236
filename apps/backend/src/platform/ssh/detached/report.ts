const maxNames = 64;

/**
 * What a script told with `report name value`, a line each. The last word on a name counts; the lines of `changed` are
 * collected. What does not look like a report is passed over, and so is a last line that was cut off.
 */
export const readReport = (text: string): Record<string, string> => {
  const lines = text.split('\n').slice(0, -1);
  const report = new Map<string, string>();
  for (const line of lines) {
    const [, name, value = ''] = /^([A-Za-z][A-Za-z0-9]*) (.*)$/.exec(line) ?? [];
    if (!name || (!report.has(name) && report.size === maxNames)) continue;
    const before = name === 'changed' ? report.get(name) : undefined;
    report.set(name, before === undefined ? value : `${before}\n${value}`);
  }
  return Object.fromEntries(report);
};
