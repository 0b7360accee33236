/** Explains why the server's nginx refused a configuration, and finds the field of the domain that caused it. */
import type { Explanation, Report } from '../runs';
import { applyExit } from './apply-scripts/apply-exit';
import { originOfMessage, siteText } from './site-config';
import { siteFileName } from './site-model';
import { servedFrom, type SiteInput } from './site-input';

/** `locations.2.url` with the id of the location: the order may have changed by the time it is read. */
const fieldOf = ({ site, serverName }: SiteInput, message: string): string | undefined => {
  if (!site) return undefined;
  const origin = originOfMessage(siteText(site), message, siteFileName(serverName));
  const [, index, field] = /^locations\.(\d+)\.(.+)$/.exec(origin ?? '') ?? [];
  const location = index === undefined ? undefined : site.locations[Number(index)];
  return location ? `locations.${location.id}.${field}` : origin;
};

/** The row of the name that another site answers for. */
const rowOf = ({ site, serverName }: SiteInput, name: string): string => {
  const index = (site?.names ?? []).findIndex((one) => one.name === name);
  return name === serverName || index < 0 ? 'serverName' : `names.${index}.name`;
};

const messageOf = ({ error = '', errorFile, errorLine }: Report): string =>
  errorFile && errorLine && !/ in \S.{0,1023}:\d+\s*$/.test(error)
    ? `${error} in ${errorFile}:${errorLine}`
    : error;

/** Without nginx's prefix: `nginx: [emerg] 123#123: `. */
const inWords = (message: string): string => message.replace(/^.*?\[\w+\]\s*(\d+#\d+:\s*)?/, '');

const codes: Record<number, string> = {
  [applyExit.drift]: 'drifted',
  [applyExit.refused]: 'refused',
  [applyExit.conflict]: 'nameTaken',
  [applyExit.refusedLive]: 'refused',
  [applyExit.notRunning]: 'notRunning',
  [applyExit.broken]: 'broken',
  [applyExit.notRead]: 'notRead',
  [applyExit.damaged]: 'damaged',
  [applyExit.brokenBefore]: 'brokenBefore',
  [applyExit.noContainer]: 'noContainer',
  [applyExit.notMounted]: 'notMounted',
};

export const drifted =
  'The file on the server is not the one that was applied last: look at it, then adopt or overwrite it.';

const sentences: Record<string, string> = {
  drifted,
  broken: 'nginx could not run it, nor what was there before. Check the server.',
  tooManyFiles:
    "nginx cannot open as many files as there are logs: run 'Initialize Server' to raise its limit. The previous configuration is live again.",
  notRead: "nginx does not read the folder of the sites: run 'Initialize Server' first.",
  damaged: 'It was damaged on its way to the server. Nothing was changed.',
  brokenBefore:
    'The configuration of nginx on the server was not valid before this one. Nothing was changed.',
  noContainer:
    "It is for an nginx in a container, and the server has none: start the one of the server's compose file, or turn Docker off. The live configuration is unchanged.",
  notMounted:
    "nginx's container does not mount the folder of the sites: start the one of the server's compose file. The live configuration is unchanged.",
};

/** The name of the site in that file. */
const siteIn = (file: string): string =>
  file
    .replace(/^.*\//, '')
    .replace(/\.conf$/, '')
    .replace(/^_wildcard\./, '*.');

/** Another file keeps nginx from reading anything: this one cannot go live, and nginx would not start again. */
const brokenBy = ({ error = 'it gave no reason', errorFile = '', errorLine }: Report): string =>
  `nginx cannot read ${siteIn(errorFile)} (${errorFile}${errorLine ? `, line ${errorLine}` : ''}): ${inWords(error)}. ` +
  'It reads no other change, and does not start again, until that is corrected or removed. Nothing was changed.';

const gone =
  'The file that was applied last is gone from the server: compare with the server, then overwrite.';

/** nginx accepted the text, and could not run it. Most often another program has the port. */
const notRunning = ({ error = '', holder, stopped }: Report): string => {
  const port = /bind\(\) to \S*:(\d+) failed \(98\b/.exec(error)?.[1];
  const program = holder ? `the program ${holder}` : 'another program';
  const why = port === undefined ? inWords(error) : `port ${port} is used by ${program}`;
  const what = stopped ? 'nginx was not running and could not be started' : 'nginx could not run it';
  const now = stopped ? 'Its file is as it was before.' : 'The previous configuration is live again.';
  return `${what}${why === '' ? '' : `: ${why}`}. ${now}`;
};

/** A folder named by the operator does not exist, so every request would be a 404. */
export const NOT_THERE = 2;

/** For the step that creates and checks folders. */
export const explainMissing = (
  input: SiteInput,
  { exitCode, report: { missing } }: { exitCode: number; report: Report },
): Explanation | undefined => {
  const location = exitCode === NOT_THERE ? servedFrom(input, missing) : undefined;
  return (
    location && {
      code: 'noFolder',
      reason: `The server has no folder ${missing}, so nothing could be served from it. The live configuration is unchanged.`,
      report: { field: `locations.${location.id}.volumes` },
    }
  );
};

export const explainRefusal = (
  input: SiteInput,
  { exitCode, report }: { exitCode: number; report: Report },
): Explanation | undefined => {
  const code = codes[exitCode];
  if (code === undefined) return undefined;
  if (code === 'nameTaken')
    return {
      code,
      reason: `Another site on this server already answers for ${report.conflict ?? input.serverName}. The live configuration is unchanged.`,
      report: { field: rowOf(input, report.conflict ?? input.serverName) },
    };
  if (code === 'notRunning' && report.error?.includes('Too many open files'))
    return { code: 'tooManyFiles', reason: sentences['tooManyFiles'] ?? '' };
  if (code === 'notRunning') return { code, reason: notRunning(report) };
  if (code === 'drifted' && report.found === '-') return { code, reason: gone };
  if (code === 'brokenBefore' && report.errorFile) return { code, reason: brokenBy(report) };
  if (code !== 'refused') return { code, reason: sentences[code] ?? code };
  const message = messageOf(report);
  const field = fieldOf(input, message);
  return {
    code,
    reason: `nginx refuses it: ${inWords(report.error ?? 'it gave no reason')}. The live configuration is unchanged.`,
    ...(field !== undefined && { report: { field } }),
  };
};
