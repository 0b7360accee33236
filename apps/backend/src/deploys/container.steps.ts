/**
 * The steps of a deploy of a container. The previous version serves until the proxy points to the new container, and
 * keeps serving if the new container never becomes healthy.
 */
import { imageNamed, registryOf } from '@quarterdeck/events';
import type { Report, RunContext, Step } from '../runs';
import { containerName } from './compose';
import type { DeployDeps } from './deploy-deps';
import { refusal, sentence } from './deploy-refusals';
import { pullScript, retireScript, settleScript, startScript } from './deploy-scripts/scripts';
import { environmentFile, longVariables } from './environment';
import { moveStep } from './moved-locations';
import { proxyPath, serverOf, serviceFolder } from './places';
import { proxyText } from './proxy';
import { RecordServed } from './deploys.decider';
import { lostLines } from './rollback-values';

const minutes = (count: number): number => count * 60_000;
const DRAIN_SECONDS = 30;
const FIRST_PORT = 20_000;

/** Inside the root folder, which only root can read. */
export const containerFolder = (context: RunContext, service: string): string =>
  serviceFolder(serverOf(context).root, service);

/** Spreads services and releases over the ports, so that the first one is usually free. */
const firstPort = (release: string): number =>
  FIRST_PORT + (Number.parseInt(release.replaceAll('-', '').slice(-8), 16) % 9000);

export const containerSteps = (deps: DeployDeps): readonly Step[] => {
  const askedOf = ({ run }: RunContext, workspace: string) => deps.asked(run, workspace);
  const imageOf = ({ reports }: RunContext): string => reports['pull']?.['image'] ?? '';
  const served = async (context: RunContext, report: Report, workspace: string) => {
    const asked = await askedOf(context, workspace);
    const hostPort = Number(report['port']);
    const container = report['network'] && { container: containerName(asked.service.name, context.run) };
    const proxy = proxyText({ ...asked, hostPort, ...container });
    const digest = context.reports['pull']?.['digest'] ?? '';
    return { digest, hostPort, proxy };
  };
  const released = async (context: RunContext, workspace: string) => {
    const { service, keep, port, health } = await askedOf(context, workspace);
    return {
      base: containerFolder(context, service.id),
      proxy: proxyPath(context, service.id),
      service: service.id,
      release: context.run,
      keep,
      name: containerName(service.name, context.run),
      inside: port,
      path: health.path,
      seconds: health.seconds,
    };
  };
  return [
    {
      name: 'variables',
      on: 'console',
      when: ({ request }) => request.input['lost'] === true,
      perform: async (context, { meta, print }) => {
        const { lost = [] } = await askedOf(context, meta.workspace);
        print(lostLines(lost).join(''));
        return {};
      },
      timeoutMs: minutes(2),
      repeatable: true,
    },
    {
      name: 'pull',
      on: 'server',
      script: async (context, meta) => {
        const { image } = (await askedOf(context, meta.workspace)).package;
        const registry = registryOf(image);
        const { user = '', token = '' } = (await deps.registries.login(registry, meta)) ?? {};
        return pullScript({ image: imageNamed(image), registry, user, token, release: context.run });
      },
      explain: (_context, { exitCode }) => sentence(exitCode),
      plain: { image: /^[\w.:/@[\]-]+@sha256:[0-9a-f]{64}$/, digest: /^sha256:[0-9a-f]{64}$/ },
      privileged: true,
      timeoutMs: minutes(30),
      repeatable: true,
    },

    // Starts the new container next to the old one, switches the proxy to it, and watches it. Takes it back if it fails.
    {
      name: 'start',
      on: 'server',
      script: async (context, meta) => {
        const asked = await askedOf(context, meta.workspace);
        const { service, health } = asked;
        const { nginxPath, root } = serverOf(context);
        const variables = await deps.values(asked, meta.workspace);
        const name = containerName(service.name, context.run);
        return startScript(
          {
            base: containerFolder(context, service.id),
            proxy: proxyPath(context, service.id),
            service: service.id,
            release: context.run,
            name,
            image: imageOf(context),
            inside: asked.port,
            first: firstPort(context.run),
            path: health.path,
            seconds: health.seconds,
            compose: asked.compose,
            environment: environmentFile(variables),
            nginx_folder: nginxPath,
            root,
            proxy_text: proxyText({ ...asked, hostPort: 0 }),
            in_network_text: proxyText({ ...asked, hostPort: 0, container: name }),
            drain: DRAIN_SECONDS,
            watch_seconds: deps.watchSeconds,
          },
          longVariables(variables),
        );
      },
      explain: (_context, { exitCode, report }) => refusal(exitCode, report),
      onSuccess: async (context, report, meta) =>
        new RecordServed(context.run, await served(context, report, meta.workspace), meta),
      plain: { port: /^\d{1,5}$/, network: /^[\w.-]+$/ },
      privileged: true,
      timeoutMs: minutes(80),
      repeatable: true,
    },

    moveStep(deps),
    {
      name: 'retire',
      on: 'server',
      script: async (context, meta) => retireScript(await released(context, meta.workspace)),
      privileged: true,
      timeoutMs: minutes(10),
      repeatable: true,
    },

    {
      name: 'settle',
      on: 'server',
      script: async (context, meta) => {
        const { nginxPath, root } = serverOf(context);
        const release = await released(context, meta.workspace);
        const patience = { drain: DRAIN_SECONDS, watch_seconds: deps.watchSeconds };
        return settleScript({ nginx_folder: nginxPath, root, ...patience, ...release });
      },
      // Before the step `start`, no container of this release is on the server.
      when: ({ attempts }) => attempts.some(({ step }) => step === 'start'),
      settles: true,
      onSuccess: async (context, report, meta) =>
        report['port'] === undefined
          ? undefined
          : new RecordServed(context.run, await served(context, report, meta.workspace), meta),
      explain: (_context, { exitCode, report }) => refusal(exitCode, report),
      plain: { port: /^\d{1,5}$/, network: /^[\w.-]+$/ },
      privileged: true,
      timeoutMs: minutes(10),
      repeatable: true,
    },
  ];
};
