/**
 * Validation rules for site configurations: one rule per field, for the calls, the forms and the generator of the
 * nginx configuration. Strict on purpose: everything that could have a special meaning to nginx (quotes, `$`, `;`,
 * braces, control characters) is refused here, and the generator quotes it as well.
 */

import { URL } from 'whatwg-url';

/**
 * A file system allows names of 255 characters. While a configuration is being installed, its file is called
 * `.<serverName>.conf.quarterdeck`.
 */
export const MAX_SERVER_NAME = 237;

/** Error message of each rule. It says what would be correct. */
export const siteErrors = {
  serverName: 'a domain name in ASCII and lower case is expected, such as shop.example.org',
  serverNameLength: `a server name of at most ${MAX_SERVER_NAME} characters is expected: nginx reads it from a file of that name`,
  displayName: 'a domain name is expected, such as shop.example.org',
  locationPath:
    "a path is expected that begins with '/', such as /api/; letters, digits and / . _ ~ ! & ( ) * + , = : @ - may follow, no '//' and no '..'",
  locationPattern:
    'a regular expression is expected, such as \\.php$, without spaces, quotes, semicolons and named groups, at most 256 characters',
  upstream:
    'an address is expected, such as http://app:3000, https://10.0.0.5:8443/v1/, unix:/run/app.sock or grpc://app:50051 (gRPC without a path)',
  patternUpstream:
    'an address without a path is expected, such as http://app:3000: a regular expression has no beginning that a path could replace',
  redirectTarget: 'an address or a path is expected, such as https://www.example.org or /new/',
  redirectCode: '301, 302, 307 or 308 is expected',
  folder:
    "an absolute folder is expected, such as /srv/static, without quotes, $, ;, braces, backslashes, '//' and '..'",
  servedFolder: 'a folder below / is expected, such as /srv/static: the whole file system is not served',
  timeout: 'a whole number of seconds from 1 to 86400 is expected',
  origin: 'an origin is expected, such as https://shop.example.org, without a path',
  network: 'an address or a network is expected, such as 10.0.0.0/8 or 2001:db8::1',
  singlePage: 'only a location that matches by prefix can be a single-page app',
} as const;

const LABEL = '[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?';
const SERVER_NAME = new RegExp(`^(?=.{1,253}$)(?:${LABEL}\\.)*${LABEL}$`);
const HOST_LABEL = '[A-Za-z0-9_](?:[A-Za-z0-9_-]{0,61}[A-Za-z0-9_])?';
const HOST = `(?:${HOST_LABEL}\\.)*${HOST_LABEL}|\\[[0-9A-Fa-f:.]{2,45}\\]`;
const URL_PATH = '[A-Za-z0-9/._~!&()*+,=:@-]*';
const ADDRESS = new RegExp(`^(https?)://(${HOST})(?::([1-9][0-9]{0,4}))?((?:/${URL_PATH})?)$`);
const GRPC = new RegExp(`^(grpcs?)://(${HOST})(?::([1-9][0-9]{0,4}))?()$`);
/** nginx separates the path of the socket from that of the request by a colon. */
const SOCKET = new RegExp(`^(?:http://)?unix:(/[A-Za-z0-9/._@+-]{1,106})(?::((?:/${URL_PATH})?))?$`);
const TARGET_REST = '(?:[/?#](?:[A-Za-z0-9/._~!&()*+,=:@?#-]|%[0-9A-Fa-f]{2})*)?';
const TARGET = new RegExp(`^(https?)://(${HOST})(?::([1-9][0-9]{0,4}))?(${TARGET_REST})$`);
const LOCAL_TARGET = new RegExp(`^/(?!/)${TARGET_REST.replace('[/?#]', '')}$`);

/**
 * Newer runtimes know more letters, but an event must not be valid on one runtime and refused on another. So non-ASCII
 * characters are checked against lists that never change: Unicode guarantees this for the properties used here, and all
 * other ranges are written out.
 */
