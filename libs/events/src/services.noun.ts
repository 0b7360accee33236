/** Services: the parts of a product that are deployed from repositories to servers. */
import type { environments } from './databases.noun';
import { hasInvisible } from './invisible';
import { choice, flag, integer, optionalText, reference, text } from './kit/field';
import { noun } from './kit/noun';

/** Clients would cut, resolve or misread the rest. `[` and `{` are asked literally. */
export const refusedHealthPath = (path: string): string | undefined => {
  if (!path.startsWith('/')) return 'a path is expected, beginning with /: such as /health';
  if (path.startsWith('//')) return 'a path has one / at its beginning: // would name another host';
  if (hasInvisible(path)) return 'a path has no spaces and no invisible characters: a space is written %20';
  if (/["'\\]/.test(path)) return 'a path has no quotes and no backslashes: such as /health';
  if (path.includes('#')) return 'what comes after # is never sent: leave it out, or write %23';
  const [wrong] = /%(?![0-9a-f]{2})[^]{0,2}/i.exec(path) ?? [];
  if (wrong !== undefined)
    return `${wrong} is no character: after % two hexadecimal digits are expected, and % itself is written %25`;
  const isStep = (part: string): boolean => /^(\.|%2e){1,2}$/i.test(part);
  return (path.split('?')[0] ?? '').split('/').some(isStep)
    ? 'a path has no . or .. between its slashes: such as /health'
    : undefined;
};

/** nginx would take requests to the loopback away from all sites of the server. */
export const refusedPort = (port: number): string | undefined =>
  port === 80 || port === 443
    ? `the sites of the server answer at port ${port}: choose another, such as 3000`
    : undefined;

/** As source hosts read it: `shop.git` and `shop/` are `shop`. */
export const repositoryNamed = (name: string): string => name.trim().replace(/(?:\.git)?\/*$/i, '');

/** Repository names at a source host differ in more than their case. */
const sameRepository = (a: unknown, b: unknown): boolean => {
  const [one, other] = [a, b].map((name) => repositoryNamed(String(name)).toLowerCase());
  return one === other;
};

/** In the order of their numbers. A container runs on the server. An npm package contains client code, such as a folder of static files. */
export const packageTypes = ['container', 'npm'] as const;

/** What happens to a deploy that is requested while another one is running. */
const whileDeploying = ['queue', 'replace'] as const;

/** One for each environment, since a release gets the variables of one environment. The target has to be of that environment. */
const databaseOf = (environment: (typeof environments)[number]) =>
  reference('database', {
    label: `Database of ${environment}`,
    optional: true,
    since: { version: 3, value: null },
    onDemand: true,
  });

/** The fields of a service that name its databases, in the order of the environments. */
export const serviceDatabases = ['databaseDev', 'databaseTest', 'databaseProd'] as const;

export const service = noun('service', {
  path: 'service',
  within: 'product',
  named: 'name',
  unique: ['name'],
  uniqueAt: { port: 'server' },
  fields: {
    name: text(100),
    nameFront: optionalText(100, {
      label: 'Name of the client part',
      help: 'Only if it has a repository of its own.',
      onDemand: true,
    }),
    organization: text(100, { help: 'At the source-code host.', onDemand: true }),
    repo: text(100, { label: 'Repository' }),
    repoFront: optionalText(100, {
      label: 'Repository of the client part',
      refuses: (value, { repo }) =>
        sameRepository(value, repo) ? 'the client part needs a repository of its own' : undefined,
      onDemand: true,
    }),
    server: reference('server', { help: 'The server that it is deployed to.' }),
    port: integer(65_535, {
      min: 1,
      initial: 3000,
      help: 'The port at which it answers requests.',
      kept: true,
      refuses: refusedPort,
    }),
    packageType: choice(packageTypes, { label: 'Package', kept: true, numbered: true, omitted: 'container' }),
    packageSubfolder: optionalText(200, {
      label: 'Image name, or folder to serve',
      help: "Default: the repository's name. For a client: the served folder, such as dist.",
      onDemand: true,
    }),
    withDb: flag({ label: 'With database', kept: true, onDemand: true }),
    healthPath: text(500, {
      help: 'A deploy waits until the service answers there with a status of 200 to 399.',
      refuses: refusedHealthPath,
      since: { version: 2, value: '/' },
      onDemand: true,
    }),
    healthSeconds: integer(3600, {
      label: 'Health check timeout (s)',
      help: 'A deploy fails when its container needs longer. Any previous version keeps serving.',
      min: 1,
      since: { version: 2, value: 60 },
      onDemand: true,
    }),
    keep: integer(50, {
      label: 'Releases kept',
      help: 'Releases kept on the server, including the running one.',
      min: 1,
      since: { version: 2, value: 3 },
      onDemand: true,
    }),
    whileDeploying: choice(whileDeploying, {
      label: 'While a deploy is in progress',
      words: { queue: 'Wait in line', replace: 'Replace waiting ones' },
      help: 'New deploys wait for their turn, or only the newest one waits and earlier waiting ones are cancelled.',
      since: { version: 2, value: 'queue' },
      onDemand: true,
    }),
    databaseDev: databaseOf('dev'),
    databaseTest: databaseOf('test'),
    databaseProd: databaseOf('prod'),
  },
});
