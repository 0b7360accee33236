/** The plan of the backups, the work in progress, and the archives. */
import type { EventData, EventsOf } from '@quarterdeck/events';
import type { backupEvents } from '@quarterdeck/events/catalogue';
import { newestInPlace } from '@quarterdeck/projections';
import { command, deciderOf } from '../platform/decider';
import { conflict, notFound } from '../platform/errors';
import { DEFAULT_PLAN, type Plan } from './plan';

type BackupEvent = EventsOf<typeof backupEvents>;
type Outcome = Extract<
  BackupEvent,
  { type: `Backup${'Taken' | 'Failed' | 'Cancelled'}` | `Drill${'Passed' | 'Failed' | 'Cancelled'}` }
>;

/** The work is given up after this many processes have died while doing it. */
export const MAX_ATTEMPTS = 3;

export interface CurrentWork extends EventData<'BackupRequested'> {
  kind: 'backup' | 'drill';
  attempts: number;
  cancelRequested: boolean;
  /** When the first process began the work. Not recorded by earlier versions. */
  startedAt?: string | undefined;
}

/** An archive that was taken and has not been thinned out. */
export interface RecordedArchive extends Omit<EventData<'BackupTaken'>, 'work'> {
  id: string;
  missing: boolean;
  /** When it was last restored in a successful drill. */
  provenAt?: string;
  /** Taken by a newer version before it migrated the database, so that the migration can be reverted. */
  beforeMigration?: true;
}

export interface BackupState {
  plan: Plan;
  current?: CurrentWork | undefined;
  /** A backup that begins when the current drill has ended. */
  waiting?: CurrentWork | undefined;
  /** Oldest first. */
  archives: readonly RecordedArchive[];
  /**
   * The next archive has to be a full one, because the recipients have changed and must be able to open the whole
   * chain, or because a drill found damage in the present chain.
   */
  fullWanted: boolean;
  /** The last failure, unless a backup succeeded since. `mended`: the plan has changed since. */
  failed?: (Pick<EventData<'BackupFailed'>, 'at' | 'reason'> & { mended?: true }) | undefined;
  /** The last successful drill. */
  proven?: EventData<'DrillPassed'> | undefined;
  /** The last drill, if it failed. */
  drillFailed?: Omit<EventData<'DrillFailed'>, 'work'> | undefined;
  /** Archives that the plan no longer keeps, and that could not be removed, for each place that has any. */
  notRemoved: readonly EventData<'ArchivesNotRemoved'>[];
  /** When somebody last cancelled a backup: the schedule does not request another one immediately. */
  cancelledAt?: string | undefined;
  drillCancelledAt?: string | undefined;
}

const isDrill = ({ kind }: CurrentWork): boolean => kind === 'drill';

/** Ids of the archives that are in that place, as far as is known. */
export const inPlace = ({ archives }: Pick<BackupState, 'archives'>, place: string): string[] =>
  archives.filter((one) => one.place === place && !one.missing).map(({ id }) => id);

/** Work under way. */
interface Meant {
  work: string;
}

const meantBy = ({ work }: Meant, { current, waiting }: BackupState): CurrentWork | undefined =>
  [current, waiting].find((one) => one?.work === work);

const unlessBusy = <T>(busyWith: CurrentWork | undefined, wanted: T): T => {
  if (!busyWith) return wanted;
  throw conflict(`a ${busyWith.kind} is already under way; wait for it to end`, busyWith);
};

const cancelled = (current: CurrentWork, at: string): BackupEvent => ({
  type: isDrill(current) ? 'DrillCancelled' : 'BackupCancelled',
  data: { work: current.work, at },
});

export class ConfigureBackups extends command('ConfigureBackups', { opens: true, idempotent: true })(
  (data: Plan, { plan }: BackupState) =>
    JSON.stringify(plan) === JSON.stringify(data) ? [] : [{ type: 'BackupsConfigured', data }],
) {}

