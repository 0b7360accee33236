/**
 * The steps of a deploy of a client package. Each version has its own folder, and nginx serves the folder that a
 * symbolic link points to. The previous version is served until the link is swapped.
 */
import { createHash } from 'node:crypto';
import { DomainError } from '../platform/errors';
import type { CommandMeta } from '../platform/sessions';
import type { Report, RunContext, Step } from '../runs';
import type { DeployDeps } from './deploy-deps';
import { refusal, sentence } from './deploy-refusals';
import { downloadScript, settleClientScript, swapScript, tidyScript } from './deploy-scripts/scripts';
import { keptPackage, sha512Of } from './npm-packages';
import { moveStep } from './moved-locations';
import { proxyPath, serverOf, serviceFolder } from './places';
import { filesText, proxyFile } from './proxy';
import { RecordServed } from './deploys.decider';

const MINUTE = 60_000;

/** Inside the folder of static files, which nginx can read. */
export const clientFolder = (context: RunContext, service: string): string =>
  serviceFolder(serverOf(context).path, service);

export const clientSteps = (deps: DeployDeps): readonly Step[] => {
  const found = ({ reports }: RunContext) => {
    const { tarball = '', integrity = '', folder = '' } = reports['find'] ?? {};
    return { tarball, integrity, folder };
  };
  const about = async (context: RunContext, workspace: string) => {
    const { client = { folder: '' }, ...asked } = await deps.asked(context.run, workspace);
    const base = clientFolder(context, asked.service.id);
    return {
      ...asked,
      served: client.folder,
      base,
      proxy: filesText({ ...asked, folder: `${base}/current` }),
    };
  };
  const recordServed = async (context: RunContext, { files }: Report, meta: CommandMeta) => {
    if (files === undefined) return undefined;
    const { service, port, alsoAt } = await deps.asked(context.run, meta.workspace);
    const proxy = filesText({ service, port, alsoAt, folder: files });
    const digest = found(context).integrity;
    return new RecordServed(context.run, { digest, hostPort: port, proxy }, meta);
  };
  return [
    {
      name: 'find',
      on: 'console',
      perform: async ({ run }, { meta, print, signal }) => {
        const { image } = (await deps.asked(run, meta.workspace)).package;
        const report = await deps.registries.find(image, meta, signal).catch((error: unknown) => {
          const kept = keptPackage(image);
          if (!kept || signal.aborted || !(error instanceof DomainError)) throw error;
          print(`${error.msg}\nA server that still has the files does not need the registry.\n`);
          return kept;
        });
        print(`${report.tarball}\n${report.integrity}\n`);
        return { report };
      },
      timeoutMs: 2 * MINUTE,
      repeatable: true,
    },
    {
      name: 'download',
      on: 'server',
      script: async (context, meta) => {
        const { base, served } = await about(context, meta.workspace);
        const { tarball, integrity, folder } = found(context);
        const token = tarball === '' ? '' : await deps.registries.npmToken(tarball, meta);
        return downloadScript({
          base,
          name: folder,
          folder: served,
          tarball,
          sha512: sha512Of(integrity),
          token: token ?? '',
          release: context.run,
        });
      },
      explain: (_context, { exitCode }) => sentence(exitCode),
      privileged: true,
      timeoutMs: 30 * MINUTE,
      repeatable: true,
    },
    {
      name: 'swap',
      on: 'server',
      script: async (context, meta) => {
        const { base, served, proxy, service, port, health } = await about(context, meta.workspace);
        const { nginxPath, root } = serverOf(context);
        return swapScript({
          base,
          name: found(context).folder,
          served,
          port,
          path: health.path,
          nginx_folder: nginxPath,
          file: proxyFile(service.id),
          root,
          wanted: createHash('sha256').update(proxy).digest('hex'),
          text: proxy,
        });
      },
      explain: (_context, { exitCode, report }) => refusal(exitCode, report),
      onSuccess: recordServed,
      plain: { files: /^\/.*$/ },
      privileged: true,
      timeoutMs: 10 * MINUTE,
      repeatable: true,
    },
    moveStep(deps),
    {
      name: 'tidy',
      on: 'server',
      script: async (context, meta) => {
        const { base, keep } = await about(context, meta.workspace);
        return tidyScript({ base, name: found(context).folder, keep });
      },
      privileged: true,
      timeoutMs: 10 * MINUTE,
      repeatable: true,
    },

    {
      name: 'settle',
      on: 'server',
      script: async (context, meta) => {
        const { base, keep, service, port, health } = await about(context, meta.workspace);
        const { nginxPath, root } = serverOf(context);
        const proxy = proxyPath(context, service.id);
        return settleClientScript({
          base,
          name: found(context).folder,
          keep,
          proxy,
          nginx_folder: nginxPath,
          root,
          port,
          path: health.path,
        });
      },
      // Before the step `swap`, nothing has changed for visitors.
      when: ({ attempts }) => attempts.some(({ step }) => step === 'swap'),
      settles: true,
      onSuccess: recordServed,
      explain: (_context, { exitCode, report }) => refusal(exitCode, report),
      plain: { files: /^\/.*$/ },
      privileged: true,
      timeoutMs: 10 * MINUTE,
      repeatable: true,
    },
  ];
};
