// covers: BAK-01
import type { EventData } from '@quarterdeck/events';
import { given, meta } from '../platform/decisions/decider-testing';
import {
  backupsDecider,
  CancelBackup,
  CheckArchives,
  ConfigureBackups,
  EndBackup,
  MAX_ATTEMPTS,
  RequestBackup,
  RequestDrill,
  StartBackup,
  TellNotRemoved,
  ThinArchives,
} from './backups.decider';
import { DEFAULT_PLAN } from './plan';

const id = '00000000-0000-7000-8000-000000000000';
const work = '0193f0a0-0000-7000-8000-0000000000aa';
const another = '0193f0a0-0000-7000-8000-0000000000bb';
const now = '2026-11-23T02:30:00.000Z';
const requested = { type: 'BackupRequested', data: { work, why: 'operator', full: false } } as const;
const started = (attempt: number) =>
  ({ type: 'BackupStarted', data: { work, attempt, process: 'a:1', at: now } }) as const;
const cancelRequested = { type: 'BackupCancelRequested', data: { work } } as const;
const cancelled = { type: 'BackupCancelled', data: { work, at: now } } as const;
const failed = (reason: string) => ({ type: 'BackupFailed', data: { work, at: now, reason } }) as const;
const archive: EventData<'BackupTaken'> = {
  work,
  place: '/a',
  name: 'a.backup',
  base: null,
  takenAt: now,
  bytes: 20_000,
  after: '0',
  end: '9',
  events: 9,
  masterKey: '0123456789abcdef',
  durationMs: 100,
};
const taken = { type: 'BackupTaken', data: archive } as const;

const start = new StartBackup(id, { work, process: 'a:1', at: now }, meta);
const cancel = new CancelBackup(id, { work, at: now }, meta);

