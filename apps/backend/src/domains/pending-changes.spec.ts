import type { Pool } from '../platform/tokens';
import { PendingChanges } from './pending-changes';

const row = (id: string, revision: number, path = '/srv') => ({
  domain: { id, revision } as never,
  folders: { path, root: '/', nginxPath: '/nginx' },
});

const counting = () => {
  const seen = { written: 0, texts: [] as string[][] };
  const db = {
    query: async ({ values: [ids] }: { values: [string[]] }) => {
      seen.texts.push(ids);
      return { rows: ids.map((id) => ({ id, text: 'a\nb' })) };
    },
  } as unknown as Pool;
  const pending = new PendingChanges(db);
  pending.give({
    pending: ({ domain }) => {
      seen.written += 1;
      return (domain as unknown as { id: string }).id.startsWith('changed') ? 'a\nB' : undefined;
    },
    differingLines: () => 1,
  });
  return { pending, seen };
};

test('a configuration is written once for each state of a domain and of the folders of its server', async () => {
  const { pending, seen } = counting();
  const rows = [row('same', 1), row('changed', 1)];
  const [same, changed] = await pending.added(rows);
  expect([same, changed]).toEqual([
    { id: 'same', revision: 1 },
    { id: 'changed', revision: 1, pending: 1 },
  ]);
  await pending.added(rows);
  expect(seen.written).toBe(2);
  await pending.added([row('same', 2), row('changed', 1, '/data')]);
  expect(seen.written).toBe(4);
});

test('live texts are read of those alone that differ', async () => {
  const { pending, seen } = counting();
  await pending.added([...Array.from({ length: 120 }, (_, n) => row(`same ${n}`, 1)), row('changed', 1)]);
  expect(seen.texts).toEqual([['changed']]);
});
