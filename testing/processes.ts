import { readdirSync, readFileSync } from 'node:fs';

interface ProcessFacts {
  pid: number;
  parent: number;
  name: string;
  commandLine: string;
}

const factsOf = (pid: number): ProcessFacts | undefined => {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    const behindName = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    if (behindName[0] === 'Z') return undefined;
    return {
      pid,
      parent: Number(behindName[1]),
      name: stat.slice(stat.indexOf('(') + 1, stat.lastIndexOf(')')),
      commandLine: readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ').trim(),
    };
  } catch {
    return undefined;
  }
};

export const processes = (): ProcessFacts[] =>
  readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map((name) => factsOf(Number(name)))
    .filter((facts) => facts !== undefined);

/** A process and all its descendants, itself first. */
export const familyOf = (pid: number): ProcessFacts[] => {
  const all = processes();
  const family = all.filter((one) => one.pid === pid);
  for (const member of family) family.push(...all.filter((one) => one.parent === member.pid));
  return family;
};

/** Processes whose command line contains the mark that a test put into its remote command. */
export const processesNaming = (mark: string): ProcessFacts[] =>
  processes().filter((one) => one.commandLine.includes(mark) && one.pid !== process.pid);
