/** Response headers: the security headers, which every answer has, and CORS. */
import { block, directive, pattern, text, variable, whether, type Directive, type Part } from './nginx-tree';
import type { Site } from './site-model';

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
  return maps;
};

const addHeader = (name: string, ...value: readonly Part[]): Directive =>
  directive('add_header', name, text(...value), 'always');

/** In nginx a block with a header of its own loses all inherited headers, so it has to repeat these. */
export const safetyHeaders = (overTls: boolean): Directive[] => [
  addHeader('X-Content-Type-Options', 'nosniff'),
  addHeader('X-Frame-Options', variable('qd_frame_options')),
  addHeader('Referrer-Policy', variable('qd_referrer_policy')),
  ...(overTls ? [addHeader('Strict-Transport-Security', variable('qd_transport_security'))] : []),
];

const CORS_METHODS = 'GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS';
const PREFLIGHT_SECONDS = '7200';

/**
 * Any origin may read the answers, and is named in them. Credentials are not allowed: together with any origin, every
 * page could act in the name of its visitors.
 */
export const corsHeaders = (overTls: boolean): Directive[] => {
  const origin = addHeader('Access-Control-Allow-Origin', variable('http_origin'));
  return [
    block(
      'if',
      [whether('qd_preflight')],
      [
        ...safetyHeaders(overTls),
        origin,
        addHeader('Access-Control-Allow-Methods', CORS_METHODS),
        addHeader('Access-Control-Allow-Headers', variable('http_access_control_request_headers')),
        addHeader('Access-Control-Max-Age', PREFLIGHT_SECONDS),
        addHeader('Vary', 'Origin, Access-Control-Request-Method, Access-Control-Request-Headers'),
        directive('return', 204),
      ],
    ),
    ...safetyHeaders(overTls),
    origin,
    addHeader('Access-Control-Expose-Headers', '*'),
    addHeader('Vary', 'Origin'),
  ];
};

const CORS_ANSWERS = [
  'Access-Control-Allow-Origin',
  'Access-Control-Allow-Credentials',
  'Access-Control-Allow-Methods',
  'Access-Control-Allow-Headers',
  'Access-Control-Expose-Headers',
  'Access-Control-Max-Age',
];

/** Headers that the upstream also sends. Browsers refuse duplicates of them. */
export const hiddenHeaders = (cors: boolean): Directive[] =>
  ['X-Content-Type-Options', ...(cors ? CORS_ANSWERS : [])].map((name) =>
    directive('proxy_hide_header', name),
  );
