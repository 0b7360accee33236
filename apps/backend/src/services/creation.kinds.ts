/** Runs that create a service with its repositories, or clean up after a failure. Each step checks what exists. */
import type { DomainCommand } from '../platform/decider';
import { DomainError } from '../platform/errors';
import type { CommandMeta } from '../platform/sessions';
import {
  codeOf,
  markOf,
  type Part,
  type RepositoryName,
  type Repositories,
  type RepositoryEvent,
} from '../repositories';
import {
  StepFailed,
  type LocalIo,
  type LocalStep,
  type Report,
  type RunContext,
  type RunKind,
} from '../runs';

/** The part of the request that a run keeps. */
export interface CreationInput {
  product: string;
  organization: string;
  repo: string;
  repoFront: string | null;
  name: string;
  nameFront: string;
  withDb: boolean;
  port: number;
  /** The parts whose repositories are created. The others exist. */
  created: { server: boolean; client: boolean };
  /** The parts that are initialized although their repositories exist. Absent: none. */
  inits?: { server: boolean; client: boolean };
}

/** `creation`: the run whose results are removed. */
export type CleanUpInput = Pick<CreationInput, 'organization' | 'repo' | 'repoFront' | 'created'> & {
  creation: string;
};

export interface CreationDeps {
  repositories: Repositories;
  /** Adds those variables that the service does not have. @returns their keys */
  addVariables(service: string, run: string, input: CreationInput, meta: CommandMeta): Promise<string[]>;
  /** @throws DomainError if the service is gone */
  service(id: string, workspace: string): Promise<unknown>;
  removeService(id: string, name: string, meta: CommandMeta): Promise<void>;
}

const MINUTE_MS = 60_000;
/** The longest pause requested by the source host for which a run waits. */
const WAIT_SECONDS = 300;

const inputOf = <T>({ request }: RunContext): T => request.input as unknown as T;
const placeOf = (
  { organization, repo, repoFront }: CleanUpInput | CreationInput,
  part: Part,
): RepositoryName => ({
  organization,
  repo: part === 'server' ? repo : (repoFront ?? ''),
});
const manner = ({ signal, print }: LocalIo) => ({ signal, print, waitSeconds: WAIT_SECONDS });

/** Names what exists so far, for the person who has to decide how to continue. */
const existing = ({ request, reports }: RunContext): string => {
  const repositories = ['create', 'createFront'].flatMap((step) => reports[step]?.['repository'] ?? []);
  return [`the service ${request.subject.name}`, ...repositories].join(', ');
};

const told =
  (context: RunContext, { signal }: LocalIo) =>
  (error: unknown): never => {
    if (signal.aborted || !(error instanceof DomainError)) throw error;
    throw new StepFailed(
      codeOf(error) ?? error.code,
      `${error.msg.replace(/\.$/, '')}. Created so far: ${existing(context)}.`,
    );
  };

interface Described {
  name: string;
  when(input: CreationInput): boolean;
  work(context: RunContext, input: CreationInput, io: LocalIo): Promise<Report>;
  event?(input: CreationInput, report: Report): RepositoryEvent | undefined;
}

const step = (deps: CreationDeps, { name, when, work, event }: Described): LocalStep => ({
  name,
  on: 'console',
  timeoutMs: 15 * MINUTE_MS,
  repeatable: true,
  when: (context) => when(inputOf(context)),
  perform: async (context, io) => ({
    report: await work(context, inputOf(context), io).catch(told(context, io)),
  }),
  onSuccess: (context, report, meta): DomainCommand | undefined => {
    const done = event?.(inputOf(context), report);
    return done && deps.repositories.record(done, meta);
  },
});

const create = (deps: CreationDeps, name: string, part: Part): LocalStep =>
  step(deps, {
    name,
    when: ({ repoFront }) => part === 'server' || repoFront !== null,
    work: async ({ run }, input, io): Promise<Report> => {
      const place = placeOf(input, part);
      const called = `${place.organization}/${place.repo}`;
      if (input.created[part]) {
        const made = await deps.repositories.create(place, part, io.meta, manner(io), markOf(run));
        io.print(`Created ${called} from ${made.template}: ${made.url}\n`);
        return { repository: called, url: made.url, template: made.template };
      }
      const found = await deps.repositories.find(place, io.meta, manner(io));
      if (!found) throw new DomainError('unprocessable', `${called} could not be found at the source host`);
      io.print(`${called} exists: ${found.html_url}\n`);
      return { repository: called, url: found.html_url };
    },
    event: (input, { template = '', url = '' }) =>
      input.created[part]
        ? { type: 'RepositoryCreated', data: { ...placeOf(input, part), template, url } }
        : undefined,
  });

