/** A deploy of a service is a run on its server. Its steps differ for containers and client packages. */
import type { EventData } from '@quarterdeck/events';
import type { RunKind, RunRequest } from '../runs';
import { clientFolder, clientSteps } from './client.steps';
import { containerFolder, containerSteps } from './container.steps';
import type { DeployDeps } from './deploy-deps';
import { stopClientScript, stopScript } from './deploy-scripts/scripts';
import { serverOf } from './places';
import { proxyFile } from './proxy';
import { RecordReleaseFailure, RecordStopped } from './deploys.decider';

/** Reads the run's input, because that is available before the snapshot of the release is read. */
const isClient = ({ input }: RunRequest): boolean => input['client'] === true;

/** What the run itself knows of the snapshot. */
export const deployInput = ({
  package: { version },
  rollbackTo,
  client,
  moves,
  lost,
}: Pick<
  EventData<'ReleaseRequested'>,
  'package' | 'rollbackTo' | 'client' | 'moves' | 'lost'
>): RunRequest['input'] => ({
  version,
  ...(rollbackTo && { rollbackTo }),
  ...(client && { client: true }),
  ...(moves && { moves: true }),
  ...(lost && { lost: true }),
});

export const deployService = (deps: DeployDeps): RunKind => {
  const [ofContainer, ofClient] = [containerSteps(deps), clientSteps(deps)];
  return {
    kind: 'deployService',
    changes: true,
    steps: (request) => (isClient(request) ? ofClient : ofContainer),
    onFailure: ({ run }, { step, reason }, meta) => new RecordReleaseFailure(run, { step, reason }, meta),
    replaced: (run, workspace) => deps.replaced(run, workspace),
    stillFits: (request, workspace, run) => deps.stillFits(run, request, workspace),
  };
};

/** @param stillServes throws a DomainError if the release no longer serves */
export const stopService = (
  stillServes: (release: string, workspace: string) => Promise<unknown>,
): RunKind => {
  const releaseIn = ({ input }: RunRequest): string => input['release'] as string;
  return {
    kind: 'stopService',
    changes: true,
    steps: (request) => [
      {
        name: isClient(request) ? 'removeFiles' : 'stop',
        on: 'server',
        script: (context) => {
          const { id } = request.subject;
          const { nginxPath, root } = serverOf(context);
          const proxy = { nginx_folder: nginxPath, file: proxyFile(id), root };
          return isClient(request)
            ? stopClientScript({ base: clientFolder(context, id), ...proxy })
            : stopScript({ base: containerFolder(context, id), service: id, ...proxy });
        },
        onSuccess: (_context, _report, meta) => new RecordStopped(releaseIn(request), {}, meta),
        privileged: true,
        timeoutMs: 600_000,
        repeatable: true,
      },
    ],
    stillFits: async (request, workspace) => {
      await stillServes(releaseIn(request), workspace);
    },
  };
};
