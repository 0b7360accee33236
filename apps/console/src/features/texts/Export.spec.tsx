// covers: I18N-01
import { act, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { instantChosen } from '../../core/as-of/as-of-state';
import { openTexts, PRODUCT } from '../../testing/texts';
import { press } from '../../testing/presses';

beforeEach(() => {
  // jsdom saves no files.
  URL.createObjectURL = () => 'blob:x';
  URL.revokeObjectURL = () => undefined;
  HTMLAnchorElement.prototype.click = () => undefined;
});

const open = () =>
  openTexts(
    {
      'POST /api/i18n/export': {
        text: 'key,en',
        headers: { 'content-disposition': 'attachment; filename="texts.csv"' },
      },
    },
    { at: '/export' },
  );
const of = { product: { id: PRODUCT }, isCms: false };
const exportIt = () => press(() => screen.getByRole('button', { name: 'Export' }));

test('exports a language in a format, with what changed between two instants', async () => {
  const { sent } = open();
  await userEvent.selectOptions(await screen.findByRole('combobox', { name: 'Format' }), 'gettext PO');
  await userEvent.selectOptions(screen.getByRole('combobox', { name: 'Languages' }), 'Arabic');
  await userEvent.type(screen.getByLabelText('Only what changed since'), '2026-11-02T10:00');
  await userEvent.type(screen.getByLabelText('As of'), '2026-11-01T10:00');
  expect(screen.getByText('Choose an instant after "Only what changed since".')).toBeVisible();
  expect(screen.getByRole('button', { name: 'Export' })).toBeDisabled();
  await userEvent.clear(screen.getByLabelText('As of'));
  await userEvent.type(screen.getByLabelText('As of'), '2026-11-03T10:00');
  await exportIt();
  expect(await screen.findByText('texts.csv was saved.')).toBeVisible();
  expect(sent('export')).toEqual([
    {
      ...of,
      format: 'po',
      languages: [11],
      since: new Date('2026-11-02T10:00').toISOString(),
      at: new Date('2026-11-03T10:00').toISOString(),
    },
  ]);
});

test('follows the instant of the page', async () => {
  const { sent, store } = open();
  const at = '2026-11-01T00:00:00.000Z';
  await screen.findByRole('combobox', { name: 'Format' });
  act(() => void store.dispatch(instantChosen({ at })));
  expect(screen.queryByLabelText('As of')).toBeNull();
  expect(screen.getByText(/^As of .*, the instant that this page shows\.$/)).toBeVisible();
  await exportIt();
  await waitFor(() => expect(sent('export')).toEqual([{ ...of, format: 'json', at }]));
});
