// covers: SRV-15
import {
  fleetInput,
  fleetRequest,
  labelOf,
  partId,
  partOf,
  timeoutOf,
  workOf,
  type FleetInput,
} from './fleet-request';

const fleet = '0193f0a0-0000-7000-8000-00000000000f';
const web = { id: '0193f0a0-0000-7000-8000-000000000001', name: 'web-1' };
const db = { id: '0193f0a0-0000-7000-8000-000000000002', name: 'db-1' };
const command: FleetInput = { cmdType: 2, servers: [web, db], concurrency: 10 };
const script: FleetInput = {
  script: '0193f0a0-0000-7000-8000-000000000005',
  version: 3,
  name: 'Free space',
  changes: true,
  timeoutSeconds: 30,
  servers: [web],
  concurrency: 10,
};

describe('a run over many servers', () => {
  test('is its own subject, named after its server or the number of servers', () => {
    expect(fleetRequest(fleet, command).subject).toEqual({ kind: 'fleet', id: fleet, name: '2 servers' });
    expect(fleetRequest(fleet, script).subject.name).toBe('web-1');
  });

  test('keeps the request, and is labelled by what it does', () => {
    expect(fleetInput(fleetRequest(fleet, script))).toEqual(script);
    expect([labelOf(command), labelOf(script)]).toEqual(['Docker containers', 'Free space']);
    expect(workOf({ ...command, rerunOf: fleet })).toEqual({ cmdType: 2 });
  });

  test('has a part per server, with the same id in every process', () => {
    expect(partOf(fleet, command, web)).toEqual({
      kind: 'command',
      what: {
        subject: { kind: 'server', id: web.id, name: 'web-1' },
        input: { cmdType: 2 },
        parent: fleet,
      },
    });
    expect(partOf(fleet, script, web)).toMatchObject({
      kind: 'script',
      what: { input: { version: 3, name: 'Free space', changes: true, timeoutSeconds: 30 } },
    });
    expect(partId(fleet, web.id)).toBe(partId(fleet, web.id));
    expect(new Set([partId(fleet, web.id), partId(fleet, db.id), partId(web.id, fleet)]).size).toBe(3);
  });

  test('may take as long as its servers one after the other in their lanes, but no longer than a timer allows', () => {
    const rows = (servers: number, concurrency: number) =>
      timeoutOf({ ...script, servers: Array.from({ length: servers }, () => web), concurrency }, 0);
    expect(rows(1, 10)).toBe(330_000);
    expect(rows(25, 10)).toBe(3 * 330_000);
    expect(
      timeoutOf({ ...script, timeoutSeconds: 86_400, servers: Array(500).fill(web), concurrency: 1 }, 0),
    ).toBe(2 ** 31 - 1);
  });
});
