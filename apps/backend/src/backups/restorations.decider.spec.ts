// covers: BAK-02
import { given, meta } from '../platform/decisions/decider-testing';
import { RecordRestoration, ReleaseScheduledWork, restorationsDecider } from './restorations.decider';

const id = '0193f0a0-0000-7000-8000-0000000000bb';
const data = {
  archive: id,
  takenAt: '2026-11-23T08:00:00.000Z',
  position: '4711',
  version: '0.5.14',
  sessions: 3,
  links: 1,
  runs: 2,
};
const restored = { type: 'ConsoleRestored', data } as const;
const released = { type: 'ScheduledWorkReleased', data: {} } as const;

it('a restore is recorded once, and its scheduled work is released once', () => {
  given(restorationsDecider, [])
    .when(new RecordRestoration(id, data, meta))
    .then([restored]);
  given(restorationsDecider, [restored])
    .when(new RecordRestoration(id, data, meta))
    .thenNothing();
  given(restorationsDecider, [restored])
    .when(new ReleaseScheduledWork(id, {}, meta))
    .then([released]);
  given(restorationsDecider, [restored, released])
    .when(new ReleaseScheduledWork(id, {}, meta))
    .thenNothing();
  given(restorationsDecider, [])
    .when(new ReleaseScheduledWork(id, {}, meta))
    .thenRejected('notFound');
});
