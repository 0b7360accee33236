/**
 * Problems of a site that cannot be written for nginx, by field: `locations.2.url`. The input schemas refuse most of
 * them before.
 */
import { isIPv4 } from 'node:net';
import {
  isDisplayName,
  isFolder,
  isLocationPath,
  isLocationPattern,
  isRedirectCode,
  isRedirectTarget,
  isServedFolder,
  isSiteName,
  isTimeout,
  isUpstream,
  isWildcard,
  locationSettings,
  MAX_SERVER_NAME,
  nameOnDisk,
  partsOfRedirect,
  partsOfUpstream,
  settingProblems,
  siteErrors,
  siteSettings,
} from '@quarterdeck/events';
import { namesOfSite } from '@quarterdeck/projections';
import {
  ACME_PATH,
  actionOf,
  LONGEST_HASHED_NAME,
  matchOf,
  PROOF_PATH,
  type Site,
  type SiteLocation,
} from './site-model';

export type Problems = Record<string, string>;

const ID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;
const matches = ['prefix', 'exact', 'regex', undefined];

/** Empty if {@link siteText} can write the site. For each field only the first problem is reported. */
export const siteProblems = (site: Site): Problems => {
  const problems: Problems = {};
  const tell = (field: string, fine: boolean, message: string) => {
    if (!fine) problems[field] ??= message;
  };
  // The domain was recorded before this limit existed.
  tell('serverName', nameOnDisk(site.serverName).length <= MAX_SERVER_NAME, siteErrors.serverNameLength);
  tell('serverName', isSiteName(site.serverName), siteErrors.serverName);
  for (const [index, { name, does }] of (site.names ?? []).entries()) {
    const leadsSomewhere = does === 'serves' || !isWildcard(site.serverName);
    tell(`names.${index}.name`, leadsSomewhere, `${site.serverName} is no address to redirect to`);
    const isFine = nameOnDisk(name).length <= MAX_SERVER_NAME && isSiteName(name);
    tell(`names.${index}.name`, isFine, siteErrors.serverName);
    const hidden = does === 'redirects' ? hiddenBy(name, site) : undefined;
    const redirectsToo = `nginx would redirect ${hidden} as well, because that has more than ${LONGEST_HASHED_NAME} characters`;
    tell(`names.${index}.name`, hidden === undefined, redirectsToo);
    const isOnce = namesOfSite(site).indexOf(name) === index + 1;
    tell(`names.${index}.name`, isOnce, 'this name of the site is there already');
  }
  tell(
    'displayName',
    site.displayName === undefined || isDisplayName(site.displayName),
    siteErrors.displayName,
  );
  const { path, nginxPath, root } = site.folders;
  for (const [name, folder] of Object.entries({ path, nginxPath }))
    tell(`folders.${name}`, isServedFolder(folder), folderError(folder));
  tell('folders.root', isFolder(root), siteErrors.folder);
  for (const [name, file] of Object.entries(site.certificate ?? {}))
    tell(`certificate.${name}`, isServedFolder(file), folderError(file));
  const { address, http, https } = site.listen ?? { http: 80, https: 443 };
  tell('listen.address', address === undefined || isIPv4(address), 'an IPv4 address is expected');
  for (const [name, port] of Object.entries({ http, https }))
    tell(
      `listen.${name}`,
      Number.isInteger(port) && port > 0 && port < 65_536,
      'a port from 1 to 65535 is expected',
    );
  tell('listen.https', !site.options.ssl || http !== https, 'a port other than that of http is expected');
  for (const [name, message] of Object.entries(settingProblems(siteSettings, { ...site.settings })))
    tell(`settings.${name}`, false, message);
  for (const [index, location] of site.locations.entries())
    for (const [field, message] of Object.entries(problemsOf(site, location)))
      tell(`locations.${index}.${field}`, false, message);
  for (const [index, message] of twice(site)) tell(`locations.${index}.location`, false, message);
  for (const index of loops(site))
    tell(`locations.${index}.url`, false, 'this redirects to the same location for ever');
  return problems;
};

