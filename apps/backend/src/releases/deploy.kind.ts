/** A deploy of a service: a run on its server. How it is carried out depends on what the service is. */
import type { EventData } from '@quarterdeck/events';
import type { Place, RunKind, RunRequest } from '../runs';
import { clientFolder, clientSteps } from './client.steps';
import { containerFolder, containerSteps } from './container.steps';
import { stopClientScript } from './deploy-scripts/client';
import { stopScript } from './deploy-scripts/stop';
import type { Variable } from './environment';
import { serverOf } from './places';
import { proxyFile } from './proxy';
import type { Registries } from './registries';
import { RecordReleaseFailure, RecordStopped } from './releases.decider';

export interface DeployMeans {
  /** The snapshot of a release. @throws DomainError `notFound` */
  asked(release: string, workspace: string): Promise<EventData<'ReleaseRequested'>>;
  /** Values of its variables. @throws DomainError if one was destroyed */
  values(asked: EventData<'ReleaseRequested'>, workspace: string): Promise<Variable[]>;
  registries: Registries;
  /** Its place among the deploys that wait. */
  place(release: string, workspace: string): Promise<Place>;
  /** @throws DomainError if the service is gone, was moved, or has been deployed again since */
  stillFits(run: string, request: RunRequest, workspace: string): Promise<void>;
}

/** As the request of its run says: an input, which is there before the snapshot is read. */
const isClient = ({ input }: RunRequest): boolean => input['client'] === true;

export const deployService = (means: DeployMeans): RunKind => {
  const [ofContainer, ofClient] = [containerSteps(means), clientSteps(means)];
  return {
    kind: 'deployService',
    changes: true,
    steps: (request) => (isClient(request) ? ofClient : ofContainer),
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
    steps: (request) => [
      {
        name: isClient(request) ? 'removeFiles' : 'stop',
        on: 'server',
        script: isClient(request) ? stopClientScript : stopScript,
        args: (context) => {
          const { id } = request.subject;
          const { nginxPath, root } = serverOf(context);
          const nginx = [nginxPath, proxyFile(id), root];
          return isClient(request)
            ? [clientFolder(context, id), ...nginx]
            : [containerFolder(context, id), id, ...nginx];
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
