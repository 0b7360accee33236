// covers: AUD-01
import type { AppEvent, LoggedEvent } from '@quarterdeck/events';
import { readSamples } from '../../events/samples/read-samples';
import { history } from './history';
import { subjects } from './subjects';
import { people } from './people';
import { workspaces } from './workspaces';
import { ALICE, logOf, viewOf, viewsOf, WORKSPACE } from './testing/log';

const samples = readSamples();
const categoryOf = (type: string): string =>
  type.startsWith('Workspace')
    ? 'workspace'
    : type.startsWith('Server')
      ? 'server'
      : type.startsWith('Run')
        ? 'run'
        : 'person';

describe('the history read model', () => {
  test('has one row per event, in words, with actor, time and cause', () => {
    const log = logOf(
      ...samples.map(
        ({ type, data }) =>
          [`${categoryOf(type)}-${ALICE}`, { type, data } as AppEvent] as [string, AppEvent],
      ),
    );
    const rows = [...viewsOf(history, log).values()];
    expect(rows).toHaveLength(samples.length);
    for (const [index, row] of rows.entries()) {
      expect(row.position).toBe(String(index + 1));
      expect(row.says.length).toBeGreaterThan(3);
      expect(row).toMatchObject({
        actor: ALICE,
        workspace: WORKSPACE,
        correlationId: 'request-1',
        subjectId: ALICE,
      });
    }
  });

  test('keeps an event of a newer build, and shows its type to admins', () => {
    const log = logOf([
      `server-${ALICE}`,
      { type: 'ServerPainted', data: { colour: 'red' } } as unknown as AppEvent,
    ]);
    expect([...viewsOf(history, log).values()][0]).toMatchObject({
      says: 'ServerPainted',
      audience: 'admin',
    });
  });
});

describe('the names of subjects', () => {
  const server = samples.find(({ type }) => type === 'ServerRegistered')?.data as never;
  test('follow a rename and survive a removal', () => {
    const log: LoggedEvent[] = logOf(
      ['server-1', { type: 'ServerRegistered', data: server }],
      ['server-1', { type: 'ServerRenamed', data: { alias: 'web-one' } }],
      ['server-1', { type: 'ServerRemoved', data: { alias: 'web-one' } }],
    );
    expect(viewsOf(subjects, log).get('server-1')).toMatchObject({
      name: 'web-one',
      removed: true,
      category: 'server',
    });
  });

  test('know the parent by a field of that name, or by the id that they share', () => {
    const dataOf = (type: string) => samples.find((sample) => sample.type === type)?.data as never;
    const log = logOf(
      ['variable-1', { type: 'VariableAdded', data: dataOf('VariableAdded') }],
      ['apptoken-2', { type: 'AppTokenIssued', data: dataOf('AppTokenIssued') }],
    );
    const { service } = dataOf('AppTokenIssued') as { service: { id: string } };
    const views = viewsOf(subjects, log);
    expect(views.get('variable-1')?.within).toBe('service-1');
    expect(views.get('apptoken-2')?.within).toBe(`service-${service.id}`);
  });

  test('of a domain follow its moves, and not the names of files that it left', () => {
    const dataOf = (type: string) => samples.find((sample) => sample.type === type)?.data as never;
    const [one, two] = [ALICE, '0193f0a0-0000-7000-8000-000000000099'];
    const added = { serverName: 'a.example.test', server: one, addresses: [] };
    const renamed = { ...(dataOf('DomainRenamed') as object), serverName: 'b.example.test' } as never;
    const left = { serverName: 'a.example.test', server: one };
    const log = logOf(
      ['domain-1', { type: 'DomainAdded', data: added }],
      ['domain-1', { type: 'DomainRenamed', data: renamed }],
      ['domain-1', { type: 'DomainMoved', data: { server: two } }],
      ['domain-1', { type: 'DomainFilesRemoved', data: left }],
    );
    expect(viewsOf(subjects, log).get('domain-1')).toMatchObject({
      name: 'b.example.test',
      within: `server-${two}`,
    });
  });

  test('stay marked as removed until the thing is restored', () => {
    const dataOf = (type: string) => samples.find((sample) => sample.type === type)?.data as never;
    const removedAfter = (...types: readonly AppEvent['type'][]) => {
      const told = types.map((type) => ['thing-1', { type, data: dataOf(type) }] as [string, AppEvent]);
      return viewsOf(subjects, logOf(...told)).get('thing-1')?.removed;
    };
    expect(removedAfter('DeployRequested')).toBe(false);
    // The entry was removed from the log before the package had answered.
    expect(removedAfter('DeployRequested', 'DeployLogRemoved', 'DeploySucceeded')).toBe(true);
    expect(removedAfter('DeployRequested', 'DeployLogRemoved', 'DeployFailed')).toBe(true);
    for (const noun of ['Server', 'Script', 'Domain'] as const) {
      const restored = `${noun}Restored` as const;
      expect(removedAfter(`${noun}Removed`, restored)).toBe(false);
      expect(removedAfter(`${noun}Removed`, restored, `${noun}Renamed`)).toBe(false);
      expect(removedAfter(`${noun}Removed`, restored, `${noun}Removed`)).toBe(true);
    }
  });
});

describe('people and workspaces', () => {
  test('a person has the role given last and the time of the last sign-in', () => {
    const stream = `person-${ALICE}`;
    const log = logOf(
      [stream, { type: 'PersonJoined', data: { role: 'member' } }],
      [stream, { type: 'PersonRoleChanged', data: { role: 'admin' } }],
      [stream, { type: 'PersonSignedIn', data: { via: 'link' } }],
    );
    expect(viewOf(people, stream, log)).toMatchObject({
      role: 'admin',
      lastSignInAt: '2026-11-20T12:00:02.000Z',
      revision: 2,
    });
  });

  test('a workspace belongs to itself', () => {
    const log = logOf([`workspace-${WORKSPACE}`, { type: 'WorkspaceCreated', data: { name: 'harbour' } }]);
    expect(viewOf(workspaces, `workspace-${WORKSPACE}`, log)).toMatchObject({
      name: 'harbour',
      workspace: WORKSPACE,
    });
  });
});