/** A served name that the wildcard would take: nginx prefers a wildcard to the pattern that a long name is written as. */
const hiddenBy = (wildcard: string, { serverName, names = [] }: Site): string | undefined => {
  if (!isWildcard(wildcard)) return undefined;
  const served = names.filter(({ does }) => does === 'serves').map(({ name }) => name);
  return [serverName, ...served].find(
    (name) => name.length > LONGEST_HASHED_NAME && name.endsWith(wildcard.slice(1)),
  );
};

export const isWritable = (site: Site): boolean => Object.keys(siteProblems(site)).length === 0;

const problemsOf = (site: Site, location: SiteLocation): Problems => {
  const { match, url, volumes, timeout, redirectCode, isRedirect, is404 } = location;
  const problems: Problems = {};
  const tell = (field: string, fine: boolean, message: string) => {
    if (!fine) problems[field] ??= message;
  };
  tell('id', ID.test(location.id), 'a uuid in lower case is expected');
  tell('match', matches.includes(match), 'prefix, exact or regex is expected');
  if (match === 'regex') tell('location', isLocationPattern(location.location), siteErrors.locationPattern);
  else {
    tell('location', isLocationPath(location.location), siteErrors.locationPath);
    tell(
      'location',
      !location.location.startsWith(ACME_PATH.slice(0, -1)),
      `${ACME_PATH} is reserved for certificate challenges: no location can use it`,
    );
    tell(
      'location',
      match !== 'exact' || location.location !== PROOF_PATH,
      `${PROOF_PATH} is reserved: the console recognizes the site by it`,
    );
  }
  tell('is404', !(is404 === true && isRedirect === true), 'a location either redirects or answers 404');
  const action = actionOf(site, location).does;
  if (url !== undefined || action === 'redirect') {
    if (isRedirect === true) tell('url', isRedirectTarget(url ?? ''), siteErrors.redirectTarget);
    else {
      tell('url', isUpstream(url ?? ''), siteErrors.upstream);
      const upstreamPath = match === 'regex' && is404 !== true ? partsOfUpstream(url ?? '')?.path : '';
      tell('url', upstreamPath === '' || upstreamPath === undefined, siteErrors.patternUpstream);
    }
  }
  tell('redirectCode', redirectCode === undefined || isRedirectCode(redirectCode), siteErrors.redirectCode);
  tell('volumes', volumes === undefined || isServedFolder(volumes), folderError(volumes));
  tell('timeout', timeout === undefined || isTimeout(timeout), siteErrors.timeout);
  tell('singlePage', location.singlePage !== true || (match ?? 'prefix') === 'prefix', siteErrors.singlePage);
  for (const [name, message] of Object.entries(settingProblems(locationSettings, { ...location })))
    tell(name, false, message);
  return problems;
};

const folderError = (folder = ''): string => (isFolder(folder) ? siteErrors.servedFolder : siteErrors.folder);

/** nginx refuses two locations that match alike, and all sites of the server with them. */
const twice = (site: Site): Map<number, string> => {
  const seen = new Set<string>();
  const found = new Map<number, string>();
  for (const [index, location] of site.locations.entries()) {
    const { how, what } = matchOf(site, location);
    const head = `${how} ${what}`.trim();
    if (seen.has(head)) found.set(index, `the location ${head} already exists`);
    seen.add(head);
  }
  return found;
};

/** Redirects to the site itself that end where they began. Patterns are not considered. */
const loops = (site: Site): number[] => {
  const plain = site.locations.map((location, index) => ({ ...matchOf(site, location), index }));
  return site.locations.flatMap((location, index) => {
    const action = actionOf(site, location);
    const target = action.does === 'redirect' ? partsOfRedirect(action.target) : undefined;
    if (target === undefined || location.match === 'regex') return [];
    const isHere =
      target.host === undefined || (namesOfSite(site).includes(target.host) && target.port === undefined);
    // If we do not terminate TLS, something in front of us may do so.
    if (!isHere || (target.scheme === 'https' && !site.options.ssl)) return [];
    if (target.rest === '') return [index];
    const path = target.rest.replace(/[?#][^]*$/, '') || '/';
    const answering =
      plain.find(({ how, what }) => how === '=' && what === path) ??
      plain
        .filter(({ how, what }) => how === '' && path.startsWith(what))
        .sort((a, b) => b.what.length - a.what.length)[0];
    return answering?.index === index ? [index] : [];
  });
};
