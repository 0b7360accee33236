/**
 * A deploy of a container: a run on the server of the service. What served before serves until the proxy leads to the
 * new container, and goes on when that never becomes healthy.
 */
import type { EventData } from '@quarterdeck/events';
import type { CommandMeta } from '../platform/sessions';
import type { Explanation, Place, Report, RunContext, RunKind, RunRequest, RunServer } from '../runs';
import { applyExit } from '../webserver';
import { containerName } from './compose';
import { pullScript } from './deploy-scripts/pull';
import { deployExit } from './deploy-scripts/prelude';
import { retireScript } from './deploy-scripts/retire';
import { startScript } from './deploy-scripts/start';
import { stopScript } from './deploy-scripts/stop';
import { environmentFile, longVariables, type Variable } from './environment';
import { registryOf } from './images';
import { proxyFile, proxyText } from './proxy';
import { RecordReleaseFailure, RecordServed, RecordStopped } from './releases.decider';

export interface DeployMeans {
  /** The snapshot of a release. @throws DomainError `notFound` */
  asked(release: string, workspace: string): Promise<EventData<'ReleaseRequested'>>;
  /** Values of its variables. @throws DomainError if one was destroyed */
  values(asked: EventData<'ReleaseRequested'>, workspace: string): Promise<Variable[]>;
  /** User name and token of the person who asked, for registries that they are meant for. */
  login(registry: string, meta: CommandMeta): Promise<{ user: string; token: string } | undefined>;
  /** Its place among the deploys that wait. */
  place(release: string, workspace: string): Promise<Place>;
  /** @throws DomainError if the service is gone, was moved, or has been deployed again since */
  stillFits(run: string, request: RunRequest, workspace: string): Promise<void>;
}

const minutes = (count: number): number => count * 60_000;
const DRAIN_SECONDS = 30;
const FIRST_PORT = 20_000;

const serverOf = ({ server }: RunContext): RunServer => {
  if (!server) throw new Error('services are deployed to servers');
  return server;
};

const serviceFolder = (root: string, service: string): string =>
  `${root.replace(/\/+$/, '')}/.quarterdeck/services/${service}`;

/** On the server. */
export const releaseFolder = (root: string, service: string, release: string): string =>
  `${serviceFolder(root, service)}/${release}`;

const folderOf = (context: RunContext, service: string): string =>
  serviceFolder(serverOf(context).root, service);

const proxyPath = (context: RunContext, service: string): string =>
  `${serverOf(context).nginxPath.replace(/\/+$/, '')}/${proxyFile(service)}`;

/** Spreads services and releases over the ports, so that the first one is usually free. */
const firstPort = (release: string): number =>
  FIRST_PORT + (Number.parseInt(release.replaceAll('-', '').slice(-8), 16) % 9000);

