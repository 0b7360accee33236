/** Deploys of services. */
import {
  byId,
  deployCompare,
  deployStart,
  deployList,
  deployPage,
  deployRollback,
  deployRunning,
  deployStop,
  deployValueDestroy,
  deployValues,
} from '@quarterdeck/events/inputs';
import { listPageOf, movedLocation, deployRow, waitingSite } from '@quarterdeck/projections';
import { z } from 'zod';
import { ids } from './answers';
import { calls } from './call';
import { demo, newRunId, page } from './demo';

const started = ids.extend({ runId: z.string() }).meta({ id: 'DeployStarted' });

const text = z.strictObject({ from: z.string(), to: z.string() });

const compared = z.strictObject({
  differences: z.array(z.strictObject({ what: z.string(), from: z.string(), to: z.string() })),
  compose: text,
  proxy: text,
});

const version = z.strictObject({
  id: z.string(),
  version: z.string(),
  image: z.string(),
  /** The newest deploy of the package. Absent: it was never deployed. */
  deployLog: deployRow.optional(),
});

/** The values of secret variables that deploys keep, for a rollback. Newest deploys first. */
const keptValue = z
  .strictObject({
    key: z.string(),
    env: z.strictObject({ id: z.int() }),
    releases: z.array(
      z.strictObject({ id: z.string(), version: z.string(), date: z.string(), serves: z.boolean() }),
    ),
  })
  .meta({ id: 'KeptValue' });

const shows = ['releases', 'runs', 'products', 'services', 'servers'] as const;
const reads = { shows, asOf: true, wide: true } as const;

export const deploys = calls('deploy', 'admin', {
  deploy: {
    summary: 'Deploys a package of a service to its server',
    path: '',
    input: deployStart,
    example: {
      id: demo.service,
      packageId: demo.package,
      env: 2,
      healthPath: '/health',
      healthSeconds: 30,
      keep: 3,
      why: 'A fix',
      runId: newRunId,
    },
    answer: started,
    stales: 'releases',
    wide: true,
  },
  versions: {
    summary: 'The packages of a service, each with its newest deploy',
    path: 'service/versions',
    input: byId,
    example: { id: demo.service },
    answer: z.array(version),
    ...reads,
    shows: [...shows, 'packages'],
  },
  plan: {
    summary:
      'What a deploy of a service takes along: the locations that lead to an earlier port of it, and the sites that do until they are applied',
    path: 'service/plan',
    input: byId,
    example: { id: demo.service },
    answer: z
      .strictObject({ port: z.int(), moves: z.array(movedLocation), waiting: z.array(waitingSite) })
      .meta({ id: 'DeployPlan' }),
    shows: [...shows, 'domains'],
    wide: true,
  },
  releases: {
    summary: 'The deploys of a service, of a product, to a server or all, newest first',
    path: 'release/list',
    input: deployList,
    example: {
      service: { id: demo.service },
      product: { id: demo.product },
      server: { id: demo.server },
      limit: 5,
    },
    answer: z.array(deployRow),
    ...reads,
  },
  releasePage: {
    summary: 'One page of the deploys, of one service, to one server or all, newest first',
    path: 'release/page',
    input: deployPage,
    example: { service: { id: demo.service }, server: { id: demo.server }, ...page },
    answer: listPageOf(deployRow),
    ...reads,
  },
  running: {
    summary: 'The deploys that serve: of a service, of a product, on a server or all',
    path: 'release/running',
    input: deployRunning,
    example: { service: { id: demo.service }, product: { id: demo.product }, server: { id: demo.server } },
    answer: z.array(deployRow),
    ...reads,
  },
  release: {
    summary: 'One deploy',
    path: 'release/detail',
    input: byId,
    example: { id: demo.deploy },
    answer: deployRow,
    ...reads,
  },
  compare: {
    summary: 'The differences between two deploys',
    path: 'release/compare',
    input: deployCompare,
    example: { from: demo.deploy, to: demo.deploy },
    answer: compared,
    ...reads,
  },
  rollback: {
    summary:
      'Deploys again what a deploy was: its package, variables and proxy; of values that were destroyed it takes those of `today`, or goes `without`',
    path: 'release/rollback',
    input: deployRollback,
    example: { id: demo.deploy, today: true, why: 'It is slow', runId: newRunId },
    answer: started,
    stales: 'releases',
    wide: true,
  },
  stopRelease: {
    summary: 'Stops what serves, and removes its container, its proxy and its files from the server',
    path: 'release/stop',
    input: deployStop,
    example: { id: demo.deploy, forget: true, runId: newRunId },
    answer: started.partial({ runId: true }).meta({ id: 'StopStarted' }),
    stales: 'releases',
  },
  keptValues: {
    summary: 'The secret variables whose values deploys of a service keep, and which deploys',
    path: 'release/value/list',
    input: deployValues,
    example: { service: { id: demo.service } },
    answer: z.array(keptValue),
    ...reads,
  },
  destroyValue: {
    summary: 'Destroys the values of a variable that deploys keep; a rollback to them lacks it',
    path: 'release/value/destroy',
    input: deployValueDestroy,
    example: { service: { id: demo.service }, env: 3, key: 'STRIPE_KEY' },
    answer: ids.extend({ count: z.int() }).meta({ id: 'ValuesDestroyed' }),
    stales: 'releases',
    wide: true,
  },
  removeRelease: {
    summary: 'Removes the record of a deploy; nothing changes on the server',
    path: 'release/delete',
    input: byId,
    example: { id: demo.deploy },
    answer: ids,
    stales: 'releases',
  },
});
