/** The demo's deploys: a throw-away server with Docker and a registry, and a service whose second version serves. */
import { packagesLack } from '../../testing/debian-packages';
import type { Operator } from '../../testing/operator';
import { throwawayHostLacks } from '../../testing/throwaway-lacks';
import {
  ended,
  good,
  packages,
  REGISTRY,
  SHOP,
  startContainerServer,
  type ContainerServer,
} from '../deploys/container-server';

const VERSIONS = ['1.0.0', '1.1.0'];
const TOKEN = 'registry-of-the-demo';

export interface DemoContainers {
  /** What this machine lacks. */
  without: string[];
  /** Adds the service to the product, and deploys both of its versions. */
  fill(by: Operator, product: string): Promise<void>;
  stop(): Promise<void>;
}

const lacks = (): string[] =>
  process.env.THROWAWAY_SERVERS === 'off'
    ? ['THROWAWAY_SERVERS is off']
    : [...throwawayHostLacks(), ...packagesLack(packages)];

const fill = async (by: Operator, product: string, server: ContainerServer): Promise<void> => {
  await good(by, 'registry/insert', { data: { host: REGISTRY, username: 'token', token: TOKEN } });
  const data = {
    name: 'Orders',
    nameFront: '',
    organization: 'acme',
    repo: 'shop',
    repoFront: '',
    server: { id: await server.register(by, undefined, 'docker-1') },
    port: 3000,
    packageType: 'container',
    packageSubfolder: '',
    withDb: false,
    healthPath: '/health',
  };
  const { id } = await good<{ id: string }>(by, 'service/insert', { data, product: { id: product } });
  for (const version of VERSIONS) {
    await server.push(version);
    const fields = { data: { version, image: `${SHOP}:${version}`, digest: '' }, service: { id } };
    const { id: packageId } = await good<{ id: string }>(by, 'package/insert', fields);
    const { runId } = await good<{ runId: string }>(by, 'deploy', { id, packageId });
    const { run, out } = await ended(by, runId);
    if (run.state !== 'succeeded') throw new Error(`the deploy of ${version} ${run.state}: ${out}`);
  }
};

export const startDemoContainers = async (): Promise<DemoContainers> => {
  const lacking = lacks();
  if (lacking.length > 0)
    return {
      without: lacking.map((reason) => `without a deployed container: ${reason}`),
      fill: () => Promise.resolve(),
      stop: () => Promise.resolve(),
    };
  const server = await startContainerServer(TOKEN);
  return {
    without: [],
    fill: (by, product) => fill(by, product, server),
    stop: () => server.host.stop(),
  };
};
