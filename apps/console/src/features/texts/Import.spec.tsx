// covers: I18N-01
import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { paths } from '../../core/paths';
import { openTexts, PRODUCT } from '../../testing/texts';
import { press } from '../../testing/presses';

const edit = (key: string, from: string | undefined, to: string | undefined) => ({
  key,
  language: { id: 2 },
  ...(from !== undefined && { from }),
  ...(to !== undefined && { to }),
});
const counts = {
  newKeys: 1,
  added: 1,
  changed: 1,
  removed: 1,
  conflicts: 1,
  unchanged: 7,
  leftOut: 1,
  keys: 4,
};
const preview = {
  format: 'JSON',
  counts,
  newKeys: ['menu.help'],
  added: [edit('menu.help', undefined, 'Aide')],
  changed: [edit('basket.total', 'Somme', 'Total')],
  removed: [edit('basket.old', 'Ancien', undefined)],
  conflicts: [
    {
      ...edit('basket.pay', 'Payer', 'Régler'),
      line: 9,
      why: 'The English text has changed since this file was made.',
    },
  ],
  leftOut: [{ line: 12, key: ' x', why: 'The key begins or ends with a space.' }],
  seen: 'a'.repeat(64),
};
const RUN = '01930000-0000-7000-8000-000000000799';
const UNDO = '01930000-0000-7000-8000-000000000798';
const file = (name: string, text: string) => new File([text], name);

const open = (handlers = {}, role: 'admin' | 'member' = 'member') =>
  openTexts(
    {
      'POST /api/i18n/import/preview': { body: preview },
      'POST /api/i18n/import': { body: { runId: RUN } },
      'POST /api/i18n/import/detail': { body: { state: 'succeeded', keys: 3, left: 0, leftAsIs: [] } },
      'POST /api/i18n/import/undo': { body: { runId: UNDO } },
      ...handlers,
    },
    { at: '/import', role },
  );
const choose = async (chosen: File) => {
  await screen.findByRole('button', { name: 'Choose a file, or drop one here' });
  await userEvent.upload(screen.getByLabelText('File to import'), chosen);
};
const press_ = (name: string) => press(() => screen.getByRole('button', { name }));

test('shows what would change before anything is recorded, imports exactly that, and undoes it', async () => {
  const { sent } = open();
  await choose(file('fr.json', '{"basket.total":"Total"}'));
  expect(screen.getByText('fr.json')).toBeVisible();
  await press_('Preview');
  const seen = within(await screen.findByRole('region', { name: 'Preview' }));
  expect(seen.getByRole('status')).toHaveTextContent(
    'The import would change 2 texts of 4 keys. Nothing has been recorded yet.',
  );
  expect(within(seen.getByRole('region', { name: 'Changed' })).getByText('Somme')).toBeVisible();
  expect(
    within(seen.getByRole('region', { name: 'Conflicts' })).getByText(/^Line 9: The English text/),
  ).toBeVisible();
  expect(seen.getByRole('region', { name: 'Left out' })).toHaveTextContent(
    'The key begins or ends with a space.',
  );
  expect(sent('import')).toEqual([]);
  const content = btoa('{"basket.total":"Total"}');
  const asked = { product: { id: PRODUCT }, isCms: false, name: 'fr.json', content };
  await press(() => seen.getByRole('checkbox', { name: 'Take the texts of the file all the same' }));
  await waitFor(() =>
    expect(sent('import/preview')).toEqual([asked, { ...asked, take: ['changed', 'conflicts'] }]),
  );
  await waitFor(() => expect(screen.getByRole('status')).toHaveTextContent('would change 3 texts'));
  await press_('Import');
  expect(await screen.findByText('The import has ended')).toBeVisible();
  expect(sent('import')).toEqual([{ ...asked, take: ['changed', 'conflicts'], seen: preview.seen }]);
  await press_('Undo import');
  await userEvent.click(
    within(await screen.findByRole('dialog')).getByRole('button', { name: 'Undo import' }),
  );
  expect(await screen.findByText('The undo of the import has ended')).toBeVisible();
  expect(sent('import/undo')).toEqual([{ run: RUN }]);
  expect(sent('import/detail')).toContainEqual({ run: UNDO });
});

const importAs = async (role: 'admin' | 'member', handlers = {}) => {
  const page = open(handlers, role);
  await choose(file('fr.json', '{}'));
  await press_('Preview');
  await screen.findByRole('region', { name: 'Preview' });
  expect(screen.getByText('The file was read as JSON.')).toBeVisible();
  await press_('Import');
  return page;
};

