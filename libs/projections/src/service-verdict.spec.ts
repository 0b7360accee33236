// covers: DEP-01
import { serviceStateOf, serviceVerdict, verdictOfService, type ProbedService } from './service-verdict';

test.each<[ProbedService, string]>([
  [{ container: 'running', status: 200 }, 'serving'],
  [{ container: 'running', health: 'healthy', status: 404 }, 'serving'],
  [{ container: 'running' }, 'serving'],
  [{ status: 200 }, 'serving'],
  [{ container: 'restarting', status: 502 }, 'restarting'],
  [{ container: 'exited', status: 502 }, 'stopped'],
  [{ container: 'missing' }, 'stopped'],
  [{ container: 'running', health: 'unhealthy', status: 502 }, '502'],
  [{ container: 'running', status: 504 }, '502'],
  [{ status: 0 }, '502'],
  [{ container: 'running', status: 'silent' }, 'silent'],
  [{ container: 'running', health: 'healthy', status: 500 }, 'answers 500'],
  [{ status: 404 }, 'serving'],
  [{ container: 'running', status: 404, atHealthPath: true }, 'answers 404'],
  [{ container: 'running', status: 302, atHealthPath: true }, 'serving'],
  [{ container: 'running', health: 'unhealthy', status: 200 }, 'unhealthy'],
  [{ container: 'running', health: 'starting', status: 200 }, 'serving'],
])('%j is %s', (probed, state) => {
  expect(serviceStateOf(probed)).toBe(state);
});

test('the words for a state say what was found', () => {
  expect((['silent', 'answers 503', 'serving'] as const).map(verdictOfService)).toEqual([
    { label: 'does not answer within 5 s', tone: 'bad' },
    { label: 'answers 503', tone: 'bad' },
    { label: 'serves', tone: 'good' },
  ]);
});

const release = { service: { id: 's' }, served: { at: '2026-11-01T10:00:00.000Z' } };
const probe = { ok: true, at: '2026-11-01T10:00:30.000Z', services: { s: 'stopped' as const } };

test('a verdict needs a probe that has seen the release', () => {
  expect(serviceVerdict(release, probe)).toMatchObject({ is: 'stopped', tone: 'bad' });
  expect(serviceVerdict(release, undefined)).toBeUndefined();
  expect(serviceVerdict(release, { ...probe, ok: false })).toBeUndefined();
  expect(serviceVerdict(release, { ...probe, services: {} })).toBeUndefined();
  expect(serviceVerdict(release, { ...probe, at: '2026-11-01T09:59:59.000Z' })).toBeUndefined();
});
