/** The plan of the backups, the work in progress, and the archives. */
import type { EventData, EventsOf } from '@quarterdeck/events';
import type { backupEvents } from '@quarterdeck/events/catalogue';
import { newestInPlace } from '@quarterdeck/projections';
import { command, type CommandOf, type Decider } from '../platform/decider';
import { conflict, notFound } from '../platform/errors';
import { DEFAULT_PLAN, type Plan } from './plan';

type BackupEvent = EventsOf<typeof backupEvents>;
type Outcome = Extract<
  BackupEvent,
  { type: `Backup${'Taken' | 'Failed' | 'Cancelled'}` | `Drill${'Passed' | 'Failed' | 'Cancelled'}` }
>;

/** The work is given up after this many processes have died while doing it. */
export const MAX_ATTEMPTS = 3;

export class ConfigureBackups extends command('ConfigureBackups', {
  opens: true,
  idempotent: true,
})<Plan>() {}
export class RequestBackup extends command('RequestBackup', { opens: true })<
  EventData<'BackupRequested'>
>() {}
export class RequestDrill extends command('RequestDrill', { opens: true })<EventData<'DrillRequested'>>() {}
/** The next three commands are about a backup or a drill. */
export class StartBackup extends command('StartBackup')<{ work: string; process: string; at: string }>() {}
export class CancelBackup extends command('CancelBackup')<{ work: string; at: string }>() {}
export class EndBackup extends command('EndBackup', { idempotent: true })<Outcome>() {}
export class ThinArchives extends command('ThinArchives')<{ archives: string[] }>() {}
/** Reports which of the recorded archives were found in a place. */
export class CheckArchives extends command('CheckArchives', { idempotent: true })<{
  place: string;
  there: string[];
}>() {}

const backupCommands = [
  ConfigureBackups,
  RequestBackup,
  RequestDrill,
  StartBackup,
  CancelBackup,
  EndBackup,
  ThinArchives,
  CheckArchives,
];
type BackupCommand = CommandOf<typeof backupCommands>;

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
   * chain.
   */
  fullWanted: boolean;
  /** The last failure, unless a backup succeeded since. */
  failed?: Pick<EventData<'BackupFailed'>, 'at' | 'reason'> | undefined;
  /** The last successful drill. */
  proven?: EventData<'DrillPassed'> | undefined;
  /** The last drill, if it failed. */
  drillFailed?: Pick<EventData<'DrillFailed'>, 'at' | 'reason'> | undefined;
  /** When somebody last cancelled a backup: the schedule does not request another one immediately. */
  cancelledAt?: string | undefined;
  drillCancelledAt?: string | undefined;
}

const isDrill = ({ kind }: CurrentWork): boolean => kind === 'drill';

/** Ids of the archives that are in that place, as far as is known. */
export const inPlace = ({ archives }: Pick<BackupState, 'archives'>, place: string): string[] =>
  archives.filter((one) => one.place === place && !one.missing).map(({ id }) => id);

const check = ({ place, there }: CheckArchives['data'], archives: BackupState['archives']): BackupEvent[] => {
  const found = new Set(there);
  const put = archives.filter((one) => one.place === place);
  const gone = put.filter(({ id, missing }) => !missing && !found.has(id)).map(({ id }) => id);
  const back = put.filter(({ id, missing }) => missing && found.has(id)).map(({ id }) => id);
  return [
    ...(gone.length > 0 ? [{ type: 'ArchivesMissed', data: { archives: gone } } as const] : []),
    ...(back.length > 0 ? [{ type: 'ArchivesReturned', data: { archives: back } } as const] : []),
  ];
};

const cancelled = (current: CurrentWork, at: string): BackupEvent => ({
  type: isDrill(current) ? 'DrillCancelled' : 'BackupCancelled',
  data: { work: current.work, at },
});

const start = ({ work, process, at }: StartBackup['data'], current: CurrentWork): BackupEvent[] => {
  if (current.cancelRequested) return [cancelled(current, at)];
  const attempt = current.attempts + 1;
  const reason = `${MAX_ATTEMPTS} processes ended during it`;
  if (attempt > MAX_ATTEMPTS)
    return [{ type: isDrill(current) ? 'DrillFailed' : 'BackupFailed', data: { work, at, reason } }];
  const data = { work, attempt, process, at };
  return [{ type: isDrill(current) ? 'DrillStarted' : 'BackupStarted', data }];
};

const cancel = ({ work, at }: CancelBackup['data'], current: CurrentWork): BackupEvent[] => {
  if (current.cancelRequested) return [];
  const type = isDrill(current) ? 'DrillCancelRequested' : 'BackupCancelRequested';
  const asked: BackupEvent = { type, data: { work } };
  // Work that no process has started is cancelled immediately.
  return current.attempts > 0 ? [asked] : [asked, cancelled(current, at)];
};

const unlessBusy = <T>(busyWith: CurrentWork | undefined, wanted: T): T => {
  if (!busyWith) return wanted;
  throw conflict(`a ${busyWith.kind} is already under way; wait for it to end`, busyWith);
};