const init = (deps: CreationDeps, name: string, part: Part): LocalStep =>
  step(deps, {
    name,
    when: ({ created, inits, repoFront }) =>
      (created[part] || inits?.[part] === true) && (part === 'server' || repoFront !== null),
    work: async (_, input, io) => {
      const called = part === 'server' ? input.name : input.nameFront;
      const { done } = await deps.repositories.init(placeOf(input, part), called, io.meta, manner(io));
      io.print(`${done.changed ? 'Committed' : 'Has already'} the name ${called}: ${done.url}\n`);
      return { name: called, commit: done.commit, url: done.url };
    },
    event: (input, { name: called = '', commit = '', url = '' }) => ({
      type: 'RepositoryInitialized',
      data: { ...placeOf(input, part), name: called, commit, url },
    }),
  });

const upgradeDataModel = (deps: CreationDeps): LocalStep =>
  step(deps, {
    name: 'upgradeDataModel',
    when: ({ withDb }) => withDb,
    work: async (_, input, io): Promise<Report> => {
      const place = placeOf(input, 'server');
      try {
        const { done, version } = await deps.repositories.addModel(place, input.product, io.meta, manner(io));
        io.print(`${done.changed ? 'Committed' : 'Has already'} version ${version}: ${done.url}\n`);
        return { version: String(version), commit: done.commit, url: done.url };
      } catch (error) {
        if (codeOf(error) !== 'noVersion') throw error;
        io.print('The product has no version of its data model yet: there is nothing to add.\n');
        return {};
      }
    },
    event: (input, { version, commit = '', url = '' }) =>
      version === undefined
        ? undefined
        : {
            type: 'RepositoryModelAdded',
            data: {
              ...placeOf(input, 'server'),
              product: input.product,
              version: Number(version),
              commit,
              url,
            },
          },
  });

export const createService = (deps: CreationDeps): RunKind => ({
  kind: 'createService',
  changes: true,
  steps: [
    create(deps, 'create', 'server'),
    create(deps, 'createFront', 'client'),
    upgradeDataModel(deps),
    init(deps, 'init', 'server'),
    init(deps, 'initFront', 'client'),
    step(deps, {
      name: 'addEnvVar',
      when: () => true,
      work: async ({ run, request }, input, io) => {
        const keys = await deps.addVariables(request.subject.id, run, input, io.meta);
        io.print(keys.length === 0 ? 'Has all variables already.\n' : `Added ${keys.join(', ')}.\n`);
        return { variables: String(keys.length) };
      },
    }),
  ],
  stillFits: async ({ subject }, workspace) => void (await deps.service(subject.id, workspace)),
});

const remove = (deps: CreationDeps, name: string, part: Part): LocalStep => ({
  name,
  on: 'console',
  timeoutMs: 15 * MINUTE_MS,
  repeatable: true,
  when: (context) => {
    const { created, repoFront } = inputOf<CleanUpInput>(context);
    return created[part] && (part === 'server' || repoFront !== null);
  },
  perform: async (context, io) => {
    const input = inputOf<CleanUpInput>(context);
    const place = placeOf(input, part);
    const called = `${place.organization}/${place.repo}`;
    const found = await deps.repositories.find(place, io.meta, manner(io));
    if (!found) {
      io.print(`${called} does not exist.\n`);
      return { report: { deleted: 'no' } };
    }
    if (!found.description?.includes(markOf(input.creation))) {
      io.print(`${called} was not created by that run: it stays.\n`);
      return { report: { deleted: 'no' } };
    }
    await deps.repositories.remove(place, io.meta, manner(io));
    io.print(`Deleted ${called}.\n`);
    return { report: { deleted: 'yes' } };
  },
  onSuccess: (context, { deleted }, meta) =>
    deleted === 'yes'
      ? deps.repositories.record(
          { type: 'RepositoryDeleted', data: placeOf(inputOf<CleanUpInput>(context), part) },
          meta,
        )
      : undefined,
});

export const cleanUpService = (deps: CreationDeps): RunKind => ({
  kind: 'cleanUpService',
  changes: true,
  steps: [
    remove(deps, 'deleteFront', 'client'),
    remove(deps, 'delete', 'server'),
    {
      name: 'removeService',
      on: 'console',
      timeoutMs: MINUTE_MS,
      repeatable: true,
      perform: async ({ request: { subject } }, { meta, print }) => {
        await deps.removeService(subject.id, subject.name, meta);
        print(`Removed the service ${subject.name}.\n`);
        return {};
      },
    },
  ],
});
