// covers: OPT-01, ERR-02
import { screen, within } from '@testing-library/react';
import { answerWith } from '../../testing/network';
import { press } from '../../testing/presses';
import { renderPage, sessionOf } from '../../testing/render';
import { OptionSets } from '.';

const [SET, VALUE] = ['01930000-0000-7000-8000-0000000000a1', '01930000-0000-7000-8000-0000000000a2'];
const record = {
  workspace: 'main',
  addedAt: '2026-11-20T10:00:00.000Z',
  addedBy: 'x',
  changedAt: '2026-11-20T10:00:00.000Z',
  changedBy: 'x',
  revision: 0,
  position: '7',
};

test('before a value is deleted, the question is that of the specification', async () => {
  const value = { ...record, id: VALUE, uuid: VALUE, optionSet: SET, key: 1, value: 'open' };
  const set = { ...record, id: SET, uuid: SET, product: 'p', name: 'Status', valueOrder: [], values: [] };
  answerWith({
    'GET /api/session': { body: sessionOf('admin') },
    'POST /api/person/list': { body: [] },
    'POST /api/person/names': { body: [] },
    'POST /api/data-model/option-set/detail': { body: set },
    'POST /api/data-model/option-set/value/list': { body: [value] },
    'POST /api/data-model/option-set/value/detail': { body: value },
    'POST /api/data-model/attribute/listAssociated': { body: [] },
    'POST /api/history/list': { body: { events: [] } },
  });
  renderPage(<OptionSets base="/set" product="p" entities="/model" />, {
    at: `/${SET}/detail/value/${VALUE}/detail`,
    session: sessionOf('admin'),
  });
  await screen.findByRole('heading', { name: 'open' });
  await press(() => screen.getAllByRole('button', { name: 'Actions' }).at(-1) as HTMLElement);
  await press(() => screen.getByRole('menuitem', { name: 'Delete option set value' }));
  const dialog = within(await screen.findByRole('dialog', { name: 'Delete open?' }));
  expect(dialog.getByText(/^Are you sure you would like to delete this item\?/)).toBeVisible();
});