test('a member sees how an import ends, though members see no runs', async () => {
  const { on } = await importAs('member', {
    'POST /api/i18n/import/detail': { body: { state: 'open', leftAsIs: [] } },
  });
  // The preview and what is being loaded have a status too.
  const title = await screen.findByText('The import has started');
  const status = within(title.closest('[role=status]') as HTMLElement);
  expect(await status.findByText('running')).toBeVisible();
  expect(screen.getByRole('button', { name: 'Undo import' })).toBeDisabled();
  on('POST /api/i18n/import/detail', {
    body: { state: 'succeeded', keys: 3, left: 2, leftAsIs: ['basket.total (fr): changed since'] },
  });
  expect(await status.findByText('succeeded')).toBeVisible();
  expect(status.getByText('The import has ended')).toBeVisible();
  expect(status.getByText('It was to change 3 keys.')).toBeVisible();
  await userEvent.click(status.getByText('Changed by somebody since, so left as they are: 2'));
  expect(await status.findByText('basket.total (fr): changed since')).toBeVisible();
  expect(status.getByText('And 1 more.')).toBeVisible();
  expect(status.queryByRole('link')).toBeNull();
  expect(screen.getByRole('button', { name: 'Undo import' })).toBeEnabled();
});

test('says why an import failed, and shows its run to an administrator', async () => {
  await importAs('admin', {
    'POST /api/i18n/import/detail': { body: { state: 'failed', reason: 'No more room.', leftAsIs: [] } },
  });
  expect(await screen.findByText('No more room.')).toBeVisible();
  expect(screen.getByRole('link', { name: 'Show its run' })).toHaveAttribute('href', paths.run(RUN));
});

test('a file that cannot be read says where, at its field', async () => {
  const { on } = open({
    'POST /api/i18n/import/preview': {
      status: 400,
      body: { msg: 'no', data: { content: 'Line 3, column 5: Expected a comma.' } },
    },
  });
  await choose(file('fr.json', '{'));
  await press_('Preview');
  const refused = await screen.findByRole('alert');
  expect(refused).toHaveTextContent('This file cannot be read');
  expect(refused).toHaveTextContent('Line 3, column 5: Expected a comma.');
  on('POST /api/i18n/import/preview', { body: preview });
  await choose(file('fr.csv', 'key,fr'));
  expect(screen.queryByRole('alert')).toBeNull();
  await press_('Preview');
  expect(await screen.findByRole('region', { name: 'Preview' })).toBeVisible();
});

test('a file of 50 MB is refused before it is read', async () => {
  const { sent } = open();
  const large = file('all.csv', 'key,en');
  Object.defineProperty(large, 'size', { value: 50 * 1024 * 1024 });
  await choose(large);
  expect(await screen.findByRole('alert')).toHaveTextContent('all.csv has 50 MB. At most 16 MB are possible');
  expect(screen.getByRole('button', { name: 'Preview' })).toBeDisabled();
  expect(sent('import/preview')).toEqual([]);
});

test('a text can be pasted, in a language that is chosen', async () => {
  const { sent } = open();
  await userEvent.click(await screen.findByRole('radio', { name: 'Paste' }));
  await userEvent.click(screen.getByRole('textbox', { name: 'Content' }));
  await userEvent.paste('{"a":"ü"}');
  await userEvent.selectOptions(screen.getByRole('combobox', { name: 'Language' }), 'German');
  await press_('Preview');
  await screen.findByRole('region', { name: 'Preview' });
  expect(sent('import/preview')).toEqual([
    { product: { id: PRODUCT }, isCms: false, name: 'pasted', content: 'eyJhIjoiw7wifQ==', language: 3 },
  ]);
});

test('texts that somebody changed since the preview are shown again, and nothing is imported', async () => {
  const { on, sent } = open({
    'POST /api/i18n/import': { status: 409, body: { msg: 'the texts have changed' } },
  });
  await choose(file('fr.json', '{}'));
  await press_('Preview');
  await screen.findByRole('region', { name: 'Preview' });
  on('POST /api/i18n/import/preview', {
    body: { ...preview, counts: { ...counts, added: 0, keys: 3 }, added: [] },
  });
  await press_('Import');
  expect(await screen.findByRole('alert')).toHaveTextContent('Nothing was imported');
  await waitFor(() =>
    expect(screen.getByRole('status')).toHaveTextContent('would change one text'.replace('one', '1')),
  );
  expect(sent('import/preview')).toHaveLength(2);
});