const HIDDEN = String.raw`\p{Cc}\p{Cs}\p{Co}\p{Noncharacter_Code_Point}\u2028\u2029${[
  // Format characters and tags.
  String.raw`\u00ad\u0600-\u0605\u061c\u06dd\u070f\u0890\u0891\u08e2\u180e\u200b-\u200f\u202a-\u202e`,
  String.raw`\u2060-\u206f\ufeff\ufff0-\ufffb\u{110bd}\u{110cd}\u{13430}-\u{1343f}\u{1bca0}-\u{1bca3}`,
  String.raw`\u{1d173}-\u{1d17a}\u{e0000}-\u{e00ff}\u{e01f0}-\u{e0fff}`,
].join('')}`;
const SPACE = String.raw` \u00a0\u1680\u2000-\u200a\u202f\u205f\u3000`;
/** One visible character beyond ASCII. */
const VISIBLE = String.raw`(?![${HIDDEN}${SPACE}])[\u00a1-\u{10ffff}]`;
const LOCATION_PATH = new RegExp(String.raw`^/(?:[A-Za-z0-9/._~!&()*+,=:@-]|${VISIBLE})*$`, 'u');
const NAMED_GROUP = String.raw`\(\?(?:P?<[A-Za-z_]|')`;
const PATTERN = new RegExp(
  String.raw`^(?![^]*${NAMED_GROUP})(?=[^"'\x60;]*$)(?:[!-~]|${VISIBLE}){1,256}$`,
  'u',
);
const FOLDER = new RegExp(String.raw`^/[^${HIDDEN}"'\x60$;{}\\]*$`, 'u');
const DISPLAY_NAME = new RegExp(String.raw`^[^${HIDDEN}${SPACE}"'\x60$;{}\\#]{1,253}$`, 'u');

/** nginx resolves '.' and '..' and merges '//' before it looks for a location. */
const hasOddSegments = (path: string): boolean => /(^|\/)\.{1,2}(\/|$)/.test(path) || path.includes('//');
/** PATH_MAX and the longest token of nginx are both 4096 bytes, and a file name is still appended to this path. */
const fits = (path: string): boolean => new TextEncoder().encode(path).length <= 1024;

/** Rejects hosts that a URL parser would change: an international name with a broken ASCII form, or 1 for 0.0.0.1. */
const isHostAsWritten = (host: string): boolean => {
  const url = `http://${host}/`;
  if (!URL.canParse(url)) return false;
  return host.startsWith('[') || new URL(url).hostname === host.toLowerCase();
};

const isPort = (port: string | undefined): boolean => port === undefined || Number(port) <= 65_535;

/** In punycode, lower case, without the final dot. No wildcard, no address. */
export const isServerName = (value: string): boolean =>
  SERVER_NAME.test(value) && !/(^|\.)[0-9]+$/.test(value) && isHostAsWritten(value);

export const isWildcard = (name: string): boolean => name.startsWith('*.');

/** A server name, or a wildcard such as `*.shop.example`. */
export const isSiteName = (value: string): boolean => {
  if (!isWildcard(value)) return isServerName(value);
  const below = value.slice(2);
  return isServerName(below) && below.includes('.');
};

/** How the files of a site are called: a star is no part of a file name. No other site has a name with a `_`. */
export const nameOnDisk = (siteName: string): string => siteName.replace(/^\*/, '_wildcard');

/** The name as people write it. It is shown, and written as a comment into the configuration. */
export const isDisplayName = (value: string): boolean => DISPLAY_NAME.test(value);

/** Path of a prefix or exact location. nginx compares it with the decoded path, so it is not percent-encoded. */
export const isLocationPath = (value: string): boolean =>
  LOCATION_PATH.test(value) && !hasOddSegments(value) && fits(value);

/**
 * Limits length and characters. Only nginx knows whether it can compile the pattern. Named groups would set variables.
 */
export const isLocationPattern = (value: string): boolean => PATTERN.test(value);

/** `http(s)://host[:port][/path]`, `grpc(s)://host[:port]` or `unix:/socket[:/path]`, see {@link partsOfUpstream}. */
export const isUpstream = (value: string): boolean => partsOfUpstream(value) !== undefined;

