/** The request headers that an upstream gets, and how TLS to it is set up. */
import type { partsOfUpstream } from '@quarterdeck/events';
import { because, directive, text, variable, type Directive, type Part, type Statement } from './nginx-tree';
import type { Site } from './site-model';
import { portOf, schemeOf } from './site-trust';

export type Upstream = NonNullable<ReturnType<typeof partsOfUpstream>>;

export const isAddress = (host: string): boolean => /^\[|^[\d.]+$/.test(host) || host === 'localhost';

/**
 * Some apps believe these before the headers that are set here. They would be passed on as the visitor sent them.
 * `Proxy`: a CGI app takes it for the variable HTTP_PROXY.
 */
const SAME_IN_OTHER_WORDS = [
  'Forwarded',
  'X-Forwarded-Scheme',
  'X-Forwarded-Ssl',
  'Front-End-Https',
  'Proxy',
];

/** A console is found by its own name, and its APIs by their path: as `apiInstances.addresses` answers it. */
const isThroughConsole = (path: string): boolean =>
  /^\/api\/instance\/[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}\/?$/.test(path);

export const upstreamHeaders = (
  site: Site,
  { scheme, host, authority, path }: Upstream,
  websocket: boolean,
  of: (name: string) => string,
  field: string,
): Statement[] => {
  const header = (name: string, ...value: readonly Part[]): Directive =>
    directive(of('set_header'), name, text(...value));
  const secure = scheme.endsWith('s');
  const isHttp = scheme.startsWith('http');
  return [
    ...(isHttp ? [directive('proxy_http_version', 1.1)] : []),
    ...(secure ? [directive(of('ssl_server_name'), 'on')] : []),
    ...(secure && !isAddress(host) ? [directive(of('ssl_name'), text(host))] : []),
    header('Host', isThroughConsole(path) ? authority : variable('host')),
    header('X-Real-IP', variable('remote_addr')),
    header('X-Forwarded-For', variable('proxy_add_x_forwarded_for')),
    header('X-Forwarded-Proto', schemeOf(site)),
    header('X-Forwarded-Host', variable('host')),
    header('X-Forwarded-Port', portOf(site)),
    ...SAME_IN_OTHER_WORDS.map((name) => header(name)),
    ...(websocket && isHttp
      ? because(
          `${field}.websocket`,
          header('Upgrade', variable('qd_upgrade')),
          header('Connection', variable('qd_connection')),
        )
      : []),
  ];
};
