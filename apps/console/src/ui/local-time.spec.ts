import { fromLocalInput, instantOfInput, shownInInput, toLocalInput } from './local-time';

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

describe('a time in a form', () => {
  const shown = (stored: string) => shownInInput(stored, Date.parse);

  test.each(['2026-12-31', '2026-12-24T18:00:30+02:00', 'no time'])(
    '%s stays while nobody changes it',
    (stored) => expect(instantOfInput(stored)).toBe(stored),
  );

  test.each(['2026-12-31', '2026-12-24T18:00:30+02:00'])('%s is shown in the zone of the reader', (stored) =>
    expect(new Date(shown(stored)).getTime()).toBe(Date.parse(stored)),
  );

  test('is sent with its zone, and shown as it was typed', () => {
    const typed = '2026-12-24T18:05';
    expect(shown(typed)).toBe(typed);
    expect(instantOfInput(typed)).toMatch(/^2026-12-2\dT\d\d:\d\dZ$/);
    expect(Date.parse(instantOfInput(typed))).toBe(new Date(typed).getTime());
  });

  test.each(['', 'no time'])('%j is shown as none', (text) => expect(shown(text)).toBe(''));
});
