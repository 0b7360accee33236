/** Words for scripts, and their form fields. Pure. */
import type { scripts, Sent } from '@quarterdeck/contract';
import type { ScriptView } from '@quarterdeck/projections';
import type { ApiError } from '../../core/http';
import type { Field } from '../../ui/ResourceForm';

export type ScriptFields = Sent<typeof scripts.insert>;
export type Version = ScriptView['versions'][number];

export const scriptFields: readonly Field[] = [
  {
    name: 'name',
    label: 'Name',
    type: 'text',
    help: 'A short description, unique in this workspace.',
    placeholder: 'Free space',
  },
  {
    name: 'body',
    label: 'Script',
    type: 'textarea',
    mono: true,
    rows: 16,
    help: 'Run by the program in its first line, such as #!/bin/bash, or else by sh, as the server’s account. Do not include secrets: everybody who can read the history can read the script.',
    placeholder: 'df -h',
  },
  {
    name: 'changes',
    label: 'Makes changes on the server',
    type: 'checkbox',
    help: 'Only one run that makes changes works on a server at a time. A short read-only script runs again if its connection is lost.',
  },
  {
    name: 'timeoutSeconds',
    label: 'Time limit in seconds',
    type: 'number',
    half: true,
    help: 'A run that takes longer is stopped, with all processes it started.',
  },
];

export const newScript = { changes: true, timeoutSeconds: 60 };

/** The version that runs unless another one is named. */
export const newestOf = ({ versions }: Pick<ScriptView, 'versions'>): Version => {
  const newest = versions.at(-1);
  if (!newest) throw new Error('a script without a version');
  return newest;
};

export const fieldsOf = (script: Pick<ScriptView, 'name' | 'versions'>): ScriptFields => {
  const { body, changes, timeoutSeconds } = newestOf(script);
  return { name: script.name, body, changes, timeoutSeconds };
};

export const sameFields = (a: ScriptFields, b: ScriptFields): boolean =>
  a.name === b.name && a.body === b.body && a.changes === b.changes && a.timeoutSeconds === b.timeoutSeconds;

const isScript = (value: unknown): value is ScriptView =>
  typeof value === 'object' && value !== null && 'versions' in value && 'name' in value;

/** Turns the current script of a conflict into form fields, which come from its newest version. */
export const withFields = (error: ApiError): ApiError =>
  isScript(error.current)
    ? { ...error, current: { ...fieldsOf(error.current), revision: error.current.revision } }
    : error;

export const limitInWords = (seconds: number): string => {
  if (seconds < 120) return `${seconds} s`;
  const minutes = Math.floor(seconds / 60);
  const rest = seconds % 60;
  if (minutes < 120) return rest === 0 ? `${minutes} min` : `${minutes} min ${rest} s`;
  const hours = Math.floor(minutes / 60);
  return minutes % 60 === 0 && rest === 0 ? `${hours} h` : `${hours} h ${minutes % 60} min`;
};

/** The two versions to compare: those in the address if they exist, else the newest and the one before it. */
export const comparedVersions = (
  { versions }: Pick<ScriptView, 'versions'>,
  from: string | null,
  to: string | null,
): { from: Version; to: Version } => {
  const named = (written: string | null): Version | undefined =>
    versions.find(({ version }) => String(version) === written);
  const newest = newestOf({ versions });
  const upper = named(to) ?? newest;
  const before = versions.find(({ version }) => version === upper.version - 1) ?? upper;
  return { from: named(from) ?? before, to: upper };
};

/** Differences other than the text. */
export const otherDifferences = (from: Version, to: Version): string[] => [
  ...(from.changes === to.changes
    ? []
    : [to.changes ? 'It is now marked as making changes.' : 'It is now marked as read-only.']),
  ...(from.timeoutSeconds === to.timeoutSeconds
    ? []
    : [
        `The time limit went from ${limitInWords(from.timeoutSeconds)} to ${limitInWords(to.timeoutSeconds)}.`,
      ]),
];
