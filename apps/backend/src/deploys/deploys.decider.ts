/** The deploy log: one entry for each time that a package was pulled, whatever came of it. */
import type { EventsOf } from '@quarterdeck/events';
import type { deployEvents } from '@quarterdeck/events/catalogue';
import { command, type Decider } from '../platform/decider';
import { DomainError, notFound } from '../platform/errors';

export type DeployEvent = EventsOf<typeof deployEvents>;
export type DeployOutcome = Exclude<DeployEvent, { type: 'DeployLogRemoved' }>;

export type DeployState = { is: 'unknown' } | { is: 'removed' } | { is: 'logged'; slug: string };

export class RecordDeploy extends command<'RecordDeploy', DeployOutcome>('RecordDeploy') {}
export class RemoveDeployLog extends command<'RemoveDeployLog', object>('RemoveDeployLog') {}

export type DeployCommand = RecordDeploy | RemoveDeployLog;
export const deployCommands = [RecordDeploy, RemoveDeployLog];

const decide = (given: DeployCommand, state: DeployState): readonly DeployEvent[] => {
  if (given.type === 'RecordDeploy') {
    if (state.is === 'unknown') return [given.data];
    throw new DomainError('conflict', 'deploy is in the log already');
  }
  if (state.is !== 'logged') throw notFound('deploy');
  return [{ type: 'DeployLogRemoved', data: { slug: state.slug } }];
};

const evolve = (state: DeployState, event: DeployEvent): DeployState =>
  event.type === 'DeployLogRemoved' ? { is: 'removed' } : { is: 'logged', slug: event.data.slug };

export const deploysDecider: Decider<DeployState, DeployCommand, DeployEvent> = {
  category: 'deploy',
  initial: { is: 'unknown' },
  decide,
  evolve,
  opens: ['RecordDeploy'],
  idempotent: [],
};
