// covers: BAK-01
import type { Archive } from '../archive/read';
import type { Target } from '../targets/target';
import { OnTarget } from './on-target';
import { tidy } from './tidying';

const never = new Promise<never>(() => undefined);
const archive = (id: string, takenAt: string, base: string | null = null): Archive =>
  ({ file: id, head: { id, base, takenAt, log: { id: 'log', home: null } } }) as Archive;
const whole = [archive('old', '2026-11-01T02:30:00.000Z'), archive('new', '2026-11-01T03:30:00.000Z')];

const tidied = async (remove: Target['remove'], there: readonly Archive[] = whole) => {
  const told: unknown[] = [];
  const thinned: string[] = [];
  const target = { name: '/mnt/archives', remove } as Target;
  const onTarget = new OnTarget(50);
  const warnings: unknown[] = [];
  const book = {
    state: () => Promise.resolve({ archives: [] }),
    check: () => Promise.resolve(),
    thin: (ids: string[]) => Promise.resolve(void thinned.push(...ids)),
    tellNotRemoved: (what: unknown) => Promise.resolve(void told.push(what)),
  } as never;
  const logger = { warn: (what: unknown) => void warnings.push(what) } as never;
  const keep = { days: 1, weeks: 1, months: 1 };
  const { signal } = new AbortController();
  const around = { book, onTarget, logger, log: 'log', plan: { keep }, signal };
  await tidy(around, target, target, { whole: [...there], refused: [] });
  return { onTarget, target, warnings, signal, told, thinned };
};

it('removes what the plan no longer keeps', async () => {
  const removed: string[] = [];
  const { warnings } = await tidied(({ file }) => Promise.resolve(void removed.push(file)));
  expect([removed, warnings]).toEqual([['old'], []]);
});

it('leaves what it cannot remove, and all that this continues', async () => {
  const locked = new Error('locked');
  const removed: string[] = [];
  const chain = [
    archive('gone', '2026-10-01T02:30:00.000Z'),
    archive('base', '2026-11-01T01:30:00.000Z'),
    archive('increment', '2026-11-01T02:30:00.000Z', 'base'),
    archive('new', '2026-11-01T03:30:00.000Z'),
  ];
  const { told, thinned } = await tidied(
    ({ file }) => (file === 'increment' ? Promise.reject(locked) : Promise.resolve(void removed.push(file))),
    chain,
  );
  expect([removed, thinned]).toEqual([['gone'], ['gone']]);
  const archives = ['increment', 'base'].map((id) => ({ id, name: id }));
  expect(told).toEqual([{ place: '/mnt/archives', archives, reason: 'locked' }]);
});

it('ends on a target that hangs meanwhile, tells it, and the next work says so at once', async () => {
  const { onTarget, target, warnings, signal } = await tidied(() => never);
  expect(warnings).toEqual([
    {
      err: expect.objectContaining({ message: expect.stringMatching(/archives did not answer/) }),
      target: target.name,
    },
  ]);
  await expect(onTarget.run({ target, signal }, () => Promise.resolve())).rejects.toThrow(
    'an earlier backup still waits for an answer from there',
  );
});
