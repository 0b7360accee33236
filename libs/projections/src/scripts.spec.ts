// covers: SRV-15
import type { AppEvent } from '@quarterdeck/events';
import { scripts } from './scripts';
import { ALICE, logOf, viewOf, WORKSPACE } from './testing/log';

const ID = '0193f0a0-0000-7000-8000-000000000005';
const STREAM = `script-${ID}`;
const added: AppEvent = {
  type: 'ScriptAdded',
  data: { name: 'Free space', body: 'df -h\n', changes: false, timeoutSeconds: 30 },
};
const revised: AppEvent = {
  type: 'ScriptRevised',
  data: { body: 'df -hT\n', changes: true, timeoutSeconds: 60 },
};
const renamed: AppEvent = { type: 'ScriptRenamed', data: { name: 'Disk space' } };
const removed: AppEvent = { type: 'ScriptRemoved', data: { name: 'Disk space' } };
const view = (...events: AppEvent[]) =>
  viewOf(scripts, STREAM, logOf(...events.map((e) => [STREAM, e] as [string, AppEvent])));

describe('the scripts read model', () => {
  test('an added script is its first version', () => {
    expect(view(added)).toEqual({
      id: ID,
      workspace: WORKSPACE,
      name: 'Free space',
      versions: [
        {
          version: 1,
          body: 'df -h\n',
          changes: false,
          timeoutSeconds: 30,
          at: '2026-11-20T12:00:00.000Z',
          by: ALICE,
        },
      ],
      changedAt: '2026-11-20T12:00:00.000Z',
      changedBy: ALICE,
      revision: 0,
      position: '1',
    });
  });

  test('a revision is one version more, and the ones before stay as they were', () => {
    const seen = view(added, revised);
    expect(seen?.versions.map(({ version, body }) => [version, body])).toEqual([
      [1, 'df -h\n'],
      [2, 'df -hT\n'],
    ]);
    expect(seen).toMatchObject({ revision: 1, changedAt: '2026-11-20T12:00:01.000Z' });
  });

  test('another name is no other version', () => {
    const seen = view(added, renamed);
    expect(seen).toMatchObject({ name: 'Disk space', revision: 1, position: '2' });
    expect(seen?.versions).toHaveLength(1);
  });

  test('a removed script is gone, and what comes behind does not bring it back', () => {
    expect(view(added, renamed, removed)).toBeUndefined();
    expect(view(added, removed, revised)).toBeUndefined();
  });
});
