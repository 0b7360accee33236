/** Commands and events of one version of a data model. */
import type { ModelVersion } from '@quarterdeck/data-model';
import { environments, type EventData, type EventsOf } from '@quarterdeck/events';
import type { versionEvents } from '@quarterdeck/events/catalogue';
import { command, deciderOf, foldsWhile } from '../platform/decider';
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

/** A rule about versions that are there. No other one is found. */
const ofGenerated =
  <D>(rule: (data: D, version: GeneratedVersion) => readonly VersionEvent[]) =>
  (data: D, state: VersionState): readonly VersionEvent[] => {
    if (state.is !== 'generated') throw notFound('version');
    return rule(data, state);
  };

/**
 * `after`: the number of the previous version; 0 for none. `version`: the version, or why there cannot be one. `idOf`: the
 * id of a migration, by its number.
 */
interface Generation {
  product: string;
  sequenceIndex: number;
  after: number;
  version: ModelVersion | string;
  idOf(migration: number): string;
}

export class GenerateVersion extends command('GenerateVersion', { opens: true })(
  ({ product, sequenceIndex, after, version, idOf }: Generation, { is }: VersionState) => {
    if (is === 'removed')
      throw new DomainError(
        'conflict',
        `version ${sequenceIndex} was removed, and its number is not used again`,
      );
    if (is === 'generated')
      throw new DomainError('conflict', `somebody else has just generated version ${sequenceIndex}`);
    if (typeof version === 'string') throw new DomainError('unprocessable', version);
    const migrations = version.migrations.map((migration) => ({
      id: idOf(migration.sequenceIndex),
      ...migration,
    }));
    const recorded = { product, sequenceIndex, env: 1, after, model: version.model, migrations };
    return [{ type: 'VersionGenerated', data: recorded as unknown as EventData<'VersionGenerated'> }];
  },
) {}

export class MoveVersion extends command('MoveVersion', { idempotent: true })(
  ofGenerated(({ env }: { env: number }, { env: now }) => {
    if (env === now) return [];
    if (Math.abs(env - now) > 1)
      throw invalidField('env', `one step at a time, in the order ${environments.join(', ')}`);
    return [{ type: env > now ? 'VersionPromoted' : 'VersionDemoted', data: { env } }];
  }),
) {}

export class RecordApplyStarted extends command('RecordApplyStarted', { idempotent: true })(
  ofGenerated((data: EventData<'VersionApplyStarted'>, { startedBy }) =>
    startedBy.includes(data.run) ? [] : [{ type: 'VersionApplyStarted', data }],
  ),
) {}

export class RecordApplyRefused extends command('RecordApplyRefused', { idempotent: true })(
  ofGenerated((data: EventData<'VersionApplyRefused'>, { startedBy }) =>
    startedBy.includes(data.run) ? [{ type: 'VersionApplyRefused', data }] : [],
  ),
) {}

export class RecordApplied extends command('RecordApplied', { idempotent: true })(
  ofGenerated((data: EventData<'VersionApplied'>, { appliedBy }) =>
    appliedBy === data.run ? [] : [{ type: 'VersionApplied', data }],
  ),
) {}

export class RecordBaselined extends command('RecordBaselined', { idempotent: true })(
  ofGenerated((data: EventData<'VersionBaselined'>, { appliedBy }) =>
    appliedBy === data.run ? [] : [{ type: 'VersionBaselined', data }],
  ),
) {}

/** `newest`: the newest version of the product; 0 for none. */
interface Among {
  newest: number;
}

export class RemoveVersion extends command('RemoveVersion')(
  ofGenerated(({ newest }: Among, { sequenceIndex, appliedBy, startedBy }) => {
    if (appliedBy !== undefined)
      throw new DomainError(
        'conflict',
        'this version was applied to a database: it stays, so that others can follow it',
      );
    if (startedBy.length > 0)
      throw new DomainError(
        'conflict',
        'a run has started to apply this version: it stays, because it says what was changed',
      );
    if (newest > sequenceIndex)
      throw new DomainError('conflict', `version ${newest} was made from this one: remove it first`);
    return [{ type: 'VersionRemoved', data: { sequenceIndex } }];
  }),
) {}

/** Its migrations start at the version that it was based on, so that one has to be the newest version. */
export class RestoreVersion extends command('RestoreVersion', { idempotent: true })(
  ({ newest }: Among, state: VersionState) => {
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
  },
) {}

export const versionsDecider = deciderOf<VersionState, VersionEvent>()({
  category: 'version',
  initial: { is: 'unknown' },
  commands: [
    GenerateVersion,
    MoveVersion,
    RecordApplyStarted,
    RecordApplyRefused,
    RecordApplied,
    RecordBaselined,
    RemoveVersion,
    RestoreVersion,
  ],
  evolve: {
    VersionGenerated: (_, { product, sequenceIndex, env, after }) => ({
      is: 'generated',
      product,
      sequenceIndex,
      env,
      after,
      startedBy: [],
    }),
    VersionRestored: (state) => (state.is === 'removed' ? state.was : state),
    ...foldsWhile<VersionState, VersionEvent>()('generated', {
      VersionPromoted: (version, { env }) => ({ ...version, env }),
      VersionDemoted: (version, { env }) => ({ ...version, env }),
      VersionApplyStarted: (version, { run }) => ({ ...version, startedBy: [...version.startedBy, run] }),
      VersionApplyRefused: (version, { run }) => ({
        ...version,
        startedBy: version.startedBy.filter((one) => one !== run),
      }),
      VersionApplied: (version, { run }) => ({ ...version, appliedBy: run }),
      VersionBaselined: (version, { run }) => ({ ...version, appliedBy: run }),
      VersionRemoved: (was) => ({ is: 'removed', was }),
    }),
  },
});
