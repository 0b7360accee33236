/** covers: OPS-04 */
import { problemOf } from './service-history';
import { parseUsage } from './probe-usage';

const ID = '00000000-0000-4000-8000-000000000001';
const CONTAINER = '0123456789ab';
const started = '2026-11-20T12:00:00.123456789Z';
const line = (...more: string[]): string => `usage=${[ID, CONTAINER, ...more].join('|')}`;
const figures = ['1234.56', '5000000', '1048576', '', '100', '200'];

describe('what services use', () => {
  it('is parsed, without what the server did not say', () => {
    expect(parseUsage(`load1=0.1\n${line('running', started, '2', '0', 'false', ...figures)}\r\n`)).toEqual({
      [ID]: {
        container: CONTAINER,
        state: 'running',
        started: '2026-11-20T12:00:00.123Z',
        restarts: 2,
        clock: 1234.56,
        cpuUs: 5_000_000,
        memory: 1_048_576,
        received: 100,
        sent: 200,
      },
    });
    expect(
      parseUsage(
        line('exited', '0001-01-01T00:00:00Z', '0', '137', 'true', ...Array.from({ length: 6 }, () => '')),
      ),
    ).toEqual({
      [ID]: { container: CONTAINER, state: 'exited', restarts: 0, exitCode: 137, outOfMemory: true },
    });
  });

  it.each([
    ['an id that is none', line('running', started, '0', '0', 'false', ...figures).replace(ID, 'x')],
    [
      'a container that is none',
      line('running', started, '0', '0', 'false', ...figures).replace('ab|', 'ab;|'),
    ],
    ['an unknown state', line('<b>', started, '0', '0', 'false', ...figures)],
    ['restarts below zero', line('running', started, '-1', '0', 'false', ...figures)],
    ['too many fields', line('running', started, '0', '0', 'false', ...figures, '1')],
    ['too few fields', line('running', started, '0')],
  ])('leaves out a line with %s', (_, printed) => {
    expect(parseUsage(printed)).toEqual({});
  });

  it('leaves out a number that no counter reaches', () => {
    const large = ['1e9', '99999999999999999999', '-4', 'NaN', '9007199254740993', '7'];
    expect(parseUsage(line('running', started, '0', '0', 'false', ...large))).toEqual({
      [ID]: expect.not.objectContaining({ clock: expect.anything() as unknown }) as unknown,
    });
    expect(Object.keys(parseUsage(line('running', 'soon', '0', '0', 'false', ...large))[ID] ?? {})).toEqual([
      'container',
      'state',
      'restarts',
      'sent',
    ]);
  });

  it('takes 200 services of a server at most', () => {
    const many = Array.from({ length: 300 }, (_, at) =>
      line('running', started, '0', '0', 'false', ...figures).replace(
        ID,
        `00000000-0000-4000-8000-${String(at).padStart(12, '0')}`,
      ),
    );
    expect(Object.keys(parseUsage(many.join('\n')))).toHaveLength(200);
  });
});

describe('why there are no newer figures', () => {
  const at = '2026-11-20T12:00:00.000Z';
  const server = { at, ok: true, docker: 'running' as const, containers: 1 };
  const newest = { at, container: CONTAINER, state: 'running', memory: 1 };

  it.each([
    ['the server has not been checked', undefined, undefined, 'notChecked'],
    ['the server does not answer', { ...server, ok: false }, newest, 'unreachable'],
    [
      'docker is absent',
      { ...server, docker: 'absent' as const, containers: null },
      undefined,
      'dockerAbsent',
    ],
    ['docker hangs', { ...server, docker: 'silent' as const, containers: null }, undefined, 'dockerSilent'],
    ['the account may not ask docker', { ...server, containers: null }, undefined, 'noAccess'],
    ['the container is gone', server, { ...newest, at: '2026-11-20T11:00:00.000Z' }, 'noContainer'],
    ['control groups cannot be read', server, { at, container: CONTAINER, state: 'running' }, 'noFigures'],
    ['nothing is wrong', server, newest, undefined],
    ['the container has ended', server, { at, container: CONTAINER, state: 'exited' }, undefined],
  ])('%s', (_, one, found, problem) => {
    expect(problemOf(one, found)).toBe(problem);
  });
});