/** A drill takes long and can be repeated. A backup that somebody asks for has to come. */
export class RequestBackup extends command('RequestBackup', { opens: true })(
  (data: EventData<'BackupRequested'>, { current, waiting }: BackupState) => [
    {
      type: 'BackupRequested',
      data: unlessBusy(current && isDrill(current) ? waiting : current, data),
    },
  ],
) {}

export class RequestDrill extends command('RequestDrill', { opens: true })(
  (data: EventData<'DrillRequested'>, { archives, current }: BackupState) => {
    if (!newestInPlace(archives)) throw conflict('there is no archive to restore yet', 'none');
    return [{ type: 'DrillRequested', data: unlessBusy(current, data) }];
  },
) {}

/** The next three commands are about a backup or a drill. */
export class StartBackup extends command('StartBackup')(
  (data: Meant & { process: string; at: string }, { current }: BackupState): BackupEvent[] => {
    const { work, process, at } = data;
    if (current?.work !== work) return [];
    if (current.cancelRequested) return [cancelled(current, at)];
    const attempt = current.attempts + 1;
    const reason = `${MAX_ATTEMPTS} processes ended during it`;
    if (attempt > MAX_ATTEMPTS)
      return [{ type: isDrill(current) ? 'DrillFailed' : 'BackupFailed', data: { work, at, reason } }];
    const started = { work, attempt, process, at };
    return [{ type: isDrill(current) ? 'DrillStarted' : 'BackupStarted', data: started }];
  },
) {}

export class CancelBackup extends command('CancelBackup')(
  ({ work, at }: Meant & { at: string }, state: BackupState): BackupEvent[] => {
    const meant = meantBy({ work }, state);
    if (!meant) throw notFound('backup or drill that is under way');
    if (meant.cancelRequested) return [];
    const type = isDrill(meant) ? 'DrillCancelRequested' : 'BackupCancelRequested';
    const asked: BackupEvent = { type, data: { work } };
    // Work that no process has started is cancelled immediately.
    return meant.attempts > 0 ? [asked] : [asked, cancelled(meant, at)];
  },
) {}

export class EndBackup extends command('EndBackup', { idempotent: true })(
  (outcome: Outcome, state: BackupState) => (meantBy(outcome.data, state) ? [outcome] : []),
) {}

export class ThinArchives extends command('ThinArchives')((data: EventData<'ArchivesThinned'>) =>
  data.archives.length > 0 ? [{ type: 'ArchivesThinned', data }] : [],
) {}

export class TellNotRemoved extends command('TellNotRemoved', { idempotent: true })(
  (data: EventData<'ArchivesNotRemoved'>, { notRemoved }: BackupState) => {
    const before = notRemoved.find(({ place }) => place === data.place);
    const isSame = before ? JSON.stringify(before) === JSON.stringify(data) : data.archives.length === 0;
    return isSame ? [] : [{ type: 'ArchivesNotRemoved', data }];
  },
) {}

/** Reports which of the recorded archives were found in a place. */
export class CheckArchives extends command('CheckArchives', { idempotent: true })(
  ({ place, there }: { place: string; there: string[] }, { archives }: BackupState): BackupEvent[] => {
    const found = new Set(there);
    const put = archives.filter((one) => one.place === place);
    const gone = put.filter(({ id, missing }) => !missing && !found.has(id)).map(({ id }) => id);
    const back = put.filter(({ id, missing }) => missing && found.has(id)).map(({ id }) => id);
    return [
      ...(gone.length > 0 ? [{ type: 'ArchivesMissed', data: { archives: gone } } as const] : []),
      ...(back.length > 0 ? [{ type: 'ArchivesReturned', data: { archives: back } } as const] : []),
    ];
  },
) {}

/** The work has ended, and what waited for it is next. */
const ended = (state: BackupState, work: string): BackupState =>
  state.current?.work === work
    ? { ...state, current: state.waiting, waiting: undefined }
    : { ...state, waiting: state.waiting?.work === work ? undefined : state.waiting };

