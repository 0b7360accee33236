/** Response headers: the security headers, which every answer has, and CORS. */
import { isWildcard, wordsOf } from '@quarterdeck/events';
import {
  because,
  block,
  directive,
  pattern,
  text,
  variable,
  whether,
  type Directive,
  type Part,
} from './nginx-tree';
import { literally, namePattern, ownName, type Site, type SiteLocation } from './site-model';
import { trustMaps } from './site-trust';

/** A header that nginx adds unless the upstream has set it. nginx does not add a header with an empty value. */
const unlessUpstreamDoes = (header: string, name: string, value: string): Directive =>
  block(
    'map',
    [variable(`upstream_http_${header}`), variable(name)],
    [directive('default', text('')), directive(text(''), text(value))],
  );

/**
 * Maps must be outside of server blocks, and all sites are in one http block. Each file brings the same maps with the
 * same names. nginx accepts repeated maps, so no file depends on another.
 */
export const mapsOf = (site: Site): Directive[] => {
  const maps = [
    unlessUpstreamDoes('x_content_type_options', 'qd_content_type_options', 'nosniff'),
    unlessUpstreamDoes('x_frame_options', 'qd_frame_options', 'SAMEORIGIN'),
    unlessUpstreamDoes('referrer_policy', 'qd_referrer_policy', 'strict-origin-when-cross-origin'),
  ];
  if (site.options.ssl)
    maps.push(unlessUpstreamDoes('strict_transport_security', 'qd_transport_security', 'max-age=31536000'));
  if (site.locations.some(({ websocket }) => websocket === true))
    maps.push(
      // Only this protocol: another one, such as h2c, would let requests bypass the rules of this server.
      block(
        'map',
        [variable('http_upgrade'), variable('qd_upgrade')],
        [directive('default', text('')), directive(pattern('~*^websocket$'), 'websocket')],
      ),
      block(
        'map',
        [variable('http_upgrade'), variable('qd_connection')],
        [directive('default', 'close'), directive(pattern('~*^websocket$'), 'upgrade')],
      ),
    );
  if (site.locations.some(({ isCorsEnabled }) => isCorsEnabled === true))
    maps.push(
      // An OPTIONS request without Access-Control-Request-Method is not a preflight, so the upstream answers it.
      block(
        'map',
        [
          text(variable('request_method'), ' ', variable('http_access_control_request_method')),
          variable('qd_preflight'),
        ],
        [directive('default', 0), directive(pattern('~^OPTIONS .'), 1)],
      ),
    );
  maps.push(
    ...hostMaps(site),
    ...trustMaps(site),
    ...site.locations.flatMap((location) => originMaps(site, location)),
  );
  return maps;
};

const servedNames = ({ names = [] }: Site): string[] =>
  names.flatMap(({ name, does }) => (does === 'serves' ? [name] : []));

/**
 * The host of a redirect to HTTPS: the name that the visitor asked for, if it is one of the site's. The first block of a
 * server also gets requests for names of nobody.
 */
export const hostOf = (site: Site): Part => {
  // A wildcard is no host of an address.
  if (isWildcard(site.serverName)) return variable('host');
  return servedNames(site).length > 0 && site.options.ssl ? variable(ownName('host', site)) : site.serverName;
};

const hostMaps = (site: Site): Directive[] => {
  const served = servedNames(site);
  if (served.length === 0 || !site.options.ssl) return [];
  return [
    block(
      'map',
      [variable('host'), variable(ownName('host', site))],
      [
        directive('default', text(site.serverName)),
        // As patterns, for the same reason as below.
        ...served.map((name) => directive(pattern(`~^${namePattern(name)}$`), variable('host'))),
      ],
    ),
  ];
};

/** The origins that may send cookies: `qd_origin_…` is the request's origin if it is one of them. */
const originMaps = (site: Site, location: SiteLocation): Directive[] => {
  if (location.isCorsEnabled !== true || location.corsOrigins === undefined) return [];
  const origin = ownName('origin', site, location);
  return [
    block(
      'map',
      [variable('http_origin'), variable(origin)],
      [
        directive('default', text('')),
        // As patterns, because nginx limits the length of plain keys to that of a short address.
        ...wordsOf(location.corsOrigins).map((one) =>
          directive(pattern(`~^${literally(one)}$`), variable('http_origin')),
        ),
      ],
    ),
    block(
      'map',
      [variable(origin), variable(ownName('credentials', site, location))],
      [directive('default', 'true'), directive(text(''), text(''))],
    ),
  ];
};