/** The work has ended, and what waited for it is next. */
const ended = (state: BackupState, work: string): BackupState =>
  state.current?.work === work
    ? { ...state, current: state.waiting, waiting: undefined }
    : { ...state, waiting: state.waiting?.work === work ? undefined : state.waiting };

const isSame = (a: Plan, b: Plan): boolean => JSON.stringify(a) === JSON.stringify(b);

const decideWork = (
  given: StartBackup | CancelBackup | EndBackup,
  { current, waiting }: BackupState,
): BackupEvent[] => {
  const { work } = given.type === 'EndBackup' ? given.data.data : given.data;
  const meant = [current, waiting].find((one) => one?.work === work);
  if (given.type === 'CancelBackup') {
    if (!meant) throw notFound('backup or drill that is under way');
    return cancel(given.data, meant);
  }
  if (!meant) return [];
  if (given.type === 'EndBackup') return [given.data];
  return meant === current ? start(given.data, meant) : [];
};

const UNTRIED = { attempts: 0, cancelRequested: false };

export const backupsDecider: Decider<BackupState, BackupCommand, BackupEvent> = {
  category: 'backup',
  commands: backupCommands,
  initial: { plan: DEFAULT_PLAN, archives: [], fullWanted: false },
  decide: (given, state) => {
    const { plan, current, waiting, archives } = state;
    switch (given.type) {
      case 'ConfigureBackups':
        return isSame(plan, given.data) ? [] : [{ type: 'BackupsConfigured', data: given.data }];
      case 'RequestBackup':
        // A drill takes long and can be repeated. A backup that somebody asks for has to come.
        return [
          {
            type: 'BackupRequested',
            data: unlessBusy(current && isDrill(current) ? waiting : current, given.data),
          },
        ];
      case 'RequestDrill':
        if (!newestInPlace(archives)) throw conflict('there is no archive to restore yet', 'none');
        return [{ type: 'DrillRequested', data: unlessBusy(current, given.data) }];
      case 'ThinArchives':
        return given.data.archives.length > 0 ? [{ type: 'ArchivesThinned', data: given.data }] : [];
      case 'CheckArchives':
        return check(given.data, archives);
      default:
        return decideWork(given, state);
    }
  },
  evolve: (state, event) => {
    const { current } = state;
    switch (event.type) {
      case 'BackupsConfigured':
        return {
          ...state,
          plan: event.data,
          fullWanted: state.fullWanted || event.data.recipients.join(' ') !== state.plan.recipients.join(' '),
        };
      case 'BackupRequested':
        return {
          ...state,
          [current ? 'waiting' : 'current']: { ...event.data, ...UNTRIED, kind: 'backup' },
        };
      case 'DrillRequested':
        return { ...state, current: { ...event.data, ...UNTRIED, kind: 'drill', full: false } };
      case 'BackupStarted':
      case 'DrillStarted': {
        const { attempt: attempts, at } = event.data;
        const startedAt = current?.startedAt ?? at;
        return { ...state, current: current && { ...current, attempts, startedAt } };
      }
      case 'BackupCancelRequested':
      case 'DrillCancelRequested':
        // A backup that waits is cancelled with the next event.
        return current?.work === event.data.work
          ? { ...state, current: { ...current, cancelRequested: true } }
          : state;
      case 'BackupTaken': {
        const { work: id, ...archive } = event.data;
        const made = { ...archive, id, missing: false };
        const done = current?.work === id ? current : state.waiting;
        const archives = [
          ...state.archives,
          done?.why === 'migration' ? { ...made, beforeMigration: true as const } : made,
        ];
        const fullWanted = state.fullWanted && archive.base !== null;
        return { ...ended(state, id), failed: undefined, archives, fullWanted };
      }
      case 'BackupFailed':
        return { ...ended(state, event.data.work), failed: { at: event.data.at, reason: event.data.reason } };
      case 'BackupCancelled':
        return { ...ended(state, event.data.work), cancelledAt: event.data.at };
      case 'DrillCancelled':
        return { ...ended(state, event.data.work), drillCancelledAt: event.data.at };
      case 'DrillPassed': {
        const { work, archives, at } = event.data;
        const proven = state.archives.map((one) =>
          archives.includes(one.id) ? { ...one, provenAt: at } : one,
        );
        return { ...ended(state, work), archives: proven, proven: event.data, drillFailed: undefined };
      }
      case 'DrillFailed':
        return {
          ...ended(state, event.data.work),
          drillFailed: { at: event.data.at, reason: event.data.reason },
        };
      case 'ArchivesThinned':
        return { ...state, archives: state.archives.filter(({ id }) => !event.data.archives.includes(id)) };
      case 'ArchivesMissed':
      case 'ArchivesReturned': {
        const meant = new Set(event.data.archives);
        const missing = event.type === 'ArchivesMissed';
        return {
          ...state,
          archives: state.archives.map((one) => (meant.has(one.id) ? { ...one, missing } : one)),
        };
      }
    }
  },
};
