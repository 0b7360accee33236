/** Words for scripts. Pure. */
import type { scripts, Sent } from '@quarterdeck/contract';
import type { ScriptView } from '@quarterdeck/projections';
import type { ApiError } from '../../core/http';

export type ScriptFields = Sent<typeof scripts.insert>;
export type Version = ScriptView['versions'][number];

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
