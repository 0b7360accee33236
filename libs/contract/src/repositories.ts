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
import { z } from 'zod';
import { ids, ignored, started } from './answers';
import { calls } from './call';

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

const change = { access: 'admin', stales: 'repositories', wide: true } as const;

export const repositories = calls('github', {
  cloneFromTemplate: {
    ...change,
    summary: "Creates a repository from the workspace's template for servers or clients",
    path: 'repo/cloneFromTemplate',
    costs: 'waiting',
    input: repositoryClone,
    answer: created,
  },
  init: {
    ...change,
    summary: 'Gives a repository its name, in the package file and the read-me',
    path: 'repo/init',
    costs: 'waiting',
    input: repositoryInit,
    answer: committed,
  },
  addModel: {
    ...change,
    summary: "Commits migrations and types of the newest version of a product's data model",
    path: 'repo/data-model/add',
    costs: 'waiting',
    input: repositoryModel,
    answer: committed.extend({ version: z.number() }),
  },
  release: {
    ...change,
    summary: 'Releases the next version: the new tag, with its page',
    path: 'release/new',
    costs: 'waiting',
    input: repositoryRelease,
    answer: released,
  },
  containers: {
    summary: 'The container packages of a repository, newest first',
    access: 'admin',
    method: 'GET',
    path: 'container/list',
    costs: 'waiting',
    input: containerList,
    answer: z.strictObject({ packages: z.array(containerPackage) }),
    shows: 'repositories',
    volatile: true,
  },
  limit: {
    summary: 'How many calls the source host still takes with your token, and until when',
    access: 'admin',
    method: 'GET',
    costs: 'waiting',
    input: ignored,
    answer: z.strictObject({ limit: z.int(), remaining: z.int(), resetAt: z.string() }),
    shows: 'repositories',
    volatile: true,
  },
});

export const publishActions = calls('gh-action', {
  client: {
    ...change,
    summary: 'Adds the workflow that publishes an npm package at each release',
    path: 'publish-package',
    costs: 'waiting',
    input: publishing,
    answer: committed,
  },
  server: {
    ...change,
    summary: 'Adds the workflow that publishes a container image at each release',
    path: 'server/publish-package',
    costs: 'waiting',
    input: publishing,
    answer: committed,
  },
});

export const serviceRepositories = calls('service', {
  workflows: {
    summary: "The workflows of a service's repositories, with their last runs",
    access: 'admin',
    method: 'GET',
    path: 'workflows/:serviceId/list',
    costs: 'waiting',
    input: serviceWorkflows,
    answer: z.strictObject({ workflows: z.array(workflow) }),
    shows: ['repositories', 'services'],
    volatile: true,
  },
  deployService: {
    summary: 'The service that variables and deploys belong to',
    access: 'admin',
    path: 'deployService/add',
    costs: 'waiting',
    input: deployServiceAdd,
    answer: ids,
    shows: 'services',
  },
  create: {
    summary: 'Creates a service with its repositories, as a run',
    access: 'admin',
    input: serviceCreate,
    answer: ids.extend({ runId: z.string() }),
    stales: ['services', 'runs'],
    wide: true,
  },
  cleanUp: {
    summary: 'Deletes what a failed creation of a service left, and the service, as a run',
    access: 'admin',
    path: 'clean-up',
    input: serviceCleanUp,
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
    answer: z.strictObject({ ref: z.string() }),
  },
});
