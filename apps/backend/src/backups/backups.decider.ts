/** The plan of the backups, the work that is under way, and the archives that were made. */
import type { EventData, EventsOf } from '@quarterdeck/events';
import type { backupEvents } from '@quarterdeck/events/catalogue';
import { command, type CommandOf, type Decider } from '../platform/decider';
import { conflict, notFound } from '../platform/errors';
import { DEFAULT_PLAN, type Plan } from './plan';

type BackupEvent = EventsOf<typeof backupEvents>;
type Outcome = Extract<BackupEvent, { type: 'BackupTaken' | 'BackupFailed' | 'BackupCancelled' }>;

/** After this many processes have ended in the middle of it, the work is given up. */
export const MOST_ATTEMPTS = 3;

export class ConfigureBackups extends command('ConfigureBackups', {
  opens: true,
  idempotent: true,
})<Plan>() {}
export class RequestBackup extends command('RequestBackup', { opens: true })<
  EventData<'BackupRequested'>
>() {}
export class StartBackup extends command('StartBackup')<{ work: string; process: string; at: string }>() {}
export class CancelBackup extends command('CancelBackup')<{ work: string }>() {}
export class EndBackup extends command('EndBackup', { idempotent: true })<Outcome>() {}
export class ThinArchives extends command('ThinArchives')<{ archives: string[] }>() {}
export class MissArchives extends command('MissArchives', { idempotent: true })<{ archives: string[] }>() {}

const backupCommands = [
  ConfigureBackups,
  RequestBackup,
  StartBackup,
  CancelBackup,
  EndBackup,
  ThinArchives,
  MissArchives,
];
type BackupCommand = CommandOf<typeof backupCommands>;

export interface CurrentWork extends EventData<'BackupRequested'> {
  attempts: number;
  cancelRequested: boolean;
}

/** An archive that was made and not thinned out since. */
export interface RecordedArchive extends Omit<EventData<'BackupTaken'>, 'work'> {
  id: string;
  missing: boolean;
}

export interface BackupState {
  plan: Plan;
  current?: CurrentWork | undefined;
  /** The oldest first. */
  archives: readonly RecordedArchive[];
  /** The next archive is a full one: others than before are to open it, and all that it continues. */
  fullWanted: boolean;
  /** The last failure, if no backup was taken since. */
  failed?: Pick<EventData<'BackupFailed'>, 'at' | 'reason'> | undefined;
}

const start = ({ work, process, at }: StartBackup['data'], current: CurrentWork): BackupEvent[] => {
  if (current.cancelRequested) return [{ type: 'BackupCancelled', data: { work } }];
  if (current.attempts < MOST_ATTEMPTS)
    return [{ type: 'BackupStarted', data: { work, attempt: current.attempts + 1, process } }];
  const reason = `${MOST_ATTEMPTS} processes ended in the middle of it`;
  return [{ type: 'BackupFailed', data: { work, at, reason } }];
};

const cancel = ({ work }: CancelBackup['data'], current: CurrentWork): BackupEvent[] => {
  if (current.cancelRequested) return [];
  const asked: BackupEvent = { type: 'BackupCancelRequested', data: { work } };
  // Work that no process has begun is cancelled at once.
  return current.attempts > 0 ? [asked] : [asked, { type: 'BackupCancelled', data: { work } }];
};

const isSame = (a: Plan, b: Plan): boolean => JSON.stringify(a) === JSON.stringify(b);

const decideWork = (
  given: StartBackup | CancelBackup | EndBackup,
  current: CurrentWork | undefined,
): BackupEvent[] => {
  const { work } = given.type === 'EndBackup' ? given.data.data : given.data;
  const meant = current?.work === work ? current : undefined;
  if (given.type === 'CancelBackup') {
    if (!meant) throw notFound('backup that is under way');
    return cancel(given.data, meant);
  }
  if (!meant) return [];
  return given.type === 'EndBackup' ? [given.data] : start(given.data, meant);
};

export const backupsDecider: Decider<BackupState, BackupCommand, BackupEvent> = {
  category: 'backup',
  commands: backupCommands,
  initial: { plan: DEFAULT_PLAN, archives: [], fullWanted: false },
  decide: (given, { plan, current, archives }) => {
    switch (given.type) {
      case 'ConfigureBackups':
        return isSame(plan, given.data) ? [] : [{ type: 'BackupsConfigured', data: given.data }];
      case 'RequestBackup':
        if (current) throw conflict('a backup is under way already; wait for its end', current);
        return [{ type: 'BackupRequested', data: given.data }];
      case 'ThinArchives':
        return given.data.archives.length > 0 ? [{ type: 'ArchivesThinned', data: given.data }] : [];
      case 'MissArchives': {
        const wanted = new Set(given.data.archives);
        const missed = archives.filter(({ id, missing }) => !missing && wanted.has(id)).map(({ id }) => id);
        return missed.length > 0 ? [{ type: 'ArchivesMissed', data: { archives: missed } }] : [];
      }
      default:
        return decideWork(given, current);
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
        return { ...state, current: { ...event.data, attempts: 0, cancelRequested: false } };
      case 'BackupStarted':
        return { ...state, current: current && { ...current, attempts: event.data.attempt } };
      case 'BackupCancelRequested':
        return { ...state, current: current && { ...current, cancelRequested: true } };
      case 'BackupTaken': {
        const { work: id, ...archive } = event.data;
        const archives = [...state.archives, { ...archive, id, missing: false }];
        const fullWanted = state.fullWanted && archive.base !== null;
        return { ...state, current: undefined, failed: undefined, archives, fullWanted };
      }
      case 'BackupFailed':
        return { ...state, current: undefined, failed: { at: event.data.at, reason: event.data.reason } };
      case 'BackupCancelled':
        return { ...state, current: undefined };
      case 'ArchivesThinned':
        return { ...state, archives: state.archives.filter(({ id }) => !event.data.archives.includes(id)) };
      case 'ArchivesMissed': {
        const missed = new Set(event.data.archives);
        return {
          ...state,
          archives: state.archives.map((one) => (missed.has(one.id) ? { ...one, missing: true } : one)),
        };
      }
    }
  },
};
