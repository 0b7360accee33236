import { fromLocalInput, toLocalInput } from './local-time';

test('a time survives the way into an input and back', () => {
  const iso = '2026-11-20T12:34:56.000Z';
  expect(fromLocalInput(toLocalInput(iso, 'seconds'))).toBe(iso);
  expect(fromLocalInput(toLocalInput(iso))).toBe('2026-11-20T12:34:00.000Z');
});

test.each([undefined, '', 'nonsense', '+275760-09-14T00:00:00.000Z'])('%s is shown as no time', (iso) =>
  expect(toLocalInput(iso)).toBe(''),
);

test.each(['', '20:15', '999999-01-01T00:00'])('%j is not a time', (value) =>
  expect(fromLocalInput(value)).toBeUndefined(),
);
