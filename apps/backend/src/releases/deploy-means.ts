/** The parts of the back end that the steps of a deploy use. */
import type { EventData } from '@quarterdeck/events';
import type { RunRequest } from '../runs';
import type { Variable } from './environment';
import type { Registries } from './registries';

export interface DeployMeans {
  /** The snapshot of a release. @throws DomainError `notFound` */
  asked(release: string, workspace: string): Promise<EventData<'ReleaseRequested'>>;
  /** Values of the release's variables. @throws DomainError if one was destroyed */
  values(asked: EventData<'ReleaseRequested'>, workspace: string): Promise<Variable[]>;
  registries: Registries;
  /** Why a release that waits will not be carried out; undefined if it will. */
  replaced(release: string, workspace: string): Promise<string | undefined>;
  /** @throws DomainError if the service is gone, was moved, or has been deployed again since */
  stillFits(run: string, request: RunRequest, workspace: string): Promise<void>;
}
