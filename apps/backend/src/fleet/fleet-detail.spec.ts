// covers: SRV-15
import type { RunView } from '@quarterdeck/projections';
import { fleetDetail, lastLineOf } from './fleet-detail';
import { fleetRequest, partId } from './fleet-request';

const fleet = '0193f0a0-0000-7000-8000-00000000000f';
const servers = ['web-1', 'web-2', 'web-3'].map((name, at) => ({
  id: `0193f0a0-0000-7000-8000-00000000000${at + 1}`,
  name,
}));
const run = {
  id: fleet,
  ...fleetRequest(fleet, { cmdType: 2, servers, concurrency: 10 }),
} as unknown as RunView;
const part = (at: number, state: string) =>
  ({ id: partId(fleet, servers[at]?.id ?? ''), state }) as unknown as RunView;

describe('the details of a run over many servers', () => {
  test('have a line per server in the order of the request, with or without a run', () => {
    const first = part(0, 'succeeded');
    const { hosts } = fleetDetail(run, [part(1, 'running'), first], new Map([[first.id, 'a\nb\n']]), '');
    expect(hosts.map(({ server, run: on, lastLine }) => [server.name, on?.state, lastLine])).toEqual([
      ['web-1', 'succeeded', 'b'],
      ['web-2', 'running', undefined],
      ['web-3', undefined, undefined],
    ]);
    expect(hosts.map(({ runId }) => runId)).toEqual(servers.map(({ id }) => partId(fleet, id)));
  });

  test('say why a server has no run', () => {
    const output =
      'web-1 succeeded after 0.41 s, exit code 0\nweb-3 was not started: Docker prune is under way\n';
    const { hosts } = fleetDetail(run, [part(0, 'succeeded')], new Map(), output);
    expect(hosts.map(({ notStarted }) => notStarted)).toEqual([
      undefined,
      undefined,
      'Docker prune is under way',
    ]);
  });
});

describe('the last line of output', () => {
  test.each([
    ['one\ntwo\n', 'two'],
    ['one\ntwo', 'two'],
    ['one\r\ntwo\r\n\n  \n', 'two'],
    ['10 %\r50 %\r100 %', '100 %'],
    ['\u001b[32mgreen\u001b[0m\n', 'green'],
    ['\n\n', undefined],
    ['', undefined],
    ['x'.repeat(400), 'x'.repeat(300)],
  ])('of %j is %j', (text, line) => expect(lastLineOf(text)).toBe(line));
});
