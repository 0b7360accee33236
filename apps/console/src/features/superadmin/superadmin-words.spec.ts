import type { MaintenanceProgress, ProjectionStatus } from '@quarterdeck/projections';
import {
  chainInWords,
  hiddenCallersInWords,
  lagInWords,
  paceInWords,
  progressInWords,
  standOf,
  workInWords,
} from './superadmin-words';

const progress: MaintenanceProgress = {
  kind: 'rebuild',
  projections: ['servers'],
  phase: 'folding',
  position: '340000',
  goal: '1000000',
  events: 340_000,
  total: 1_000_000,
  eventsPerSecond: 61_000,
  share: 0.34,
  beganAt: '2026-11-20T10:00:00.000Z',
  secondsLeft: 11,
};

test('progress shows the events done, the rate and the time left', () => {
  expect(progressInWords(progress)).toBe(
    '340,000 of 1,000,000 events, 34 %, 61,000 a second, about 11 s left',
  );
  const { total: _total, secondsLeft: _left, ...unknown } = progress;
  expect(progressInWords(unknown)).toBe('340,000 events, 34 %, 61,000 a second');
  expect(progressInWords({ ...progress, secondsLeft: 200 })).toContain('about 3 min left');
  expect(progressInWords({ ...progress, phase: 'indexing' })).toBe(
    '340,000 of 1,000,000 events, building the indexes',
  );
});

test('one address that makes all calls is named with what to do', () => {
  const address = '172.18.0.2';
  const said = (trusted: boolean, reports: boolean) => hiddenCallersInWords({ address, trusted, reports });
  expect(said(false, true)).toMatch(/If 172\.18\.0\.2 is your proxy, name it in TRUSTED_PROXIES\.$/);
  expect(said(true, false)).toMatch(/is a proxy, let it send the header X-Forwarded-For\.$/);
  expect(said(false, false)).toMatch(/X-Forwarded-For, and name it in TRUSTED_PROXIES\.$/);
});

test('names the maintenance in progress', () => {
  expect(workInWords({ kind: 'rebuild', readModel: 'all' })).toBe('Rebuilding all read models');
  expect(workInWords({ kind: 'verify', readModel: 'servers' })).toBe('Verifying servers');
});

test('the pace leaves out the current minute', () => {
  expect(paceInWords([0, 10, 20, 999])).toBe('20 in the last minute, 10 on average');
  expect(paceInWords([1, 0, 7])).toBe('0 in the last minute, 0.5 on average');
});

test('describes the lag and the chain in words', () => {
  expect(lagInWords({ events: 0, ms: 0 })).toBe('up to date');
  expect(lagInWords({ events: 12, ms: 3400 })).toBe('12 events, 3 s behind');
  expect(lagInWords({ ms: 20 })).toBe('less than a second behind');
  expect(chainInWords({ state: 'unbroken', checked: 1000, position: '9000' })).toContain('1,000 links');
  expect(chainInWords({ state: 'broken', checked: 3, position: '9', problem: 'event 9 was altered' })).toBe(
    'event 9 was altered',
  );
});

test('a read model that is not up to date says why', () => {
  const status: ProjectionStatus = {
    name: 'servers',
    version: 3,
    storedVersion: 3,
    state: 'live',
    position: '1',
    parked: 0,
    updatedAt: '2026-11-20T10:00:00.000Z',
  };
  expect(standOf(status).label).toBe('up to date');
  expect(standOf({ ...status, storedVersion: 4 }).label).toBe('made by a newer version');
  expect(standOf({ ...status, storedVersion: 0, state: 'frozen' }).label).toBe('not built yet');
  expect(standOf({ ...status, storedVersion: 2, state: 'frozen' }).label).toBe('needs a rebuild');
});
