/** Input of a run that puts a site's configuration on its server. The request contains everything. */
import type { RunContext, RunRequest, RunServer } from '../runs';
import { conflict, invalidField } from '../platform/errors';
import { maxBytes, sha256OfText } from './apply-scripts/apply';
import { siteText } from './site-config';
import { acmeWebroot, actionOf, siteLogFolder, type Site, type SiteLocation } from './site-model';
import type { SiteOptions } from './site-of';

export interface SiteInput {
  text: string;
  sha256: string;
  options: SiteOptions;
  serverName: string;
  /** SHA-256 of the file that may be on the server now, `-` for none, `*` for any. */
  expected: string;
  /** What the text was generated from, to map nginx messages to fields. Absent if an earlier text is restored. */
  site?: Site;
  /** SHA-256 of the earlier text. */
  restored?: string;
}

type Request = Pick<RunRequest, 'input'>;

/** The input as a request stores it: JSON without undefined values. */
export const asInput = (input: object): RunRequest['input'] =>
  JSON.parse(JSON.stringify(input)) as RunRequest['input'];

const kilobytes = (bytes: number): number => Math.ceil(bytes / 1024);

/** Why the site has too many locations, in words; undefined if the text fits on a server. */
export const tooLong = (text: string): string | undefined => {
  const bytes = Buffer.byteLength(text);
  return bytes > maxBytes
    ? `together they make a configuration of ${kilobytes(bytes)} kB; at most ${kilobytes(maxBytes)} kB are allowed`
    : undefined;
};

/**
 * @param seen SHA-256 of the reviewed text
 * @throws DomainError `invalid` with the fields that cannot be written for nginx, or with `locations` if there are too
 * many; `conflict` with the current text if another one was reviewed
 */
export const newText = (site: Site, expected: string, seen?: string): SiteInput => {
  const { text } = siteText(site);
  const long = tooLong(text);
  if (long !== undefined) throw invalidField('locations', long);
  const sha256 = sha256OfText(text);
  if (seen !== undefined && seen !== sha256)
    throw conflict('what it is made from has changed in the meantime: review it again', {
      nginxStatement: text,
      sha256,
    });
  const { serverName, options } = site;
  return { text, sha256, options, serverName, expected, site };
};

export const earlierText = (
  { serverName, text, options }: Pick<SiteInput, 'serverName' | 'text' | 'options'>,
  expected: string,
): SiteInput => {
  const sha256 = sha256OfText(text);
  return { text, sha256, options, serverName, expected, restored: sha256 };
};

/** Only the two functions above create this input. */
export const siteInputOf = ({ input }: Request): SiteInput => input as unknown as SiteInput;

/** The server as it is registered when the step begins. */
export const serverOf = ({ server }: RunContext): RunServer => {
  if (!server) throw new Error('only servers have a web server');
  return server;
};

interface Served {
  location: SiteLocation;
  folder: string;
}
const servedBy = ({ site }: SiteInput): Served[] =>
  (site?.locations ?? []).flatMap((location) => {
    const action = site && actionOf(site, location);
    return action?.does === 'serve' ? [{ location, folder: action.folder }] : [];
  });

/**
 * Folders needed before nginx reads the text, as script arguments: those to create, `--`, and those named by the
 * operator, which the operator has to create.
 */
export const foldersOf = ({ path, root }: RunServer, input: SiteInput): string[] => {
  const served = servedBy(input);
  const [named, ours] = [true, false].map((isNamed) =>
    served.filter(({ location }) => (location.volumes !== undefined) === isNamed).map(({ folder }) => folder),
  );
  const logs = siteLogFolder({ serverName: input.serverName, folders: { root } });
  return [...new Set([logs, acmeWebroot(path), ...(ours ?? [])]), '--', ...new Set(named)];
};

/** The location whose files are in a folder. */
export const servedFrom = (input: SiteInput, folder: string | undefined): SiteLocation | undefined =>
  servedBy(input).find((one) => one.folder === folder)?.location;
