import { act, renderHook } from '@testing-library/react';
import type { Drawing, Drawn } from './layout';
import { useDrawing } from './use-drawing';

/** jsdom has no workers. This one answers or fails when told to. */
class TestWorker extends EventTarget {
  static all: TestWorker[] = [];
  ended = false;
  constructor() {
    super();
    TestWorker.all.push(this);
  }
  postMessage(): void {}
  terminate(): void {
    this.ended = true;
  }
}

const drawn: Drawn = { entities: [], relations: [], withFields: false };
const drawing = { boxes: [], arrows: [] } as unknown as Drawing;

test('a layout that failed can be tried again', () => {
  globalThis.Worker = TestWorker as unknown as typeof Worker;
  const { result } = renderHook(() => useDrawing(drawn));
  act(() => void TestWorker.all[0]?.dispatchEvent(new Event('error')));
  expect(result.current).toMatchObject({ failed: true });
  act(() => result.current.retry());
  expect(TestWorker.all.map(({ ended }) => ended)).toEqual([true, false]);
  expect(result.current.failed).toBe(false);
  act(() => void TestWorker.all[1]?.dispatchEvent(new MessageEvent('message', { data: drawing })));
  expect(result.current).toMatchObject({ failed: false, drawing });
});
