/** covers: AUD-03 */
import { act, renderHook, waitFor } from '@testing-library/react';
import type { ReactNode } from 'react';
import { Provider } from 'react-redux';
import { createStore } from '../../app/store';
import { answerWith, type Call, type Reply } from '../../testing/network';
import { useHistory } from './use-history';

const listed = (positions: number[], next?: number): Reply => ({
  body: {
    events: positions.map((position) => ({ position: String(position) })),
    ...(next !== undefined && { next: String(next) }),
  },
});

test('requests the gap between two pages until it is filled, also after a failed request', async () => {
  let newest = listed([3, 2, 1]);
  let middle: Reply = { status: 503, body: { msg: 'not just now' } };
  const beforeOf = ({ body }: Call): string | undefined => (body as { before?: string }).before;
  const network = answerWith({
    'POST /api/history/list': (call) => (beforeOf(call) === undefined ? newest : middle),
  });
  const store = createStore();
  const wrapper = ({ children }: { children: ReactNode }) => <Provider store={store}>{children}</Provider>;
  const { result } = renderHook(() => useHistory({}), { wrapper });
  const shown = () => result.current.events?.map(({ position }) => Number(position));
  await waitFor(() => expect(shown()).toEqual([3, 2, 1]));

  newest = listed([9, 8, 7], 7);
  act(() => result.current.retry());
  await waitFor(() => expect(network.calls.map(beforeOf)).toContain('7'));
  await waitFor(() => expect(result.current.olderError).toBeDefined());
  expect(shown()).toEqual([9, 8, 7, 3, 2, 1]);

  newest = listed([10, 9, 8], 8);
  middle = listed([6, 5, 4, 3], 3);
  act(() => result.current.retry());
  await waitFor(() => expect(shown()).toEqual([10, 9, 8, 7, 6, 5, 4, 3, 2, 1]));
});