const addHeader = (name: string, ...value: readonly Part[]): Directive =>
  directive('add_header', name, text(...value), 'always');

/** The HSTS header. `off` sends max-age=0, which makes browsers forget the header that they got before. */
const transport = ({ settings }: Site): Directive[] => {
  const name = 'Strict-Transport-Security';
  switch (settings?.hsts) {
    case 'app':
      return [];
    case 'off':
      return [addHeader(name, 'max-age=0')];
    case 'on':
    case undefined:
      return [addHeader(name, variable('qd_transport_security'))];
  }
};

const framing = (frames: SiteLocation['frames']): Directive[] => {
  const name = 'X-Frame-Options';
  switch (frames) {
    case 'app':
      return [];
    case 'deny':
      return [addHeader(name, 'DENY')];
    case 'sameOrigin':
      return [addHeader(name, 'SAMEORIGIN')];
    case undefined:
      return [addHeader(name, variable('qd_frame_options'))];
  }
};

/** In nginx a block with a header of its own loses all inherited headers, so it has to repeat these. */
export const safetyHeaders = (site: Site, frames?: SiteLocation['frames']): Directive[] => [
  addHeader('X-Content-Type-Options', variable('qd_content_type_options')),
  ...framing(frames),
  addHeader('Referrer-Policy', variable('qd_referrer_policy')),
  ...(site.options.ssl ? transport(site) : []),
];

const CORS_METHODS = 'GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS';
const PREFLIGHT_SECONDS = '7200';

/**
 * Origins that may read the answers are named in them. Without a list that is any origin, and no credentials are
 * allowed: every page could act in the name of its visitors.
 */
const corsHeaders = (site: Site, location: SiteLocation): Directive[] => {
  const safety = safetyHeaders(site, location.frames);
  const listed = location.corsOrigins !== undefined;
  const allowed = listed
    ? [
        addHeader('Access-Control-Allow-Origin', variable(ownName('origin', site, location))),
        addHeader('Access-Control-Allow-Credentials', variable(ownName('credentials', site, location))),
      ]
    : [addHeader('Access-Control-Allow-Origin', variable('http_origin'))];
  return [
    block(
      'if',
      [whether('qd_preflight')],
      [
        ...safety,
        ...allowed,
        addHeader('Access-Control-Allow-Methods', CORS_METHODS),
        addHeader('Access-Control-Allow-Headers', variable('http_access_control_request_headers')),
        addHeader('Access-Control-Max-Age', PREFLIGHT_SECONDS),
        addHeader('Vary', 'Origin, Access-Control-Request-Method, Access-Control-Request-Headers'),
        directive('return', 204),
      ],
    ),
    ...safety,
    ...allowed,
    // With credentials it would be the name of a header.
    ...(listed ? [] : [addHeader('Access-Control-Expose-Headers', '*')]),
    addHeader('Vary', 'Origin'),
  ];
};

/** The headers of a location, if they differ from those of its site. */
export const headersOf = (site: Site, location: SiteLocation, field: string): Directive[] => {
  if (location.isCorsEnabled === true)
    return because(`${field}.isCorsEnabled`, ...corsHeaders(site, location));
  return location.frames === undefined
    ? []
    : because(`${field}.frames`, ...safetyHeaders(site, location.frames));
};

const CORS_ANSWERS = [
  'Access-Control-Allow-Origin',
  'Access-Control-Allow-Credentials',
  'Access-Control-Allow-Methods',
  'Access-Control-Allow-Headers',
  'Access-Control-Expose-Headers',
  'Access-Control-Max-Age',
];

/** Headers of the upstream that this location decides about. Browsers refuse duplicates of them. */
export const hiddenHeaders = ({ settings }: Site, { isCorsEnabled, corsOrigins, frames }: SiteLocation) => [
  ...(frames === 'deny' || frames === 'sameOrigin' ? ['X-Frame-Options'] : []),
  ...(settings?.hsts === 'off' ? ['Strict-Transport-Security'] : []),
  ...(isCorsEnabled === true
    ? // Which headers its pages may read, an app has to say itself if it gets their cookies.
      CORS_ANSWERS.filter((name) => corsOrigins === undefined || name !== 'Access-Control-Expose-Headers')
    : []),
];
