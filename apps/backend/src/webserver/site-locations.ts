/** The block of each location: its action, access rules and logs. */
import { partsOfUpstream } from '@quarterdeck/events';
import { namesOfSite } from '@quarterdeck/projections';
import {
  because,
  block,
  directive,
  firstGroup,
  pattern,
  text,
  variable,
  whether,
  type Directive,
  type Part,
  type Statement,
} from './nginx-tree';
import { ofUpstream, settingStatements } from './location-settings';
import { headersOf, hiddenHeaders } from './site-headers';
import {
  actionOf,
  literally,
  namePattern,
  matchOf,
  namesFolder,
  logFormatOf,
  siteLogs,
  within,
  type Site,
  type SiteLocation,
} from './site-model';
import { isAddress, upstreamHeaders, type Upstream } from './upstream-headers';

/** nginx gives up connecting after 75 s in any case. */
const MAX_TO_CONNECT = 75;
/** A silent WebSocket is not dead yet. */
const WEBSOCKET_SILENCE = 3600;

/** In the server block that answers requests: the one on port 443 if the site has TLS. */
export const locationBlocks = (site: Site): Statement[] => {
  const matches = site.locations.map((location) => matchOf(site, location));
  const answers = (how: string, what: string) => matches.some((one) => one.how === how && one.what === what);
  const blocks = site.locations.flatMap((location, index) => {
    const field = `locations.${index}`;
    const { how, what } = matchOf(site, location);
    const head = how === '~' ? pattern(what) : text(what);
    const args = how === '' ? [head] : [how, head];
    const all = [...because(`${field}.location`, block('location', args, contents(site, location, field)))];
    if (what !== location.location && !answers('=', location.location))
      all.push(
        ...because(
          `${field}.location`,
          block(
            'location',
            ['=', text(location.location)],
            [directive('return', 301, text(what, variable('is_args'), variable('args')))],
          ),
        ),
      );
    return all;
  });
  // Otherwise nginx would show its own welcome page there.
  if (!answers('', '/')) blocks.push(block('location', ['/'], [directive('return', 404)]));
  return blocks;
};

const contents = (site: Site, location: SiteLocation, field: string): Statement[] => {
  const logs = siteLogs(site, location.id);
  return [
    ...because(
      'folders.root',
      directive('access_log', text(logs.access), logFormatOf(site)),
      directive('error_log', text(logs.error)),
    ),
    ...headersOf(site, location, field),
    ...settingStatements(site, location, field),
    ...actionStatements(site, location, field),
  ];
};

const actionStatements = (site: Site, location: SiteLocation, field: string): Statement[] => {
  const action = actionOf(site, location);
  switch (action.does) {
    case 'notFound':
      return because(`${field}.is404`, directive('return', 404));
    case 'redirect':
      return because(`${field}.url`, directive('return', action.code, redirectTo(action.target)));
    case 'pass':
      return passTo(site, location, action.upstream, field);
    case 'serve':
      return because(
        location.volumes === undefined ? 'folders.path' : `${field}.volumes`,
        ...filesOf(location, action.folder),
      );
  }
};

/**
 * A target that is only a host keeps path and query of the request. For any other target, all requests are sent to it.
 */