/**
 * `path`: '' if the address ends after the host, which differs from '/'. Without a path nginx passes the request path
 * on unchanged. With one, the path replaces that of the location. `socket`: the file of a Unix socket, which has no host.
 */
export const partsOfUpstream = (
  value: string,
): { scheme: string; authority: string; host: string; path: string; socket?: string } | undefined => {
  const [, socket, behind = ''] = SOCKET.exec(value) ?? [];
  if (socket !== undefined) {
    if (hasOddSegments(socket) || socket.endsWith('/') || hasOddSegments(behind) || !fits(value))
      return undefined;
    return { scheme: 'http', authority: `unix:${socket}:`, host: '', path: behind, socket };
  }
  const [, scheme, host, port, path] = ADDRESS.exec(value) ?? GRPC.exec(value) ?? [];
  if (scheme === undefined || host === undefined || path === undefined) return undefined;
  if (!isPort(port) || !isHostAsWritten(host) || hasOddSegments(path) || !fits(value)) return undefined;
  return { scheme, authority: port === undefined ? host : `${host}:${port}`, host, path };
};

/** An address, or a path of the same site. */
export const isRedirectTarget = (value: string): boolean => partsOfRedirect(value) !== undefined;

/** `rest`: path, query and fragment; '' if the target is only a host. A local target has no `host` and no `scheme`. */
export const partsOfRedirect = (
  value: string,
): { scheme?: string; host?: string; port?: number; rest: string } | undefined => {
  if (!fits(value)) return undefined;
  if (LOCAL_TARGET.test(value)) return hasOddSegments(pathOf(value)) ? undefined : { rest: value };
  const [, scheme, host, port, rest] = TARGET.exec(value) ?? [];
  if (scheme === undefined || host === undefined || rest === undefined) return undefined;
  if (!isPort(port) || !isHostAsWritten(host) || hasOddSegments(pathOf(rest))) return undefined;
  return { scheme, host: host.toLowerCase(), ...(port !== undefined && { port: Number(port) }), rest };
};

const pathOf = (rest: string): string => rest.replace(/[?#][^]*$/, '');

export const redirectCodes = [301, 302, 307, 308] as const;
export type RedirectCode = (typeof redirectCodes)[number];
export const isRedirectCode = (value: number): value is RedirectCode =>
  redirectCodes.some((code) => code === value);

/** An absolute folder on the server. Slashes at the end do not matter. */
export const isFolder = (value: string): boolean =>
  fits(value) && FOLDER.test(value) && !hasOddSegments(value.replace(/\/+$/, ''));

/** A folder whose files nginx may serve. */
export const isServedFolder = (value: string): boolean => isFolder(value) && /[^/]/.test(value);

/** How many seconds an upstream may take. */
export const isTimeout = (value: number): boolean => Number.isInteger(value) && value >= 1 && value <= 86_400;

/** A larger response header is a mistake of the app, and each request would take that much memory. */
export const MAX_HEADER_KB = 128;

/** Scheme, host and port, as browsers send them: in lower case, without a path. */
export const isOrigin = (value: string): boolean => {
  const { host, rest } = partsOfRedirect(value) ?? {};
  return host !== undefined && rest === '' && value === value.toLowerCase();
};

const IPV4 = /^(?:(?:25[0-5]|2[0-4]\d|1?\d?\d)(?:\.(?!$)|$)){4}$/;

/** An IPv4 or IPv6 address, or a network of them: `10.0.0.0/8`. Never everybody, who would then be believed. */
export const isNetwork = (value: string): boolean => {
  const [address = '', bits, ...more] = value.split('/');
  if (more.length > 0 || (bits !== undefined && !/^[1-9]\d{0,2}$/.test(bits))) return false;
  if (IPV4.test(address)) return Number(bits ?? 32) <= 32;
  return /^[0-9a-f:.]{2,45}$/.test(address) && address.includes(':') && isHostAsWritten(`[${address}]`)
    ? Number(bits ?? 128) <= 128
    : false;
};
