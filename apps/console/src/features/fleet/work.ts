/** The command or script to run, as read from the URL, and its confirmation text. Pure. */
import type { ScriptView } from '@quarterdeck/projections';
import { changing, looking, scriptQuestion, type Command } from '../../records/commands';

export type Work =
  | { is: 'command'; command: Command }
  | { is: 'script'; script: ScriptView; version: number; newest: boolean };

export const commands: readonly Command[] = [...looking, ...changing];

/** The newest version is the last in the list, even if it is the only one. */
export const newestVersion = ({ versions }: ScriptView): number => versions.at(-1)?.version ?? 1;

/** `undefined` if nothing is chosen or the choice does not exist (any more). */
export const workIn = (
  params: Pick<URLSearchParams, 'get'>,
  script: ScriptView | undefined,
): Work | undefined => {
  const chosen = params.get('script');
  if (chosen !== null) {
    if (script?.id !== chosen) return undefined;
    const newest = newestVersion(script);
    const version = Number(params.get('version') ?? newest);
    const known = Number.isInteger(version) && version > 0 && version <= newest ? version : newest;
    return { is: 'script', script, version: known, newest: known === newest };
  }
  const command = commands.find(({ cmdType }) => String(cmdType) === params.get('cmdType'));
  return command && { is: 'command', command };
};

export const labelOf = (work: Work): string =>
  work.is === 'command' ? work.command.label : work.script.name;

export const startOf = (work: Work): { cmdType: number } | { script: string; version: number } =>
  work.is === 'command'
    ? { cmdType: work.command.cmdType }
    : { script: work.script.id, version: work.version };

export interface Question {
  body: string;
  danger: boolean;
}

/** Confirmation before the run; `undefined` for a fixed command that is read-only. */
export const questionOf = (work: Work): Question | undefined => {
  if (work.is === 'command') {
    const { warning } = work.command;
    return warning === undefined ? undefined : { body: warning, danger: true };
  }
  const { script, version } = work;
  const changes = script.versions.find((one) => one.version === version)?.changes;
  return scriptQuestion({ name: script.name, version, changes });
};

/** `12 servers`, `web-1` */
export const onWords = (names: readonly string[]): string =>
  names.length === 1 ? (names[0] ?? '') : `${names.length} servers`;

const NAMED = 12;

export const namesInWords = (names: readonly string[]): string =>
  names.length <= NAMED
    ? names.join(', ')
    : `${names.slice(0, NAMED).join(', ')} and ${names.length - NAMED} more`;
