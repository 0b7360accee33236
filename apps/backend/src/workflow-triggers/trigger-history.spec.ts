// covers: WF-02
import type { RecordedEvent } from '@quarterdeck/events';
import { firedBy, type KnownTrigger } from './trigger-history';
import type { TriggerFields } from './trigger-view';

const fields = (change: Partial<TriggerFields> = {}): TriggerFields => ({
  workflow: 'w',
  name: 'T',
  isOn: true,
  starts: 'event',
  schedule: '',
  data: null,
  isSigned: true,
  event: 'RunFailed',
  filter: '',
  ...change,
});
const event = (position: number, type = 'RunFailed', workspace = 'here') =>
  ({ position: String(position), type, meta: { workspace } }) as unknown as RecordedEvent;
const known = (...versions: [number, TriggerFields | undefined][]): KnownTrigger => ({
  id: 't',
  workspace: 'here',
  versions: versions.map(([position, of]) => ({ position: String(position), fields: of })),
});

it.each([
  ['before it was made', event(9), false],
  ['after it was made', event(11), true],
  ['of another type', event(11, 'RunSucceeded'), false],
  ['of another workspace', event(11, 'RunFailed', 'there'), false],
  ['while it was off', event(21), false],
  ['after it was switched on again', event(31), true],
  ['after it was removed', event(41), false],
  ['after it was restored', event(51), true],
  ['when it was for another type', event(61), false],
  ['of that other type', event(61, 'RunSucceeded'), true],
])('an event %s', (_, happened, fires) => {
  const trigger = known(
    [10, fields()],
    [20, fields({ isOn: false })],
    [30, fields()],
    [40, undefined],
    [50, fields()],
    [60, fields({ event: 'RunSucceeded' })],
  );
  expect(firedBy(trigger, happened) !== undefined).toBe(fires);
});

/** A generator of numbers that is the same each time. */
const numbers = (seed: number) => (): number => {
  seed = (seed * 1_103_515_245 + 12_345) % 2 ** 31;
  return seed / 2 ** 31;
};

it('which events fire depends on the log alone, and not on when they are looked at', () => {
  for (let seed = 1; seed <= 200; seed++) {
    const random = numbers(seed);
    const log: { position: number; change?: TriggerFields | undefined; isChange: boolean }[] = [];
    for (let position = 1; position <= 60; position++) {
      const isChange = random() < 0.15;
      const change = random() < 0.2 ? undefined : fields({ isOn: random() < 0.6 });
      log.push({ position, isChange, ...(isChange && { change }) });
    }
    // As it happened: each event meets the trigger as it was at that moment.
    const expected: number[] = [];
    let now: TriggerFields | undefined;
    for (const { position, isChange, change } of log)
      if (isChange) now = change;
      else if (now?.isOn === true) expected.push(position);
    // Looked at in pieces, begun again at earlier places, and with all changes known from the start.
    const trigger = known(
      ...log.flatMap(({ position, isChange, change }): [number, TriggerFields | undefined][] =>
        isChange ? [[position, change]] : [],
      ),
    );
    const fired = new Set<number>();
    for (let place = 0; place < log.length;) {
      const end = Math.min(log.length, place + 1 + Math.floor(random() * 20));
      for (const { position, isChange } of log.slice(place, end))
        if (!isChange && firedBy(trigger, event(position))) fired.add(position);
      place = random() < 0.3 ? Math.max(0, end - Math.floor(random() * 10)) : end;
      if (end === log.length) break;
    }
    expect([...fired].sort((a, b) => a - b)).toEqual(expected);
  }
});