export const deployService = (means: DeployMeans): RunKind => {
  const askedOf = ({ run }: RunContext, workspace: string) => means.asked(run, workspace);
  const imageOf = ({ reports }: RunContext): string => reports['pull']?.['image'] ?? '';
  return {
    kind: 'deployService',
    changes: true,
    steps: [
      {
        name: 'pull',
        on: 'server',
        script: pullScript,
        args: async (context, meta) => {
          const { image } = (await askedOf(context, meta.workspace)).package;
          const registry = registryOf(image);
          const { user = '', token = '' } = (await means.login(registry, meta)) ?? {};
          return [image, registry, user, token, context.run];
        },
        explain: (_context, { exitCode }) => sentence(exitCode),
        plain: { image: /^[\w.:/@-]+@sha256:[0-9a-f]{64}$/, digest: /^sha256:[0-9a-f]{64}$/ },
        privileged: true,
        timeoutMs: minutes(30),
        repeatable: true,
      },

      // Beside the one that serves. Removed again unless it becomes healthy and the proxy leads to it.
      {
        name: 'start',
        on: 'server',
        script: startScript,
        args: async (context, meta) => {
          const asked = await askedOf(context, meta.workspace);
          const { service, health } = asked;
          const { nginxPath, root } = serverOf(context);
          const variables = await means.values(asked, meta.workspace);
          return [
            ...[folderOf(context, service.id), proxyPath(context, service.id), service.id, context.run],
            ...[containerName(service.name, context.run), imageOf(context), String(asked.port)],
            ...[String(firstPort(context.run)), health.path, String(health.seconds), asked.compose],
            ...[environmentFile(variables), nginxPath, root, proxyText({ ...asked, hostPort: 0 })],
            proxyText({ ...asked, hostPort: 0, container: containerName(service.name, context.run) }),
            ...longVariables(variables),
          ];
        },
        explain: (_context, { exitCode, report }) => sentence(exitCode) ?? refusal(exitCode, report),
        onSuccess: async (context, report, meta) => {
          const asked = await askedOf(context, meta.workspace);
          const hostPort = Number(report['port']);
          const container = report['network'] && {
            container: containerName(asked.service.name, context.run),
          };
          const proxy = proxyText({ ...asked, hostPort, ...container });
          const digest = context.reports['pull']?.['digest'] ?? '';
          return new RecordServed(context.run, { digest, hostPort, proxy }, meta);
        },
        plain: { port: /^\d{1,5}$/, network: /^[\w.-]+$/ },
        privileged: true,
        timeoutMs: minutes(80),
        repeatable: true,
      },

      {
        name: 'retire',
        on: 'server',
        script: retireScript,
        args: async (context, meta) => {
          const { service, keep } = await askedOf(context, meta.workspace);
          const folder = folderOf(context, service.id);
          const proxy = proxyPath(context, service.id);
          return [folder, proxy, service.id, context.run, String(keep), String(DRAIN_SECONDS)];
        },
        privileged: true,
        timeoutMs: minutes(10),
        repeatable: true,
      },
    ],
    onFailure: ({ run }, { step, reason }, meta) => new RecordReleaseFailure(run, { step, reason }, meta),
    queue: (run, _request, workspace) => means.place(run, workspace),
    stillFits: (request, workspace, run) => means.stillFits(run, request, workspace),
  };
};

/** @param stillServes throws a DomainError if the release serves no more */
export const stopService = (
  stillServes: (release: string, workspace: string) => Promise<unknown>,
): RunKind => {
  const releaseIn = ({ input }: RunRequest): string => input['release'] as string;
  return {
    kind: 'stopService',
    changes: true,
    steps: [
      {
        name: 'stop',
        on: 'server',
        script: stopScript,
        args: (context) => {
          const { id } = context.request.subject;
          const { nginxPath, root } = serverOf(context);
          return [folderOf(context, id), id, nginxPath, proxyFile(id), root];
        },
        onSuccess: ({ request }, _report, meta) => new RecordStopped(releaseIn(request), {}, meta),
        privileged: true,
        timeoutMs: minutes(10),
        repeatable: true,
      },
    ],
    stillFits: async (request, workspace) => {
      await stillServes(releaseIn(request), workspace);
    },
  };
};

const sentences: Record<number, [code: string, reason: string]> = {
  [deployExit.login]: [
    'login',
    'The registry refused the stored token. Store a token that may read packages.',
  ],
  [deployExit.registry]: [
    'registry',
    'The registry does not answer. Try again later. What served before goes on serving.',
  ],
  [deployExit.pull]: ['pull', 'The image could not be pulled. What served before goes on serving.'],
  [deployExit.start]: ['start', 'The container could not be started. What served before goes on serving.'],
  [deployExit.ended]: ['ended', 'The container ended by itself. What served before goes on serving.'],
  [deployExit.unhealthy]: [
    'unhealthy',
    'The health check did not succeed in time. What served before goes on serving.',
  ],
};

const sentence = (exitCode: number): Explanation | undefined => {
  const [code, reason] = sentences[exitCode] ?? [];
  return code === undefined || reason === undefined ? undefined : { code, reason };
};

const refusal = (exitCode: number, { error = '' }: Report): Explanation | undefined => {
  if (exitCode === applyExit.conflict)
    return {
      code: 'portTaken',
      reason: 'Another service of this server answers at the port of this one. Give it a port of its own.',
    };
  if (exitCode === applyExit.notRunning && /bind\(\)/.test(error))
    return {
      code: 'portTaken',
      reason:
        'Another program of this server listens at the port of the service. What served before goes on serving.',
    };
  return undefined;
};
