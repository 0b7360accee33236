/** The compose file of a release describes its container, for people and for comparisons. It has no variable values. */
import type { DeployView } from '@quarterdeck/projections';
import { stringify } from 'yaml';
import { DOCKER_NETWORK } from '../webserver';
import { byDigest } from './images';
import { deployFolder } from './places';

export interface ComposeOf {
  service: { id: string; name: string };
  image: string;
  port: number;
}

/** A name that docker accepts, and that people recognise. */
export const containerName = (service: string, release: string): string => {
  const stem = service
    .normalize('NFKD')
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-+|-+$/g, '')
    .slice(0, 40);
  return `quarterdeck-${stem === '' ? 'service' : stem}-${release.slice(-12)}`;
};

/** The key of the service below `services`. */
export const composeKey = ({ id, name }: ComposeOf['service']): string =>
  containerName(name, id).replace('quarterdeck-', '');

/** `HOST_PORT` is defined in the file .env next to the compose file: the port that was free on the server. */
export const composeService = ({ service, image, port }: ComposeOf) => ({
  image,
  restart: 'always',
  ports: [`127.0.0.1:\${HOST_PORT}:${port}`],
  environment: { PORT: port },
  env_file: ['env'],
  labels: { 'quarterdeck.service': service.id },
  logging: { driver: 'json-file', options: { 'max-size': '10m', 'max-file': '3' } },
});

/** The compose service of a release that serves. `folder`: its folder on the server. */
const runningService = (release: DeployView & { folder: string }) => {
  const { service, port, served, folder } = release;
  const image = served ? byDigest(release.package.image, served.digest) : release.package.image;
  return {
    ...composeService({ service, image, port }),
    container_name: containerName(service.name, release.id),
    ports: [`127.0.0.1:${served?.hostPort ?? 0}:${port}`],
    env_file: [`${folder}/env`],
    networks: [DOCKER_NETWORK],
  };
};

/** The compose services of a server, by their keys. `root`: the root folder of the server. */
export const runningServices = (serving: readonly DeployView[], root: string): Record<string, object> =>
  Object.fromEntries(
    serving
      .filter(({ client }) => !client)
      .map((one) => [
        composeKey(one.service),
        runningService({ ...one, folder: deployFolder(root, one.service.id, one.id) }),
      ]),
  );

export const composeText = (release: ComposeOf): string =>
  stringify({ services: { [composeKey(release.service)]: composeService(release) } }, { lineWidth: 0 });
