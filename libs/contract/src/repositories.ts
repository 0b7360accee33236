/** Repositories at the source-code host. The calls use the caller's own token. */
import {
  deployServiceAdd,
  containerList,
  publishing,
  repositoryClone,
  repositoryInit,
  repositoryModel,
  repositoryRelease,
  serviceCleanUp,
  serviceCreate,
  serviceWorkflows,
  workflowTrigger,
} from '@quarterdeck/events/inputs';
import { service } from '@quarterdeck/events';
import { z } from 'zod';
import { ids, ignored, started } from './answers';
import { calls } from './call';
import { valuesOf } from './kit-examples';
import { demo, newRunId } from './demo';

const created = z.strictObject({ organization: z.string(), repo: z.string(), url: z.string() });
/** `changed`: false if the repository already had all of it. `commit` is the newest commit then. */
const committed = z.strictObject({ commit: z.string(), url: z.string(), changed: z.boolean() });
const released = z.strictObject({ tag: z.string(), url: z.string() });

const containerPackage = z
  .strictObject({
    id: z.string(),
    version: z.string(),
    organization: z.string(),
    repo: z.string(),
    /** `ghcr.io/acme/shop:1.2.0`. `digest` identifies its content. */
    image: z.string(),
    digest: z.string(),
    createdAt: z.string(),
  })
  .meta({ id: 'ContainerPackage' });

const workflow = z.strictObject({
  id: z.number(),
  name: z.string(),
  html_url: z.string(),
  /** The repository of the service that has the workflow. */
  repo: z.string(),
  lastRun: z
    .strictObject({
      id: z.number(),
      status: z.string(),
      conclusion: z.string().nullable(),
      ref: z.string(),
      url: z.string(),
      at: z.string(),
    })
    .optional(),
});

const shop = { organization: 'acme', repo: 'shop' } as const;

const change = { stales: 'repositories', wide: true } as const;

export const repositories = calls('github', 'admin', {
  cloneFromTemplate: {
    ...change,
    summary: "Creates a repository from the workspace's template for servers or clients",
    path: 'repo/cloneFromTemplate',
    costs: 'waiting',
    input: repositoryClone,
    example: { ...shop, clientOrServer: 'server' },
    answer: created,
  },
  init: {
    ...change,
    summary: 'Gives a repository its name, in the package file and the read-me',
    path: 'repo/init',
    costs: 'waiting',
    input: repositoryInit,
    example: { ...shop, name: 'Shop' },
    answer: committed,
  },
  addModel: {
    ...change,
    summary: "Commits migrations and types of the newest version of a product's data model",
    path: 'repo/data-model/add',
    costs: 'waiting',
    input: repositoryModel,
    example: { ...shop, product: { id: demo.product } },
    answer: committed.extend({ version: z.number() }),
  },
  release: {
    ...change,
    summary: 'Releases the next version: the new tag, with its page',
    path: 'release/new',
    costs: 'waiting',
    input: repositoryRelease,
    example: { ...shop, isNpm: false },
    answer: released,
  },
  containers: {
    summary: 'The container packages of a repository, newest first',
    method: 'GET',
    path: 'container/list',
    costs: 'waiting',
    input: containerList,
    example: { repoUrl: 'https://github.com/acme/shop', dockerName: 'shop' },
    answer: z.strictObject({ packages: z.array(containerPackage) }),
    shows: 'repositories',
    volatile: true,
  },
  limit: {
    summary: 'How many calls the source host still takes with your token, and until when',
    method: 'GET',
    costs: 'waiting',
    input: ignored,
    answer: z.strictObject({ limit: z.int(), remaining: z.int(), resetAt: z.string() }),
    shows: 'repositories',
    volatile: true,
  },
});

export const publishActions = calls('gh-action', 'admin', {
  client: {
    ...change,
    summary: 'Adds the workflow that publishes an npm package at each release',
    path: 'publish-package',
    costs: 'waiting',
    input: publishing,
    example: { org: 'acme', repo: 'shop' },
    answer: committed,
  },
  server: {
    ...change,
    summary: 'Adds the workflow that publishes a container image at each release',
    path: 'server/publish-package',
    costs: 'waiting',
    input: publishing,
    example: { org: 'acme', repo: 'shop' },
    answer: committed,
  },
});

export const serviceRepositories = calls('service', 'admin', {
  workflows: {
    summary: "The workflows of a service's repositories, with their last runs",
    method: 'GET',
    path: 'workflows/:serviceId/list',
    costs: 'waiting',
    input: serviceWorkflows,
    example: { serviceId: demo.service },
    answer: z.strictObject({ workflows: z.array(workflow) }),
    shows: ['repositories', 'services'],
    volatile: true,
  },
  deployService: {
    summary: 'The service that variables and deploys belong to',
    path: 'deployService/add',
    costs: 'waiting',
    input: deployServiceAdd,
    example: { uuid: demo.service },
    answer: ids,
    shows: 'services',
  },
  create: {
    summary: 'Creates a service with its repositories, as a run',
    input: serviceCreate,
    example: {
      data: valuesOf(service, 'Shop'),
      product: { id: demo.product },
      fromTemplate: { server: true, client: false },
      runId: newRunId,
    },
    answer: ids.extend({ runId: z.string() }),
    stales: ['services', 'runs'],
    wide: true,
  },
  cleanUp: {
    summary: 'Deletes what a failed creation of a service left, and the service, as a run',
    path: 'clean-up',
    input: serviceCleanUp,
    example: { id: demo.service, runId: newRunId },
    answer: started,
    stales: 'runs',
    wide: true,
  },
  trigger: {
    ...change,
    summary: 'Starts a workflow on a branch or tag; without one on master',
    path: 'workflows/trigger',
    costs: 'waiting',
    input: workflowTrigger,
    example: { serviceId: demo.service, workflowId: 1, ref: 'main' },
    answer: z.strictObject({ ref: z.string() }),
  },
});
