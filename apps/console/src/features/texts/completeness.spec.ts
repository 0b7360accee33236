// covers: I18N-01
import { instantsOf } from './completeness';

const day = (at: number) => ({
  day: new Date(Date.UTC(2026, 0, 1 + at)).toISOString().slice(0, 10),
  keys: 100,
  texts: [100, at],
});

test('shows as many days as fit, the first and the last among them', () => {
  const instants = instantsOf(Array.from({ length: 90 }, (_, at) => day(at)));
  expect(instants).toHaveLength(13);
  expect(instants[0]).toMatchObject({
    id: '2026-01-01',
    label: '1 Jan',
    title: '1 January 2026',
    end: '2026-01-01T23:59:59.999Z',
    shares: { en: { done: 100, of: 100 }, fr: { done: 0, of: 100 }, de: { done: 0, of: 100 } },
  });
  expect(instants.at(-1)).toMatchObject({ id: '2026-03-31', shares: { fr: { done: 89, of: 100 } } });
  // Today is not over, so it is seen as of now.
  expect(instants.at(-1)).not.toHaveProperty('end');
});

test.each([[0], [1], [5]])('of %s days, all are shown', (count) => {
  expect(instantsOf(Array.from({ length: count }, (_, at) => day(at)))).toHaveLength(count);
});
