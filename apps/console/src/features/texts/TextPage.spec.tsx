// covers: I18N-01, CMS-01
import { act, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import type { TextUnitView } from '@quarterdeck/projections';
import { instantChosen } from '../../core/as-of/as-of-state';
import { api } from '../../core/api';
import type { Call } from '../../testing/network';
import { press } from '../../testing/presses';
import { openTexts, TEXT, textOf, unitOf } from '../../testing/texts';
import { withTestWorkers } from '../../testing/workers';

const english = unitOf('en', 'Total: {amount}');
const french = unitOf('fr', 'Total : {amount}');
const ok = { body: { id: TEXT, uuid: TEXT } };
const language = (name: string) => within(screen.getByRole('region', { name }));
const button = (name: string) => () => screen.getByRole('button', { name });

const open = (units: TextUnitView[], handlers = {}, more: Parameters<typeof textOf>[1] = {}) =>
  openTexts(
    { 'POST /api/i18n/detail': { body: textOf(units, more) }, ...handlers },
    { at: `/${TEXT}/detail`, isCms: more.isCms ?? false },
  );

test('a text is updated after the question of the specification', async () => {
  const { sent, on } = open([english, french], { 'POST /api/i18n/update/unit': ok });
  await screen.findByRole('heading', { name: 'basket.total' });
  await press(button('Edit French'));
  const field = await screen.findByRole('textbox', { name: 'French text' });
  await userEvent.clear(field);
  await userEvent.type(field, 'Somme');
  await press(button('Update French'));
  const question = await screen.findByRole('dialog', { name: 'Update the French text?' });
  expect(question).toHaveTextContent('Are you sure you would like to update the value?');
  expect(sent('update/unit')).toEqual([]);
  on('POST /api/i18n/detail', { body: textOf([english, unitOf('fr', 'Somme', { revision: 4 })]) });
  await userEvent.click(within(question).getByRole('button', { name: 'Update' }));
  await waitFor(() => expect(language('French').getByText('Somme')).toBeVisible());
  await waitFor(() => expect(screen.queryByRole('textbox', { name: 'French text' })).toBeNull());
  expect(sent('update/unit')).toEqual([{ id: french.id, name: 'Somme', seen: 3 }]);
});

test('the address of a content among the texts, as in the history, leads to the content', async () => {
  const { router, sent } = open([english], {
    'POST /api/i18n/detail': ({ body }: Call) =>
      (body as { isCms: boolean }).isCms
        ? { body: textOf([english]) }
        : { status: 404, body: { msg: 'gone' } },
  });
  await waitFor(() => expect(router.state.location.pathname).toBe(`/other/${TEXT}/detail`));
  expect(sent('detail')).toEqual([
    { uuid: TEXT, isCms: false },
    { uuid: TEXT, isCms: true },
  ]);
});

test('a text is saved by keys alone', async () => {
  const { sent } = open([english], { 'POST /api/i18n/insert/unit': ok });
  await userEvent.type(await screen.findByRole('textbox', { name: 'New German text' }), 'Summe');
  await userEvent.keyboard('{Control>}{Enter}{/Control}');
  const question = within(await screen.findByRole('dialog', { name: 'Insert the German text?' }));
  await waitFor(() => expect(question.getByRole('button', { name: 'Insert' })).toHaveFocus());
  await userEvent.keyboard('{Enter}');
  await waitFor(() => expect(sent('insert/unit')).toEqual([{ i18nKey: TEXT, name: 'Summe', language: 3 }]));
});

test('the form is loading until the page has the new text', async () => {
  let accept = (): void => undefined;
  const accepted = new Promise<void>((resolve) => (accept = resolve));
  open([english], {
    'POST /api/i18n/insert/unit': async () => {
      await accepted;
      return ok;
    },
  });
  await userEvent.type(await screen.findByRole('textbox', { name: 'New German text' }), 'Summe');
  expect(screen.getByRole('region', { name: 'German' }).querySelector('[data-state="edit"]')).not.toBeNull();
  await press(button('Insert German'));
  await userEvent.click(within(await screen.findByRole('dialog')).getByRole('button', { name: 'Insert' }));
  await waitFor(() =>
    expect(
      screen.getByRole('region', { name: 'German' }).querySelector('[data-state="loading"]'),
    ).not.toBeNull(),
  );
  act(accept);
  await waitFor(() =>
    expect(screen.getByRole('region', { name: 'German' })).toHaveAttribute('aria-busy', 'true'),
  );
});

test('a missing text has a form, which inserts it after a question', async () => {
  const { sent, on } = open([english], { 'POST /api/i18n/insert/unit': ok });
  const field = await screen.findByRole('textbox', { name: 'New Arabic text' });
  expect(field.closest('[dir]')).toHaveAttribute('dir', 'rtl');
  expect(field.closest('[lang]')).toHaveAttribute('lang', 'ar');
  await userEvent.type(field, 'المجموع');
  await press(button('Insert Arabic'));
  const question = await screen.findByRole('dialog', { name: 'Insert the Arabic text?' });
  expect(question).toHaveTextContent('Are you sure you would like to insert the value?');
  on('POST /api/i18n/detail', { body: textOf([english, unitOf('ar', 'المجموع')]) });
  await userEvent.click(within(question).getByRole('button', { name: 'Insert' }));
  await waitFor(() => expect(language('Arabic').getByText('translated')).toBeVisible());
  expect(sent('insert/unit')).toEqual([{ i18nKey: TEXT, name: 'المجموع', language: 11 }]);
});

test('arguments are compared with the English text while typing, unless the key is no ICU message', async () => {
  open([english]);
  const field = await screen.findByRole('textbox', { name: 'New French text' });
  await userEvent.type(field, 'Somme');
  expect(await language('French').findByText('{amount} of the English text is missing.')).toBeVisible();
  expect(screen.getByRole('button', { name: 'Insert French' })).toBeEnabled();
  await userEvent.type(field, ' {{amount}');
  await waitFor(() => expect(language('French').queryByText(/is missing/)).toBeNull());
});

test('a key that is no ICU message has no such warning', async () => {
  open([english, unitOf('fr', 'Somme')], {}, { isIcu: false });
  expect(await screen.findByText('Somme')).toBeVisible();
  await userEvent.type(screen.getByRole('textbox', { name: 'New German text' }), 'Summe');
  expect(screen.queryByText(/of the English text is missing/)).toBeNull();
});

describe('while somebody edits a text that another person changes', () => {
  const theirs = unitOf('fr', 'Montant', { revision: 4, changedBy: 'system' });
  const edit = async () => {
    const opened = open([english, french], { 'POST /api/i18n/update/unit': ok });
    await screen.findByRole('heading', { name: 'basket.total' });
    await press(button('Edit French'));
    await userEvent.type(await screen.findByRole('textbox', { name: 'French text' }), ' !');
    opened.on('POST /api/i18n/detail', { body: textOf([english, theirs]) });
    return opened;
  };
  /** As the socket does when the log has a new event. */
  const pushed = (store: Awaited<ReturnType<typeof edit>>['store']) =>
    act(() => void store.dispatch(api.util.invalidateTags(['texts'])));

  test('both versions are shown at once, and one’s own is saved against the newer one', async () => {
    const { store, sent } = await edit();
    pushed(store);
    const conflict = within(await screen.findByRole('alert', { name: 'Conflict' }));
    expect(conflict.getByRole('group', { name: 'French: from theirs to yours' })).toHaveTextContent(
      'Montant',
    );
    expect(screen.getByRole('button', { name: 'Update French' })).toBeDisabled();
    await userEvent.click(conflict.getByRole('button', { name: 'Keep mine' }));
    await press(button('Update French'));
    await userEvent.click(within(await screen.findByRole('dialog')).getByRole('button', { name: 'Update' }));
    await waitFor(() =>
      expect(sent('update/unit')).toEqual([{ id: french.id, name: 'Total : {amount} !', seen: 4 }]),
    );
  });

  test('a refusal fetches the newer text, and theirs can be taken', async () => {
    const { on } = await edit();
    on('POST /api/i18n/update/unit', { status: 409, body: { msg: 'the text was changed meanwhile' } });
    await press(button('Update French'));
    await userEvent.click(within(await screen.findByRole('dialog')).getByRole('button', { name: 'Update' }));
    const conflict = within(await screen.findByRole('alert', { name: 'Conflict' }));
    await userEvent.click(conflict.getByRole('button', { name: 'Take theirs' }));
    expect(screen.getByRole('textbox', { name: 'French text' })).toHaveValue('Montant');
    expect(screen.queryByRole('alert')).toBeNull();
  });

  test('what was typed for a missing text stays when another person adds one', async () => {
    const { store, on } = open([english]);
    await userEvent.type(await screen.findByRole('textbox', { name: 'New French text' }), 'Somme');
    on('POST /api/i18n/detail', { body: textOf([english, french]) });
    pushed(store);
    expect(await screen.findByRole('alert', { name: 'Conflict' })).toHaveTextContent('Total : {amount}');
    expect(screen.getByRole('textbox', { name: 'New French text' })).toHaveValue('Somme');
  });
});

test('a text is reviewed, and an outdated one says what changed in English', async () => {
  const outdated = unitOf('fr', 'Somme', { state: 'outdated', of: 'Sum: {amount}' });
  const { sent } = open([english, outdated], { 'POST /api/i18n/review/unit': ok });
  await userEvent.click(await screen.findByRole('button', { name: 'What changed' }));
  expect(screen.getByRole('group', { name: 'The English text: from then to now' })).toHaveTextContent(
    'Sum: {amount}',
  );
  await press(button('Mark French as reviewed'));
  await waitFor(() => expect(sent('review/unit')).toEqual([{ id: outdated.id, isReviewed: true, seen: 3 }]));
});

test('the history of a text says who changed it when, and restores a former one', async () => {
  const at = '2026-11-19T10:00:00.000Z';
  const by = 'system';
  const grace = '01930000-0000-7000-8000-00000000ace1';
  const { sent } = open([english, french], {
    // A member may not read the list of people, which has e-mails.
    'POST /api/person/list': { status: 403, body: { msg: 'not allowed' } },
    'POST /api/person/names': { body: [{ id: grace, name: 'Grace Ode' }] },
    'POST /api/i18n/history/unit': {
      body: [
        { revision: 3, name: 'Total : {amount}', isReviewed: false, at, by },
        { revision: 2, isReviewed: false, at, by: grace },
        { revision: 0, name: 'Somme', isReviewed: true, at, by },
      ],
    },
    'POST /api/i18n/restore/unit': ok,
  });
  await screen.findByRole('heading', { name: 'basket.total' });
  await press(button('Actions for French'));
  await userEvent.click(await screen.findByRole('menuitem', { name: 'History' }));
  const history = within(await screen.findByRole('region', { name: 'History of French' }));
  expect((await history.findAllByRole('listitem')).map((one) => one.textContent)).toEqual([
    expect.stringContaining('Quarterdeck'),
    expect.stringMatching(/removed.*by Grace Ode/),
    expect.stringContaining('Somme'),
  ]);
  await press(() => history.getByRole('button', { name: 'Restore' }));
  const question = await screen.findByRole('dialog', { name: 'Restore the French text?' });
  await userEvent.click(within(question).getByRole('button', { name: 'Restore' }));
  await waitFor(() => expect(sent('restore/unit')).toEqual([{ uuid: TEXT, language: 2, revision: 0 }]));
});

test('people comment on a key or on a language', async () => {
  const { sent } = open(
    [english],
    { 'POST /api/i18n/insert/comment': ok },
    {
      comments: [
        {
          id: 'c',
          text: 'Below the basket',
          language: { id: 2 },
          at: '2026-11-19T10:00:00.000Z',
          by: 'system',
        },
      ],
    },
  );
  expect(await screen.findByText('Below the basket')).toBeVisible();
  expect(screen.getByText(/on French/)).toBeVisible();
  await userEvent.type(screen.getByRole('textbox', { name: 'New comment' }), 'Short, please');
  await userEvent.selectOptions(screen.getByRole('combobox', { name: 'About' }), 'About German');
  await press(button('Comment'));
  await waitFor(() =>
    expect(sent('insert/comment')).toEqual([{ uuid: TEXT, text: 'Short, please', language: 3 }]),
  );
  await waitFor(() => expect(screen.getByRole('textbox', { name: 'New comment' })).toHaveValue(''));
});

test('what was typed is not lost by leaving', async () => {
  const { go } = open([english]);
  await userEvent.type(await screen.findByRole('textbox', { name: 'New French text' }), 'Somme');
  await go('/add');
  expect(await screen.findByRole('dialog', { name: 'Leave without saving?' })).toBeVisible();
});

test('a content is Markdown with a preview, in its direction', async () => {
  const workers = withTestWorkers();
  open([unitOf('en', '# News'), unitOf('ar', '# أخبار')], {}, { isCms: true, key: 'news' });
  await waitFor(() => expect(workers.map(({ asked }) => asked)).toEqual(['# News']));
  act(() => workers[0]?.answer('<h1>News</h1>'));
  expect(await screen.findByRole('group', { name: 'Preview in English' })).toHaveTextContent('News');
  await press(() => screen.getByRole('button', { name: 'Edit Arabic' }));
  await waitFor(() => expect(workers.at(-1)?.asked).toBe('# أخبار'));
  act(() => workers.at(-1)?.answer('<h1>أخبار</h1>'));
  expect(await screen.findByRole('group', { name: 'Preview in Arabic' })).toHaveAttribute('dir', 'rtl');
});

test('a text that no file could carry, or that is too long, gets its message at the field', async () => {
  open([english]);
  const field = await screen.findByRole('textbox', { name: 'New French text' });
  await userEvent.click(field);
  await userEvent.paste('a\u0001b');
  expect(await screen.findByText('It contains the control character U+0001.')).toBeVisible();
  expect(screen.getByRole('button', { name: 'Insert French' })).toBeDisabled();
});

test('in the past, texts can only be read', async () => {
  const { store } = open([english, french]);
  await screen.findByText('Total : {amount}');
  act(() => void store.dispatch(instantChosen({ at: '2026-11-01T00:00:00.000Z' })));
  await waitFor(() => expect(screen.queryByRole('textbox', { name: 'New German text' })).toBeNull());
  expect((await screen.findByRole('button', { name: 'Edit French' })).closest('[inert]')).not.toBeNull();
});

test('a key is deleted after the question of the specification, and renamed at its field', async () => {
  const { sent } = open([english], {
    'POST /api/i18n/delete': ok,
    'POST /api/i18n/update': {
      status: 400,
      body: { msg: 'taken', data: { key: 'another text has this key' } },
    },
  });
  await screen.findByRole('heading', { name: 'basket.total' });
  await userEvent.click(screen.getByRole('radio', { name: 'Edit' }));
  await userEvent.type(await screen.findByRole('textbox', { name: 'Key' }), 's');
  await press(button('Save key'));
  expect(await screen.findByText('another text has this key')).toBeVisible();
  await press(button('Cancel'));
  await press(button('Actions'));
  await userEvent.click(await screen.findByRole('menuitem', { name: 'Delete text' }));
  const question = await screen.findByRole('dialog', { name: 'Delete basket.total?' });
  expect(question).toHaveTextContent('Are you sure you would like to delete?');
  await userEvent.click(within(question).getByRole('button', { name: 'Delete text' }));
  await waitFor(() => expect(sent('delete')).toEqual([{ uuid: TEXT }]));
});

test('what was not saved stays on the page when somebody deletes the key', async () => {
  const { on, store } = open([english, french]);
  await userEvent.type(await screen.findByRole('textbox', { name: 'New German text' }), 'Summe');
  await press(button('Edit French'));
  await userEvent.type(await screen.findByRole('textbox', { name: 'French text' }), ' !');
  on('POST /api/i18n/detail', { status: 404, body: { msg: 'text could not be found' } });
  on('POST /api/history/list', { body: { events: [] } });
  act(() => void store.dispatch(api.util.invalidateTags(['texts'])));
  const unsaved = within(await screen.findByRole('region', { name: 'What you had not saved' }));
  expect(unsaved.getByLabelText('German, not saved')).toHaveTextContent('Summe');
  expect(unsaved.getByLabelText('French, not saved')).toHaveTextContent('Total : {amount} !');
  expect(unsaved.getByText(/deleted while you were writing/)).toBeVisible();
  expect(screen.queryByRole('textbox')).toBeNull();
});
