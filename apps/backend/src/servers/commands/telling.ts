/** Separates the results that a plain command printed with `report` and `changed` from its other output. */
export const readTold = (output: string): { report: Record<string, string>; out: string } => {
  const report: Record<string, string> = {};
  const rest: string[] = [];
  for (const line of output.split('\n')) {
    const [, name, value = ''] = /^::told ([A-Za-z][A-Za-z0-9]*) (.*)$/.exec(line) ?? [];
    if (!name) rest.push(line);
    else if (name === 'changed' && report[name] !== undefined) report[name] += `\n${value}`;
    else report[name] = value;
  }
  return { report, out: rest.join('\n') };
};