const UNTRIED = { attempts: 0, cancelRequested: false };

type Fold<T extends BackupEvent['type']> = (state: BackupState, data: EventData<T>) => BackupState;

const started: Fold<'BackupStarted'> = (state, { attempt: attempts, at }) => ({
  ...state,
  current: state.current && { ...state.current, attempts, startedAt: state.current.startedAt ?? at },
});
/** A backup that waits is cancelled with the next event. */
const cancelRequested: Fold<'BackupCancelRequested'> = (state, { work }) =>
  state.current?.work === work ? { ...state, current: { ...state.current, cancelRequested: true } } : state;
const found =
  (missing: boolean): Fold<'ArchivesMissed'> =>
  (state, { archives }) => {
    const meant = new Set(archives);
    return {
      ...state,
      archives: state.archives.map((one) => (meant.has(one.id) ? { ...one, missing } : one)),
    };
  };

export const backupsDecider = deciderOf<BackupState, BackupEvent>()({
  category: 'backup',
  initial: { plan: DEFAULT_PLAN, archives: [], fullWanted: false, notRemoved: [] },
  commands: [
    ConfigureBackups,
    RequestBackup,
    RequestDrill,
    StartBackup,
    CancelBackup,
    EndBackup,
    ThinArchives,
    TellNotRemoved,
    CheckArchives,
  ],
  evolve: {
    BackupsConfigured: (state, plan) => ({
      ...state,
      plan,
      failed: state.failed && { ...state.failed, mended: true },
      fullWanted: state.fullWanted || plan.recipients.join(' ') !== state.plan.recipients.join(' '),
    }),
    BackupRequested: (state, data) => ({
      ...state,
      [state.current ? 'waiting' : 'current']: { ...data, ...UNTRIED, kind: 'backup' },
    }),
    DrillRequested: (state, data) => ({
      ...state,
      current: { ...data, ...UNTRIED, kind: 'drill', full: false },
    }),
    BackupStarted: started,
    DrillStarted: started,
    BackupCancelRequested: cancelRequested,
    DrillCancelRequested: cancelRequested,
    BackupTaken: (state, { work: id, ...archive }) => {
      const made = { ...archive, id, missing: false };
      const done = state.current?.work === id ? state.current : state.waiting;
      const archives = [
        ...state.archives,
        done?.why === 'migration' ? { ...made, beforeMigration: true as const } : made,
      ];
      const fullWanted = state.fullWanted && archive.base !== null;
      return { ...ended(state, id), failed: undefined, archives, fullWanted };
    },
    BackupFailed: (state, { work, at, reason }) => ({ ...ended(state, work), failed: { at, reason } }),
    BackupCancelled: (state, { work, at }) => ({ ...ended(state, work), cancelledAt: at }),
    DrillCancelled: (state, { work, at }) => ({ ...ended(state, work), drillCancelledAt: at }),
    DrillPassed: (state, proven) => ({
      ...ended(state, proven.work),
      archives: state.archives.map((one) =>
        proven.archives.includes(one.id) ? { ...one, provenAt: proven.at } : one,
      ),
      proven,
      drillFailed: undefined,
    }),
    DrillFailed: (state, { work, ...drillFailed }) => ({
      ...ended(state, work),
      drillFailed,
      fullWanted: state.fullWanted || drillFailed.damaged === true,
    }),
    ArchivesThinned: (state, { archives: thinned }) => ({
      ...state,
      archives: state.archives.filter(({ id }) => !thinned.includes(id)),
    }),
    ArchivesNotRemoved: (state, data) => ({
      ...state,
      notRemoved: [
        ...state.notRemoved.filter(({ place }) => place !== data.place),
        ...(data.archives.length > 0 ? [data] : []),
      ],
    }),
    ArchivesMissed: found(true),
    ArchivesReturned: found(false),
  },
});