const redirectTo = (target: string) =>
  /^https?:\/\/[^/?#]+$/.test(target) ? text(target, variable('request_uri')) : text(target);

/** Files such as .git/config and .env are in folders by mistake. Visitors must never read them. */
export const hidden = block('location', ['~', pattern('/\\.(?!well-known/)')], [directive('return', 404)]);

/**
 * For a prefix, `alias` replaces the path. An exact path is a file named by its last segment, or an index. A pattern
 * has no prefix to replace, so the whole path is looked up in the folder.
 */
const filesOf = ({ match, location }: SiteLocation, folder: string): Directive[] => {
  if (match === 'regex') return [directive('root', text(within(folder))), hidden];
  if (match !== 'exact') return [directive('alias', text(within(folder, ''))), hidden];
  if (!location.endsWith('/'))
    return [directive('alias', text(within(folder, location.slice(location.lastIndexOf('/') + 1))))];
  // nginx would look for the index under its own path, which this location does not match.
  return [directive('root', text(within(folder))), directive('rewrite', '^', '/index.html', 'break')];
};

const WHOLE_PATH = '^.*';

interface Replacing {
  /** The path that the upstream gets instead. */
  uri: string;
  /** The upstream's redirects to `uri` are rewritten to this path. */
  location: string;
  /** The prefix to replace. Its group, the rest of the path, is appended to `uri`. */
  from: string;
  /**
   * True if nginx replaces the prefix itself, which it does if the upstream has a path. It cannot replace `/api` by
   * nothing.
   */
  byItself: boolean;
}

/**
 * An upstream without a path gets the request path unchanged. An upstream path replaces the path of the location.
 * Slashes are adjusted, so that neither `/v1foo` nor `/v1//foo` is requested.
 */
const replacingOf = ({ match, location }: SiteLocation, path: string): Replacing | undefined => {
  if (path === '' || match === 'regex') return undefined;
  if (match === 'exact') return { uri: path, location, from: WHOLE_PATH, byItself: true };
  const bare = path.replace(/\/$/, '');
  const from = `^${literally(location)}`;
  if (location.endsWith('/')) return { uri: `${bare}/`, location, from: `${from}(.*)`, byItself: true };
  if (bare !== '') return { uri: bare, location, from: `${from}(.*)`, byItself: true };
  return { uri: '/', location: `${location}/`, from: `${from}/?(.*)`, byItself: false };
};

const passTo = (site: Site, location: SiteLocation, upstream: string, field: string): Statement[] => {
  const named = partsOfUpstream(upstream);
  if (named === undefined) throw new Error(`${field}.url is not a valid upstream: ${upstream}`);
  const parts = withPort(named);
  const of = (name: string) => ofUpstream(upstream, name);
  const address = `${parts.scheme}://${parts.authority}`;
  const replacing = replacingOf(location, parts.path);
  const found = lookUp(site, parts);
  return [
    ...because(
      `${field}.url`,
      ...(parts.scheme.startsWith('grpc')
        ? [...(found ?? []), directive('grpc_pass', found ? variable('qd_upstream') : text(address))]
        : passing(site, address, replacing, found)),
    ),
    ...upstreamHeaders(site, parts, location.websocket === true, of, field),
    ...hiddenHeaders(site, location).map((name) => directive(of('hide_header'), name)),
    ...timeouts(location, of, field),
  ];
};

/** nginx knows the usual port of HTTP, and none of gRPC. */
const withPort = (parts: Upstream): Upstream => {
  const { scheme, authority, host, socket } = parts;
  if (!scheme.startsWith('grpc') || socket !== undefined || authority !== host) return parts;
  return { ...parts, authority: `${host}:${scheme === 'grpcs' ? 443 : 80}` };
};

/**
 * Sets qd_upstream for a name, which nginx then resolves per request: without it the answer is a 502, and nginx still
 * starts. Undefined for an address. Docker's name server knows containers. Elsewhere two files of the server say which
 * name server to ask, and the address of a name in its /etc/hosts, which no name server knows.
 */
const lookUp = (site: Site, { scheme, authority, host, socket }: Upstream): Directive[] | undefined => {
  if (socket !== undefined) return undefined;
  const set = (...value: Part[]) => directive('set', variable('qd_upstream'), text(`${scheme}://`, ...value));
  if (site.options.docker) return [set(authority)];
  if (isAddress(host)) return undefined;
  // A pattern of this one name, because a file that is missing is no error then. A star would match other names, too.
  const file = (name: string) => directive('include', text(within(namesFolder(site), `${name}.con[f]`)));
  return [
    file('resolver'),
    directive('set', variable('qd_name'), text(host)),
    file(`host-${host}`),
    set(variable('qd_name'), authority.slice(host.length)),
  ];
};

const passing = (
  site: Site,
  address: string,
  replacing: Replacing | undefined,
  found: Directive[] | undefined,
): Directive[] => {
  const passed = (...path: Part[]) => [
    ...(found ?? []),
    ...(replacing ? rawPath(found ? variable('qd_upstream') : byAddress(address), replacing) : []),
    directive('proxy_pass', found && path.length === 0 ? variable('qd_upstream') : text(address, ...path)),
  ];
  if (!found && (replacing === undefined || replacing.byItself))
    return [...passed(replacing?.uri ?? ''), ...(replacing ? redirects(site, address, replacing) : [])];
  const { uri, location, from } = replacing ?? { uri: '/', location: '/', from: undefined };
  const rest = from === WHOLE_PATH ? [] : [firstGroup];
  const [pass, ...before] = passed().reverse();
  return [
    ...before.reverse(),
    // Without (?s) the dot would stop at a line feed in the path.
    ...(from === undefined
      ? []
      : [directive('rewrite', pattern(`(?s)${from}`), text(uri, ...rest), 'break')]),
    ...(pass ? [pass] : []),
    ...(replacing
      ? redirects(site, address, replacing)
      : [directive('proxy_redirect', text(address, uri), text(location))]),
  ];
};

/** nginx looks up no name in an address with a variable. */
const byAddress = (address: string): string =>
  address.replace(/^(https?:\/\/)localhost(?=:|$)/, '$1127.0.0.1');

const REST = '(.*)';
/**
 * When nginx replaces a path it decodes it, and a name with `%2F` in it becomes two. Such a path is passed as it came,
 * unless it may contain a step upwards: then it would leave the upstream's path.
 */
const RAW_REST = '(?<qd_raw>(?![^?]*(?:%2[eE]|%5[cC]|\\.\\.))(?=[^?]*%2[fF]).*)';

const rawPath = (address: Part, { from, uri }: Replacing): Directive[] =>
  from.endsWith(REST)
    ? [
        block(
          'if',
          [whether('request_uri', `${from.slice(0, -REST.length)}${RAW_REST}`)],
          [
            directive('break'),
            // A group with a name, because nginx encodes the others once more.
            directive('proxy_pass', text(address, uri, variable('qd_raw'))),
          ],
        ),
      ]
    : [];

/** Redirects of the upstream lead back below the location, with or without a host. */
const redirects = (site: Site, address: string, { uri, location, from }: Replacing): Directive[] => {
  if (!from.endsWith(REST)) return [directive('proxy_redirect', text(address, uri), text(location))];
  const names = namesOfSite(site).map(namePattern);
  const ours = names.length > 1 ? `(?:${names.join('|')})` : names.join('');
  const hosts = `(?:${literally(address)}|https?://${ours})?`;
  // An app may know its location, and `//name` is another host.
  const known = uri.startsWith(location) ? '' : `(?!${literally(location)})`;
  const path = uri.endsWith('/') ? `${literally(uri)}(?!/)` : `${literally(uri)}(?=[/?#]|$)`;
  return [
    directive('proxy_redirect', pattern(`~^${hosts}${known}${path}${REST}$`), text(location, firstGroup)),
  ];
};

const timeouts = (
  { timeout, websocket }: SiteLocation,
  of: (name: string) => string,
  field: string,
): Statement[] => {
  if (timeout !== undefined)
    return because(
      `${field}.timeout`,
      directive(of('connect_timeout'), `${Math.min(timeout, MAX_TO_CONNECT)}s`),
      directive(of('send_timeout'), `${timeout}s`),
      directive(of('read_timeout'), `${timeout}s`),
    );
  if (websocket !== true) return [];
  return because(
    `${field}.websocket`,
    directive(of('send_timeout'), `${WEBSOCKET_SILENCE}s`),
    directive(of('read_timeout'), `${WEBSOCKET_SILENCE}s`),
  );
};
