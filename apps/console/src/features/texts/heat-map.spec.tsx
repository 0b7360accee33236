// covers: I18N-01
import { screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { renderPage } from '../../testing/render';
import { HeatMap, percentOf, type Instant } from './HeatMap';

const instant = (id: string, done: number): Instant => ({
  id,
  label: id,
  title: `day ${id}`,
  shares: { en: { done: 8, of: 8 }, fr: { done, of: 8 } },
});
const open = () =>
  renderPage(
    <HeatMap
      label="Completeness"
      instants={[instant('1', 2), instant('2', 6)]}
      href={(language, { id }) => `/list?language=${language}&day=${id}`}
    />,
  );

test.each([
  [0, 10, 0],
  [1, 10_000, 1],
  [9_999, 10_000, 99],
  [10, 10, 100],
  [0, 0, 0],
])('%s of %s are %s percent', (done, of, percent) => {
  expect(percentOf({ done, of })).toBe(percent);
});

test('the newest are in view first', () => {
  // jsdom has no layout.
  const width = jest.spyOn(Element.prototype, 'scrollWidth', 'get').mockReturnValue(900);
  open();
  expect(screen.getByRole('table').parentElement).toHaveProperty('scrollLeft', 900);
  width.mockRestore();
});

test('each cell says its share, and leads to what is missing there', () => {
  open();
  expect(screen.getAllByRole('row')).toHaveLength(15);
  const french = screen.getByRole('link', { name: '75%' });
  expect(french).toHaveAttribute('href', '/list?language=fr&day=2');
  expect(french).toHaveAttribute('title', 'French, day 2: 6 of 8 texts, 2 missing');
  expect(screen.getAllByTitle('Thai, day 1: no keys')[0]).toHaveTextContent('–');
});

test('Tab reaches one cell, and the arrow keys the others', async () => {
  const { router } = open();
  await userEvent.tab();
  expect(screen.getByTitle(/^English, day 2/)).toHaveFocus();
  await userEvent.keyboard('{ArrowDown}{ArrowLeft}');
  expect(screen.getByTitle(/^French, day 1/)).toHaveFocus();
  // The edges hold.
  await userEvent.keyboard('{ArrowLeft}{End}{Control>}{End}{/Control}{ArrowDown}');
  expect(screen.getByTitle(/^Indonesian, day 2/)).toHaveFocus();
  await userEvent.keyboard('{Control>}{Home}{/Control}{ArrowDown}{Enter}');
  expect(router.state.location).toMatchObject({ pathname: '/list', search: '?language=fr&day=1' });
});
