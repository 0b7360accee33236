// covers: AUD-03
import { MantineProvider } from '@mantine/core';
import type { InstantTimeline } from '@quarterdeck/projections';
import { act, fireEvent, render, screen } from '@testing-library/react';
import { TimeSlider } from './TimeSlider';
import { STEPS } from './timeline-places';

const lineUntil = (to: string): InstantTimeline => ({
  from: '2026-11-22T00:00:00.000Z',
  to,
  events: 3,
  stretches: [0, 5, 9].map((hour) => ({
    at: `2026-11-22T0${hour}:00:00.000Z`,
    position: `${hour}`,
    events: 1,
  })),
});

beforeEach(() => jest.useFakeTimers());
afterEach(() => jest.useRealTimers());

test('the arrow keys continue from the current mark, even if the timeline grows meanwhile', () => {
  const chosen: (string | undefined)[] = [];
  const at = (to: string) => (
    <MantineProvider>
      <TimeSlider line={lineUntil(to)} at={undefined} onChoose={(position) => void chosen.push(position)} />
    </MantineProvider>
  );
  const { rerender } = render(at('2026-11-22T10:00:00.000Z'));
  const slider = screen.getByRole('slider', { name: 'Instant' });
  fireEvent.keyDown(slider, { key: 'ArrowLeft' });
  rerender(at('2026-11-22T10:00:01.000Z'));
  fireEvent.keyDown(slider, { key: 'ArrowLeft' });
  act(() => jest.runAllTimers());
  expect(chosen).toEqual(['5']);
  // At rest it follows `at` again, which is still undefined, so it returns to now.
  rerender(at('2026-11-22T10:00:02.000Z'));
  expect(slider).toHaveValue(`${STEPS}`);
});
