/** The deploy log: one entry per pull of a package, whatever its outcome. */
import type { EventData, EventsOf } from '@quarterdeck/events';
import type { packagePullEvents } from '@quarterdeck/events/catalogue';
import { command, type CommandOf, type Decider } from '../platform/decider';
import { DomainError, notFound } from '../platform/errors';

export type PackagePullEvent = EventsOf<typeof packagePullEvents>;
export type PackagePullOutcome = Extract<PackagePullEvent, { type: 'DeploySucceeded' | 'DeployFailed' }>;

/** `open`: the deploy has not ended yet. Its end is recorded even if the entry was removed before. */
export type PackagePullState = { is: 'unknown' } | { is: 'logged' | 'removed'; slug: string; open: boolean };

/** Recorded before the address of the package is called. */
export class RequestDeploy extends command('RequestDeploy', { opens: true })<
  EventData<'DeployRequested'>
>() {}
export class RecordDeploy extends command('RecordDeploy')<PackagePullOutcome>() {}
export class RemoveDeployLog extends command('RemoveDeployLog')<object>() {}

const packagePullCommands = [RequestDeploy, RecordDeploy, RemoveDeployLog];
export type PackagePullCommand = CommandOf<typeof packagePullCommands>;

const decide = (given: PackagePullCommand, state: PackagePullState): readonly PackagePullEvent[] => {
  if (given.type === 'RequestDeploy') {
    if (state.is === 'unknown') return [{ type: 'DeployRequested', data: given.data }];
    throw new DomainError('conflict', 'deploy is in the log already');
  }
  if (state.is === 'unknown') throw notFound('deploy');
  if (given.type === 'RecordDeploy') {
    if (state.open) return [given.data];
    throw new DomainError('conflict', 'deploy has its end already');
  }
  if (state.is === 'removed') throw notFound('deploy');
  return [{ type: 'DeployLogRemoved', data: { slug: state.slug } }];
};

const evolve = (state: PackagePullState, { type, data: { slug } }: PackagePullEvent): PackagePullState => {
  switch (type) {
    case 'DeployRequested':
      return { is: 'logged', slug, open: true };
    case 'DeploySucceeded':
    case 'DeployFailed':
      return { is: state.is === 'removed' ? 'removed' : 'logged', slug, open: false };
    case 'DeployLogRemoved':
      return { is: 'removed', slug, open: state.is !== 'unknown' && state.open };
  }
};

export const packagePullsDecider: Decider<PackagePullState, PackagePullCommand, PackagePullEvent> = {
  category: 'deploy',
  commands: packagePullCommands,
  initial: { is: 'unknown' },
  decide,
  evolve,
};
