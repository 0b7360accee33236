/** The parts of the back end that the steps of a deploy use. */
import type { EventData } from '@quarterdeck/events';
import type { MovedLocation } from '@quarterdeck/projections';
import type { CommandMeta } from '../platform/sessions';
import type { RunRequest } from '../runs';
import type { Variable } from './environment';
import type { Registries } from './registries';

export interface DeployDeps {
  /** The snapshot of a release. @throws DomainError `notFound` */
  asked(release: string, workspace: string): Promise<EventData<'ReleaseRequested'>>;
  /** Values of the release's variables. @throws DomainError if one was destroyed */
  values(asked: EventData<'ReleaseRequested'>, workspace: string): Promise<Variable[]>;
  registries: Registries;
  /** How long a version that serves is watched, at least, before the previous one is removed. */
  watchSeconds: number;
  /** Makes a location that leads to an earlier port lead to the present one. @returns whether it still led there */
  move(location: MovedLocation, to: number, meta: CommandMeta): Promise<boolean>;
  /** Why a release that waits will not be carried out; undefined if it will. */
  replaced(release: string, workspace: string): Promise<string | undefined>;
  /** @throws DomainError if the service is gone, was moved, or has been deployed again since */
  stillFits(run: string, request: RunRequest, workspace: string): Promise<void>;
}
