import { Watch, type WatchDeps } from './watch';

class Counted extends Watch {
  protected readonly everyMs = 3_600_000;
  protected override readonly after = ['ServerRegistered'];
  looks = 0;
  /** Ends the look that is under way. */
  end = (): void => undefined;

  protected settle(): Promise<void> {
    this.looks += 1;
    return new Promise((done) => (this.end = done));
  }
}

const turns = async (): Promise<void> => {
  for (let turn = 0; turn < 10; turn++) await Promise.resolve();
};

it('events that come while it looks lead to one more look, however many they are', async () => {
  const watch = new Counted({} as WatchDeps);
  const event = { type: 'ServerRegistered' } as Parameters<Watch['heard']>[0][number];
  watch.heard([event]);
  await turns();
  expect(watch.looks).toBe(1);
  for (let at = 0; at < 100; at++) watch.heard([event]);
  watch.end();
  await turns();
  expect(watch.looks).toBe(2);
  watch.end();
  await turns();
  expect(watch.looks).toBe(2);
  // And what comes later is looked at again.
  watch.heard([event]);
  await turns();
  expect(watch.looks).toBe(3);
  watch.end();
  await watch.stop();
});
