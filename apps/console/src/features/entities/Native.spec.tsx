// covers: DM-01, DM-02
import { screen } from '@testing-library/react';
import { answerWith } from '../../testing/network';
import { renderPage, sessionOf } from '../../testing/render';
import { Entities } from '.';

const [ENTITY, MAIL, NOTE] = ['a1', 'a2', 'a3'].map((end) => `01930000-0000-7000-8000-0000000000${end}`);
const record = {
  workspace: 'main',
  addedAt: '2026-11-20T10:00:00.000Z',
  addedBy: 'x',
  changedAt: '2026-11-20T10:00:00.000Z',
  changedBy: 'x',
  revision: 0,
  position: '7',
};
const parts = [
  { kind: 'key', name: 'PRIMARY', text: '(`id`)', columns: ['id'] },
  { kind: 'index', name: 'by_mail', text: '(`mail`)', columns: ['mail'] },
];
const native = { dialect: 'mysql', as: 'customer', columns: ['id', 'mail'], key: ['id'], parts };
const entity = {
  ...record,
  id: ENTITY,
  uuid: ENTITY,
  product: 'p',
  name: 'Customer',
  table: 'customer',
  isUuid: false,
  fields: [],
  native: { ...native, options: 'ENGINE=InnoDB DEFAULT CHARSET=latin1' },
};
const attribute = {
  ...record,
  id: MAIL,
  uuid: MAIL,
  entity: ENTITY,
  name: 'Mail',
  column: '',
  type: { id: 1, name: 'String' },
  optional: false,
  foreignEntity: null,
  modelOptionSet: null,
  native: { dialect: 'mysql', as: 'mail', of: 'String', type: 'varchar(120)', rest: "DEFAULT 'none'" },
};
const typed = { ...attribute, id: NOTE, uuid: NOTE, name: 'Note', native: null };

const open = (at: string, { of = attribute, shown = entity as object } = {}) => {
  answerWith({
    'GET /api/session': { body: sessionOf('admin') },
    'POST /api/person/list': { body: [] },
    'POST /api/person/names': { body: [] },
    'POST /api/data-model/entity/detail': { body: shown },
    'POST /api/data-model/attribute/list': { body: [attribute, typed] },
    'POST /api/data-model/attribute/detail': { body: of },
    'POST /api/data-model/attribute/listAssociated': { body: [] },
    'POST /api/history/list': { body: { events: [] } },
  });
  renderPage(<Entities base="/model" product="p" optionSets="/set" />, { at, session: sessionOf('admin') });
};
const shownNative = async () => (await screen.findByText('Native')).nextElementSibling;

test('an imported entity shows what its table has besides columns', async () => {
  open(`/${ENTITY}/detail`);
  const shown = await shownNative();
  expect([...(shown?.querySelectorAll('code') ?? [])].map(({ textContent }) => textContent)).toEqual([
    'ENGINE=InnoDB DEFAULT CHARSET=latin1',
    'key PRIMARY (`id`)',
    'index by_mail (`mail`)',
  ]);
  expect(screen.getByText('UUID key').nextElementSibling).toHaveTextContent(/^as imported: id$/);
});

test('an imported attribute shows its exact type', async () => {
  open(`/${ENTITY}/detail/attribute/${MAIL}/detail`);
  await screen.findByRole('heading', { name: 'Mail' });
  expect(await shownNative()).toHaveTextContent("varchar(120) DEFAULT 'none'");
});

test('an attribute that was not imported has no exact type', async () => {
  open(`/${ENTITY}/detail/attribute/${NOTE}/detail`, { of: typed as unknown as typeof attribute });
  await screen.findByRole('heading', { name: 'Note' });
  expect(screen.queryByText(/varchar/)).toBeNull();
});
