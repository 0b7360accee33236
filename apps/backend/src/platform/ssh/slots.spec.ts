import { Slots, SlotsByName } from './slots';

it('admits as many as there are places, the rest in order', async () => {
  const slots = new Slots(2, 10, 1000, 'a seat');
  const order: number[] = [];
  const first = await slots.take();
  const second = await slots.take();
  const waiting = [3, 4].map(async (number) => {
    const leave = await slots.take();
    order.push(number);
    leave();
  });
  expect(slots.waiting).toBe(2);
  second();
  second();
  await Promise.all(waiting);
  first();
  expect(order).toEqual([3, 4]);
  expect(slots.taken).toBe(0);
});

it('says busy if the queue is full or the patience is over', async () => {
  const slots = new Slots(1, 1, 20, 'a seat');
  await slots.take();
  const waiting = slots.take();
  await expect(slots.take()).rejects.toMatchObject({
    code: 'busy',
    msg: '1 commands already wait for a seat. Try again later.',
  });
  await expect(waiting).rejects.toMatchObject({
    code: 'busy',
    msg: 'Waited 0.02 s for a seat. Try again later.',
  });
  expect(slots.waiting).toBe(0);
});

it('removes aborted callers from the queue', async () => {
  const slots = new Slots(1, 1, 1000, 'a seat');
  const leave = await slots.take();
  const stop = new AbortController();
  const waiting = slots.take(stop.signal);
  stop.abort(new Error('not any more'));
  await expect(waiting).rejects.toThrow('not any more');
  leave();
  expect(slots.taken).toBe(0);
});

it('respects a limit that changes', async () => {
  const slots = new Slots(1, 5, 1000, 'a seat');
  await slots.take();
  const waiting = slots.take();
  slots.setLimit(2);
  await waiting;
  slots.setLimit(1);
  expect(slots.taken).toBe(2);
});

it('counts the places of each name separately, and forgets unused names', async () => {
  let made = 0;
  const slots = new SlotsByName((name) => {
    made += 1;
    return new Slots(1, 10, 1000, name);
  });
  const leaveA = await slots.take('a');
  const leaveB = await slots.take('b');
  const second = slots.take('a');
  leaveA();
  const leaveSecond = await second;
  expect(made).toBe(2);
  leaveSecond();
  leaveB();
  (await slots.take('a'))();
  expect(made).toBe(3);
});
