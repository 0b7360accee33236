/** The differences between two releases, in the order in which an operator looks for them. Pure. */
import { environments, imageNamed } from '@quarterdeck/events';
import type { DeployView } from '@quarterdeck/projections';

export interface Difference {
  what: string;
  from: string;
  to: string;
}

type Variables = DeployView['variables'];

const NONE = '–';
const UNKNOWN = 'not known yet';

const ofVariables = (from: Variables, to: Variables): Difference[] => {
  const [before, after] = [from, to].map(
    (all) => new Map(all.map(({ key, fingerprint }) => [key, fingerprint])),
  );
  const keys = [...new Set([...from, ...to].map(({ key }) => key))].toSorted();
  return keys.flatMap((key) => {
    const [was, is] = [before?.get(key) ?? NONE, after?.get(key) ?? NONE];
    return was === is ? [] : [{ what: `Variable ${key}`, from: was, to: is }];
  });
};

/** Two names of one image are no difference. */
const ofImages = (from: string, to: string): Difference[] =>
  imageNamed(from) === imageNamed(to) ? [] : [{ what: 'Image', from, to }];

export const differences = (from: DeployView, to: DeployView): Difference[] => {
  const field = (what: string, of: (release: DeployView) => string): Difference => ({
    what,
    from: of(from),
    to: of(to),
  });
  return [
    field('Package', (one) => one.package.version),
    ...ofImages(from.package.image, to.package.image),
    field('Folder in the package', ({ client }) => client?.folder ?? NONE),
    field('Digest', ({ served }) => served?.digest ?? UNKNOWN),
    field('Environment', ({ env }) => environments[env.id - 1] ?? String(env.id)),
    field('Server', ({ server }) => server.name),
    field('Port', ({ port }) => String(port)),
    field('Health check', ({ health }) => `${health.path} within ${health.seconds} s`),
    field('Kept releases', ({ keep }) => String(keep)),
    ...ofVariables(from.variables, to.variables),
  ].filter((one) => one.from !== one.to);
};
