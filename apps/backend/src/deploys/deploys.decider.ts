/** The deploy log: one entry per pull of a package, whatever its outcome. */
import type { EventData, EventsOf } from '@quarterdeck/events';
import type { deployEvents } from '@quarterdeck/events/catalogue';
import { command, type CommandOf, type Decider } from '../platform/decider';
import { DomainError, notFound } from '../platform/errors';

export type DeployEvent = EventsOf<typeof deployEvents>;
export type DeployOutcome = Extract<DeployEvent, { type: 'DeploySucceeded' | 'DeployFailed' }>;

/** `open`: the deploy has not ended yet. Its end is recorded even if the entry was removed before. */
export type DeployState = { is: 'unknown' } | { is: 'logged' | 'removed'; slug: string; open: boolean };

/** Recorded before the address of the package is called. */
export class RequestDeploy extends command('RequestDeploy', { opens: true })<
  EventData<'DeployRequested'>
>() {}
export class RecordDeploy extends command('RecordDeploy')<DeployOutcome>() {}
export class RemoveDeployLog extends command('RemoveDeployLog')<object>() {}

const deployCommands = [RequestDeploy, RecordDeploy, RemoveDeployLog];
export type DeployCommand = CommandOf<typeof deployCommands>;

const decide = (given: DeployCommand, state: DeployState): readonly DeployEvent[] => {
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

const evolve = (state: DeployState, { type, data: { slug } }: DeployEvent): DeployState => {
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

export const deploysDecider: Decider<DeployState, DeployCommand, DeployEvent> = {
  category: 'deploy',
  commands: deployCommands,
  initial: { is: 'unknown' },
  decide,
  evolve,
};
