/**
/**
 * The proxy of a service: nginx answers at the service's port on its loopback, and passes each request to the container
 * of the release that serves, or answers with the files of the client package that serves. Sites keep passing requests
 * to that port, so a deploy changes no site.
 */
import {
  block,
  comment,
  directive,
  dockerNames,
  hidden,
  pattern,
  print,
  text,
  variable,
  type Statement,
} from '../webserver';

export interface ProxyOf {
  service: { id: string; name: string };
  /** The port at which nginx answers. */
  port: number;
  /** Further ports at which it answers: earlier ones that sites still lead to. */
  alsoAt?: readonly number[] | undefined;
  /** The port at which the container answers on the server. */
  hostPort: number;
  /** Name of the container, if nginx runs in a container too and so cannot reach `hostPort`. */
  container?: string;
}

export const proxyFile = (service: string): string => `quarterdeck-service-${service}.conf`;

/** Each file defines the same map: nginx accepts repeated maps, so no file depends on another. */
const connection = 'qd_service_connection';
/** The longest wait for an answer; sites have their own, shorter limits. */
const SILENCE = '3600s';

/** With this name nginx warns if two services use the same port, but not about other servers without a name. */
const SERVER_NAME = 'quarterdeck-service';
const title = ({ name }: ProxyOf['service']) =>
  comment(`${name}, a service written by Quarterdeck: it changes with each deploy.`);

/** If nginx runs in a container, the comment in the file gives the release's address on the server. */
const passTo = (onServer: string, inNetwork: string | undefined): Statement[] =>
  inNetwork === undefined
    ? [directive('proxy_pass', onServer)]
    : [
        comment(`proxy_pass ${onServer}; on the server`),
        ...dockerNames,
        directive('set', variable('qd_service'), text(inNetwork)),
        directive('proxy_pass', variable('qd_service')),
      ];

const listenAt = ({ port, alsoAt = [] }: Pick<ProxyOf, 'port' | 'alsoAt'>): Statement[] =>
  [port, ...alsoAt].map((one) => directive('listen', `127.0.0.1:${one}`));

export const proxyText = ({ service, port, alsoAt, hostPort, container }: ProxyOf): string =>
  print([
    title(service),
    block(
      'map',
      [variable('http_upgrade'), variable(connection)],
      [directive('default', text('')), directive(pattern('~*^websocket$'), 'upgrade')],
    ),
    block(
      'server',
      [],
      [
        ...listenAt({ port, alsoAt }),
        directive('server_name', SERVER_NAME),
        directive('access_log', 'off'),
        directive('client_max_body_size', 0),
        block(
          'location',
          ['/'],
          [
            ...passTo(`http://127.0.0.1:${hostPort}`, container && `http://${container}:${port}`),
            directive('proxy_http_version', 1.1),
            directive('proxy_set_header', 'Host', variable('http_host')),
            directive('proxy_set_header', 'Upgrade', variable('http_upgrade')),
            directive('proxy_set_header', 'Connection', variable(connection)),
            directive('proxy_request_buffering', 'off'),
            directive('proxy_buffering', 'off'),
            directive('proxy_send_timeout', SILENCE),
            directive('proxy_read_timeout', SILENCE),
          ],
        ),
      ],
    ),
  ]).text;

/**
 * `folder`: the link to the files of the version that serves. The client itself handles an address that is not a file,
 * unless the address looks like a file: otherwise a request for a script would be answered with a page.
 */
export const filesText = ({
  service,
  port,
  alsoAt,
  folder,
}: Omit<ProxyOf, 'hostPort'> & { folder: string }): string => {
  // Browsers revalidate a file on each use, so a deploy is visible at once.
  const fresh = directive('add_header', 'Cache-Control', 'no-cache');
  return print([
    title(service),
    block(
      'server',
      [],
      [
        ...listenAt({ port, alsoAt }),
        directive('server_name', SERVER_NAME),
        directive('access_log', 'off'),
        directive('absolute_redirect', 'off'),
        directive('root', text(folder)),
        block(
          'location',
          ['/'],
          [directive('try_files', variable('uri'), text(variable('uri'), '/'), '/index.html'), fresh],
        ),
        hidden,
        block(
          'location',
          ['~', pattern('\\.[^./]+$')],
          [directive('try_files', variable('uri'), '=404'), fresh],
        ),
      ],
    ),
  ]).text;
};