describe('backups', () => {
  it('are requested only one at a time', () => {
    const again = new RequestBackup(id, { ...requested.data, work: another }, meta);
    given(backupsDecider, [])
      .when(new RequestBackup(id, requested.data, meta))
      .then([requested]);
    given(backupsDecider, [requested])
      .when(again)
      .thenRejected('conflict', /already under way/);
    given(backupsDecider, [requested, started(1), failed('no disk')])
      .when(again)
      .then([{ ...requested, data: { ...requested.data, work: another } }]);
  });

  it('begin again a few times after a process died in the middle', () => {
    given(backupsDecider, [requested])
      .when(start)
      .then([started(1)]);
    given(backupsDecider, [requested, started(1)])
      .when(start)
      .then([started(2)]);
    given(backupsDecider, [requested, started(MAX_ATTEMPTS)])
      .when(start)
      .then([failed('3 processes ended during it')]);
    given(backupsDecider, [requested, started(1), taken])
      .when(start)
      .thenNothing();
  });

  it('are cancelled by the process that takes them, and at once if none does', () => {
    given(backupsDecider, [requested, started(1)])
      .when(cancel)
      .then([cancelRequested]);
    given(backupsDecider, [requested, started(1), cancelRequested])
      .when(cancel)
      .thenNothing();
    given(backupsDecider, [requested]).when(cancel).then([cancelRequested, cancelled]);
    given(backupsDecider, [requested, started(1), cancelRequested])
      .when(start)
      .then([cancelled]);
    given(backupsDecider, [requested, cancelled]).when(cancel).thenRejected('notFound');
  });

  it('end once', () => {
    const end = new EndBackup(id, taken, meta);
    given(backupsDecider, [requested, started(1)])
      .when(end)
      .then([taken]);
    given(backupsDecider, [requested, started(1), cancelled])
      .when(end)
      .thenNothing();
  });

  it('are drilled once there is an archive, and never while one is taken', () => {
    const drill = { work: another, why: 'operator' } as const;
    const wanted = new RequestDrill(id, drill, meta);
    const asked = { type: 'DrillRequested', data: drill } as const;
    given(backupsDecider, [])
      .when(wanted)
      .thenRejected('conflict', /no archive/);
    given(backupsDecider, [requested, taken]).when(wanted).then([asked]);
    const missed = { type: 'ArchivesMissed' as const, data: { archives: [work] } };
    given(backupsDecider, [requested, taken, missed])
      .when(wanted)
      .thenRejected('conflict', /no archive/);
    const again = { ...requested, data: { ...requested.data, work: another } };
    given(backupsDecider, [requested, taken, again])
      .when(wanted)
      .thenRejected('conflict', /a backup is already under way/);
  });

  it('wait until a drill has ended, and begin then', () => {
    const drill = { work: another, why: 'operator' } as const;
    const asked = { type: 'DrillRequested', data: drill } as const;
    const third = '01920000-0000-7000-8000-000000000003';
    const later = { ...requested, data: { ...requested.data, work: third } };
    const before = [requested, taken, asked] as const;
    given(backupsDecider, [...before])
      .when(new RequestBackup(id, later.data, meta))
      .then([later]);
    given(backupsDecider, [...before, later])
      .when(new RequestBackup(id, { ...later.data, work }, meta))
      .thenRejected('conflict', /a backup is already under way/);
    const begin = new StartBackup(id, { work: third, process: 'a:1', at: now }, meta);
    given(backupsDecider, [...before, later])
      .when(begin)
      .then([]);
    given(backupsDecider, [...before, later])
      .when(new CancelBackup(id, { work: third, at: now }, meta))
      .then([
        { type: 'BackupCancelRequested', data: { work: third } },
        { type: 'BackupCancelled', data: { work: third, at: now } },
      ]);
    const over = { type: 'DrillCancelled', data: { work: another, at: now } } as const;
    given(backupsDecider, [...before, later, over])
      .when(begin)
      .then([{ type: 'BackupStarted', data: { work: third, attempt: 1, process: 'a:1', at: now } }]);
  });

  it('end a drill in words of its own', () => {
    const drill = { work: another, why: 'schedule' } as const;
    const asked = { type: 'DrillRequested', data: drill } as const;
    const begun = (attempt: number) =>
      ({ type: 'DrillStarted', data: { work: another, attempt, process: 'a:1', at: now } }) as const;
    const begin = new StartBackup(id, { work: another, process: 'a:1', at: now }, meta);
    const past = [requested, taken, asked];
    given(backupsDecider, past)
      .when(begin)
      .then([begun(1)]);
    given(backupsDecider, [...past, begun(MAX_ATTEMPTS)])
      .when(begin)
      .then([
        {
          type: 'DrillFailed',
          data: { work: another, at: now, reason: '3 processes ended during it' },
        },
      ]);
    const end = new CancelBackup(id, { work: another, at: now }, meta);
    const wanted = { type: 'DrillCancelRequested', data: { work: another } } as const;
    const gone = { type: 'DrillCancelled', data: { work: another, at: now } } as const;
    given(backupsDecider, past).when(end).then([wanted, gone]);
    given(backupsDecider, [...past, begun(1), wanted])
      .when(begin)
      .then([gone]);
  });

  it('change their plan only when it differs', () => {
    const plan = { ...DEFAULT_PLAN, schedule: null };
    given(backupsDecider, [])
      .when(new ConfigureBackups(id, DEFAULT_PLAN, meta))
      .thenNothing();
    given(backupsDecider, [])
      .when(new ConfigureBackups(id, plan, meta))
      .then([{ type: 'BackupsConfigured', data: plan }]);
  });

  it('say once that an archive is missing, and that it is there again', () => {
    const look = (there: string[], place = '/a') => new CheckArchives(id, { place, there }, meta);
    const missed = { type: 'ArchivesMissed' as const, data: { archives: [work] } };
    const found = { type: 'ArchivesReturned' as const, data: { archives: [work] } };
    const past = [requested, taken];
    given(backupsDecider, past).when(look([])).then([missed]);
    given(backupsDecider, past)
      .when(look([work]))
      .thenNothing();
    given(backupsDecider, past).when(look([], '/another')).thenNothing();
    given(backupsDecider, [...past, missed])
      .when(look([]))
      .thenNothing();
    given(backupsDecider, [...past, missed])
      .when(look([work]))
      .then([found]);
    given(backupsDecider, [...past, missed, found])
      .when(look([work]))
      .thenNothing();
  });

  it('remember which archives are from before a migration', () => {
    const asked = { ...requested, data: { ...requested.data, why: 'migration' } } as const;
    for (const [first, expected] of [
      [asked, true],
      [requested, undefined],
    ] as const) {
      const { archives } = [first, taken].reduce(backupsDecider.evolve, backupsDecider.initial);
      expect(archives[0]?.beforeMigration).toBe(expected);
    }
  });

  it('are tried at once when the plan was changed after a failure, which stays told', () => {
    const changed = { type: 'BackupsConfigured', data: { ...DEFAULT_PLAN, schedule: null } } as const;
    const after = (events: readonly Parameters<typeof backupsDecider.evolve>[1][]) =>
      events.reduce(backupsDecider.evolve, backupsDecider.initial).failed;
    expect(after([requested, failed('no disk')])).toEqual({ at: now, reason: 'no disk' });
    expect(after([requested, failed('no disk'), changed])).toMatchObject({ reason: 'no disk', mended: true });
    expect(
      after([requested, failed('no disk'), changed, requested, failed('again')])?.mended,
    ).toBeUndefined();
  });

  it('are full after a drill found damage, and not after one that could not be done', () => {
    const drill = { work: another, why: 'operator' } as const;
    const asked = { type: 'DrillRequested', data: drill } as const;
    const ended = { work: another, at: now, reason: 'part log is altered' };
    for (const damaged of [{}, { damaged: true as const }]) {
      const missed = { type: 'DrillFailed', data: { ...ended, ...damaged } } as const;
      const state = [requested, taken, asked, missed].reduce(backupsDecider.evolve, backupsDecider.initial);
      expect(state.fullWanted).toBe('damaged' in damaged);
    }
  });

  it('tell what could not be removed once, until it is gone', () => {
    const stuck = { place: '/a', archives: [{ id: work, name: 'a.backup' }], reason: 'locked' };
    const told = { type: 'ArchivesNotRemoved', data: stuck } as const;
    const none = { place: '/a', archives: [], reason: '' };
    given(backupsDecider, [requested, taken])
      .when(new TellNotRemoved(id, none, meta))
      .thenNothing();
    given(backupsDecider, [requested, taken])
      .when(new TellNotRemoved(id, stuck, meta))
      .then([told]);
    given(backupsDecider, [requested, taken, told])
      .when(new TellNotRemoved(id, stuck, meta))
      .thenNothing();
    given(backupsDecider, [requested, taken, told])
      .when(new TellNotRemoved(id, none, meta))
      .then([{ type: 'ArchivesNotRemoved', data: none }]);
  });

  it('forget the archives that were thinned out', () => {
    const thinned = { type: 'ArchivesThinned' as const, data: { archives: [work] } };
    given(backupsDecider, [requested, taken])
      .when(new ThinArchives(id, { archives: [work] }, meta))
      .then([thinned]);
    given(backupsDecider, [requested, taken, thinned])
      .when(new CheckArchives(id, { place: '/a', there: [] }, meta))
      .thenNothing();
  });
});
