const maxNames = 64;

/**
 * Parses the lines of `report name value`. The last value of a name counts, and lines of `changed` are collected. Other
 * lines and an incomplete last line are ignored.
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
