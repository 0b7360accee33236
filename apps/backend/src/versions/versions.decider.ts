/** Commands and events of one version of a data model. */
import type { ModelVersion } from '@quarterdeck/data-model';
import { environments, type EventData, type EventsOf } from '@quarterdeck/events';
import type { versionEvents } from '@quarterdeck/events/catalogue';
import { command, type CommandOf, type Decider } from '../platform/decider';
import { DomainError, invalidField, notFound } from '../platform/errors';

export type VersionEvent = EventsOf<typeof versionEvents>;

export interface GeneratedVersion {
  is: 'generated';
  product: string;
  sequenceIndex: number;
  env: number;
  /** Number of the previous version, on which this one is based; 0 for none. */
  after: number | undefined;
  /** Runs that may have changed a database, whether or not they completed. */
  startedBy: readonly string[];
  /** The newest run that has applied the version to a database. */
  appliedBy?: string;
}
/** `was`: the state before the removal. */
export type VersionState = { is: 'unknown' } | { is: 'removed'; was: GeneratedVersion } | GeneratedVersion;

/**
 * `after`: the number of the previous version; 0 for none. `version`: the version, or why there cannot be one. `idOf`: the
 * id of a migration, by its number.
 */
export class GenerateVersion extends command('GenerateVersion', { opens: true })<{
  product: string;
  sequenceIndex: number;
  after: number;
  version: ModelVersion | string;
  idOf(migration: number): string;
}>() {}
export class MoveVersion extends command('MoveVersion', { idempotent: true })<{ env: number }>() {}
export class RecordApplyStarted extends command('RecordApplyStarted', { idempotent: true })<
  EventData<'VersionApplyStarted'>
>() {}
export class RecordApplyRefused extends command('RecordApplyRefused', { idempotent: true })<
  EventData<'VersionApplyRefused'>
>() {}
export class RecordApplied extends command('RecordApplied', { idempotent: true })<
  EventData<'VersionApplied'>
>() {}
/** `newest`: the newest version of the product. */
export class RemoveVersion extends command('RemoveVersion')<{ newest: number }>() {}
/** `newest`: the newest version of the product; 0 for none. */
export class RestoreVersion extends command('RestoreVersion', { idempotent: true })<{ newest: number }>() {}

const versionCommands = [
  GenerateVersion,
  MoveVersion,
  RecordApplyStarted,
  RecordApplyRefused,
  RecordApplied,
  RemoveVersion,
  RestoreVersion,
];
export type VersionCommand = CommandOf<typeof versionCommands>;

const generate = ({ data }: GenerateVersion, state: VersionState): VersionEvent[] => {
  const { product, sequenceIndex, after, version, idOf } = data;
  if (state.is === 'removed')
    throw new DomainError(
      'conflict',
      `version ${sequenceIndex} was removed, and its number is not used again`,
    );
  if (state.is === 'generated')
    throw new DomainError('conflict', `somebody else has just generated version ${sequenceIndex}`);
  if (typeof version === 'string') throw new DomainError('unprocessable', version);
  const migrations = version.migrations.map((migration) => ({
    id: idOf(migration.sequenceIndex),
    ...migration,
  }));
  const recorded = { product, sequenceIndex, env: 1, after, model: version.model, migrations };
  return [{ type: 'VersionGenerated', data: recorded as unknown as EventData<'VersionGenerated'> }];
};

const move = ({ data: { env } }: MoveVersion, state: GeneratedVersion): VersionEvent[] => {
  if (env === state.env) return [];
  if (Math.abs(env - state.env) > 1)
    throw invalidField('env', `one step at a time, in the order ${environments.join(', ')}`);
  return [{ type: env > state.env ? 'VersionPromoted' : 'VersionDemoted', data: { env } }];
};

const remove = ({ data: { newest } }: RemoveVersion, state: GeneratedVersion): VersionEvent[] => {
  const { sequenceIndex } = state;
  if (state.appliedBy !== undefined)
    throw new DomainError(
      'conflict',
      'this version was applied to a database: it stays, so that others can follow it',
    );
  if (state.startedBy.length > 0)
    throw new DomainError(
      'conflict',
      'a run has started to apply this version: it stays, because it says what was changed',
    );
  if (newest > sequenceIndex)
    throw new DomainError('conflict', `version ${newest} was made from this one: remove it first`);
  return [{ type: 'VersionRemoved', data: { sequenceIndex } }];
};

/** Its migrations start at the version that it was based on, so that one has to be the newest version. */
const restore = ({ data: { newest } }: RestoreVersion, state: VersionState): VersionEvent[] => {
  if (state.is === 'generated') return [];
  if (state.is === 'unknown') throw notFound('version');
  const { sequenceIndex, after } = state.was;
  if (after !== newest)
    throw new DomainError(
      'conflict',
      after !== undefined && after > newest
        ? `it was made from version ${after}, which was removed too: restore that one first`
        : `it was not made from version ${newest}, which is the newest one now: generate the next version instead`,
    );
  return [{ type: 'VersionRestored', data: { sequenceIndex } }];
};

const decide = (given: VersionCommand, state: VersionState): readonly VersionEvent[] => {
  if (given.type === 'GenerateVersion') return generate(given, state);
  if (given.type === 'RestoreVersion') return restore(given, state);
  if (state.is !== 'generated') throw notFound('version');
  switch (given.type) {
    case 'MoveVersion':
      return move(given, state);
    case 'RecordApplyStarted':
      return state.startedBy.includes(given.data.run)
        ? []
        : [{ type: 'VersionApplyStarted', data: given.data }];
    case 'RecordApplyRefused':
      return state.startedBy.includes(given.data.run)
        ? [{ type: 'VersionApplyRefused', data: given.data }]
        : [];
    case 'RecordApplied':
      return state.appliedBy === given.data.run ? [] : [{ type: 'VersionApplied', data: given.data }];
    case 'RemoveVersion':
      return remove(given, state);
  }
};

const evolve = (state: VersionState, event: VersionEvent): VersionState => {
  if (event.type === 'VersionGenerated') {
    const { product, sequenceIndex, env, after } = event.data;
    return { is: 'generated', product, sequenceIndex, env, after, startedBy: [] };
  }
  if (event.type === 'VersionRestored') return state.is === 'removed' ? state.was : state;
  if (state.is !== 'generated') return state;
  switch (event.type) {
    case 'VersionPromoted':
    case 'VersionDemoted':
      return { ...state, env: event.data.env };
    case 'VersionApplyStarted':
      return { ...state, startedBy: [...state.startedBy, event.data.run] };
    case 'VersionApplyRefused':
      return { ...state, startedBy: state.startedBy.filter((run) => run !== event.data.run) };
    case 'VersionApplied':
      return { ...state, appliedBy: event.data.run };
    case 'VersionRemoved':
      return { is: 'removed', was: state };
  }
};

export const versionsDecider: Decider<VersionState, VersionCommand, VersionEvent> = {
  category: 'version',
  commands: versionCommands,
  initial: { is: 'unknown' },
  decide,
  evolve,
};
