// covers: DOM-06
import { act, renderHook, waitFor } from '@testing-library/react';
import type { ReactNode } from 'react';
import { Provider } from 'react-redux';
import { createStore } from '../../../app/store';
import { answerWith, type Reply } from '../../../testing/network';
import { useExpiryCheck } from './use-expiry-check';

test('stops checking when the page is left', async () => {
  const answers: ((reply: Reply) => void)[] = [];
  const { calls } = answerWith({
    'POST /api/dns/ssl/expiry': () => new Promise((answer) => answers.push(answer)),
  });
  const store = createStore();
  const wrapper = ({ children }: { children: ReactNode }) => <Provider store={store}>{children}</Provider>;
  const { result, unmount } = renderHook(() => useExpiryCheck(), { wrapper });
  let done: Promise<void> | undefined;
  act(() => {
    const domains = ['a', 'b', 'c'].map((id) => ({ id, serverName: `${id}.example.org` }));
    done = result.current.run(async () => domains);
  });
  await waitFor(() => expect(answers).toHaveLength(1));
  act(() => answers[0]?.({ body: { valid: true, daysRemaining: 30 } }));
  await waitFor(() => expect(answers).toHaveLength(2));
  unmount();
  answers[1]?.({ body: { valid: true, daysRemaining: 30 } });
  await done;
  expect(calls).toHaveLength(2);
});
