/** The compose file of a server: nginx, for operators who want it in a container, and the services that run there. */
import { isFolder, isServedFolder, siteErrors } from '@quarterdeck/events';
import { stringify } from 'yaml';
import { DomainError } from '../platform/errors';
import { NGINX_CONTAINER } from '../servers';
import { actionOf, within, type Site } from './site-model';

const IMAGE = 'nginx:1.28-alpine';
/** Containers used as upstreams must join it: names resolve only within a network. */
export const DOCKER_NETWORK = 'quarterdeck';

export interface ComposeServer {
  path: string;
  root: string;
  nginxPath: string;
}

/**
 * Folders have the same path in the container as on the server, so one configuration fits both. All are mounted
 * read-only, except the logs. Folders that a site's configuration could not contain are left out.
 *
 * Throws a DomainError that names the fields of the server which cannot be written.
 */
export const dockerCompose = (
  server: ComposeServer,
  sites: readonly Site[],
  services: Record<string, object> = {},
): string => {
  const { path, root, nginxPath } = server;
  const problems: [string, string][] = [
    ...Object.entries({ path, nginxPath }).flatMap(([name, folder]): [string, string][] =>
      isServedFolder(folder) ? [] : [[name, siteErrors.servedFolder]],
    ),
    ...(isFolder(root) ? [] : ([['root', siteErrors.folder]] satisfies [string, string][])),
  ];
  const [first] = problems;
  if (first !== undefined) throw new DomainError('invalid', first[1], Object.fromEntries(problems));
  const served = sites.flatMap((site) =>
    site.locations
      .map((location) => actionOf(site, location))
      .flatMap((action) => (action.does === 'serve' && isServedFolder(action.folder) ? [action.folder] : [])),
  );
  const readOnly = (source: string, target = source) => ({ type: 'bind', source, target, read_only: true });
  const logs = within(root, '.quarterdeck', 'logs');
  const compose = {
    services: {
      nginx: {
        image: IMAGE,
        container_name: NGINX_CONTAINER,
        restart: 'unless-stopped',
        ports: ['80:80', '443:443'],
        networks: [DOCKER_NETWORK],
        volumes: [
          readOnly(nginxPath, '/etc/nginx/conf.d'),
          ...outermost([path, ...served]).map((folder) => readOnly(folder)),
          readOnly('/etc/letsencrypt'),
          { type: 'bind', source: logs, target: logs },
        ],
        healthcheck: { test: ['CMD', 'nginx', '-t', '-q'], interval: '30s', timeout: '10s', retries: 3 },
        logging: { driver: 'json-file', options: { 'max-size': '10m', 'max-file': '3' } },
      },
      ...services,
    },
    networks: { [DOCKER_NETWORK]: { name: DOCKER_NETWORK } },
  };
  return `# Written by Quarterdeck. Services that sites pass requests to join the network ${DOCKER_NETWORK}.\n${stringify(compose, { lineWidth: 0 })}`;
};

/** Folders that are not inside another one. */
const outermost = (folders: readonly string[]): string[] => {
  const all = [...new Set(folders.map((folder) => within(folder)))].sort();
  return all.filter((folder) => !all.some((other) => other !== folder && folder.startsWith(`${other}/`)));
};
