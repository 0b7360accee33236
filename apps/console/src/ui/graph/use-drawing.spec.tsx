import { act, renderHook } from '@testing-library/react';
import { withTestWorkers } from '../../testing/workers';
import type { Drawing, Drawn } from './layout';
import { useDrawing } from './use-drawing';

const drawn: Drawn = { boxes: [], arrows: [] };
const drawing = { boxes: [], arrows: [] } as unknown as Drawing;

test('a layout that failed can be tried again', () => {
  const workers = withTestWorkers();
  const { result } = renderHook(() => useDrawing(drawn));
  act(() => workers[0]?.fail());
  expect(result.current).toMatchObject({ failed: true });
  act(() => result.current.retry());
  expect(workers.map(({ ended }) => ended)).toEqual([true, false]);
  expect(result.current.failed).toBe(false);
  act(() => workers[1]?.answer(drawing));
  expect(result.current).toMatchObject({ failed: false, drawing });
});
