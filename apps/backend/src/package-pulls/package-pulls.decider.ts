/** The deploy log: one entry per pull of a package, whatever its outcome. */
import type { EventData, EventsOf } from '@quarterdeck/events';
import type { packagePullEvents } from '@quarterdeck/events/catalogue';
import { command, deciderOf } from '../platform/decider';
import { DomainError, notFound } from '../platform/errors';

export type PackagePullEvent = EventsOf<typeof packagePullEvents>;
export type PackagePullOutcome = Extract<PackagePullEvent, { type: 'DeploySucceeded' | 'DeployFailed' }>;

/** `open`: the deploy has not ended yet. Its end is recorded even if the entry was removed before. */
export type PackagePullState = { is: 'unknown' } | { is: 'logged' | 'removed'; slug: string; open: boolean };

/** Recorded before the address of the package is called. */
export class RequestDeploy extends command('RequestDeploy', { opens: true })(
  (data: EventData<'DeployRequested'>, { is }: PackagePullState) => {
    if (is === 'unknown') return [{ type: 'DeployRequested', data }];
    throw new DomainError('conflict', 'deploy is in the log already');
  },
) {}

export class RecordDeploy extends command('RecordDeploy')(
  (outcome: PackagePullOutcome, state: PackagePullState) => {
    if (state.is === 'unknown') throw notFound('deploy');
    if (state.open) return [outcome];
    throw new DomainError('conflict', 'deploy has its end already');
  },
) {}

export class RemoveDeployLog extends command('RemoveDeployLog')((_: object, state: PackagePullState) => {
  if (state.is !== 'logged') throw notFound('deploy');
  return [{ type: 'DeployLogRemoved', data: { slug: state.slug } }];
}) {}

const ended = ({ is }: PackagePullState, { slug }: PackagePullOutcome['data']): PackagePullState => ({
  is: is === 'removed' ? 'removed' : 'logged',
  slug,
  open: false,
});

export const packagePullsDecider = deciderOf<PackagePullState, PackagePullEvent>()({
  category: 'deploy',
  initial: { is: 'unknown' },
  commands: [RequestDeploy, RecordDeploy, RemoveDeployLog],
  evolve: {
    DeployRequested: (_, { slug }) => ({ is: 'logged', slug, open: true }),
    DeploySucceeded: ended,
    DeployFailed: ended,
    DeployLogRemoved: (state, { slug }) => ({
      is: 'removed',
      slug,
      open: state.is !== 'unknown' && state.open,
    }),
  },
});
