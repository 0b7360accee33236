// covers: VER-03
import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import type { VersionRow } from '@quarterdeck/projections';
import { answerWith } from '../../testing/network';
import { press } from '../../testing/presses';
import { renderPage, sessionOf } from '../../testing/render';
import { ApplyTab } from './ApplyTab';

const PRODUCT = { id: '01930000-0000-7000-8000-000000000a01', name: 'Shop' };
const VERSION = '01930000-0000-7000-8000-000000000b01';
const DATABASE = '01930000-0000-7000-8000-000000000c01';
const plan = {
  database: { id: DATABASE, name: 'shop', type: 'PostgreSQL' },
  from: 1,
  to: 2,
  statements: [],
  findings: [],
  destroys: false,
  seal: 'sealed',
  repairs: false,
  alone: [],
  fits: false,
};
const asking = (where: string, asks: string, rows: number) => ({
  code: 'requiredColumnAdded',
  severity: 'refusable',
  where,
  reason: 'existing rows have no value',
  remedy: 'give one',
  rows,
  asks,
});
const statements = [{ fileName: 'V2_1__add.sql', sql: 'alter table "customer" add column "phone" text;' }];

const planned = async (shown: object) => {
  const network = answerWith({
    'GET /api/session': { body: sessionOf('admin') },
    'POST /api/database/list': {
      body: [{ id: DATABASE, name: 'shop', host: 'db.example.org', env: { id: 1, name: 'dev' } }],
    },
    'POST /api/run/list': { body: { runs: [] } },
    'POST /api/data-model/version/plan': { body: { ...plan, ...shown } },
    'POST /api/data-model/version/baseline': { status: 409, body: { msg: 'the plan is another one by now' } },
    'POST /api/data-model/version/adopt': { body: { edits: 1, left: [] } },
  });
  const version = { id: VERSION, env: { id: 1, name: 'dev' }, applied: [] } as unknown as VersionRow;
  renderPage(<ApplyTab product={PRODUCT} version={version} />, { session: sessionOf('admin') });
  await screen.findByRole('option', { name: 'shop at db.example.org' });
  await press(() => screen.getByRole('button', { name: 'Compare with database' }));
  return { ...network, shown: within(await screen.findByRole('region', { name: 'Plan' })) };
};
const sentTo = (calls: readonly { path: string; body?: unknown }[], call: string) =>
  calls.filter(({ path }) => path.endsWith(`/version/${call}`)).map(({ body }) => body);

test('a database that fits is recorded as it was shown, after a question', async () => {
  const { calls, shown } = await planned({ from: 0, fits: true, alone: ['The view totals is left alone.'] });
  expect(shown.getByText('The view totals is left alone.')).toBeVisible();
  await press(() => shown.getByRole('button', { name: 'Record version 2 as baseline' }));
  const dialog = within(await screen.findByRole('dialog'));
  await press(() => dialog.getByRole('button', { name: 'Record as baseline' }));
  expect(await screen.findByText(/the plan is another one by now/)).toBeVisible();
  expect(sentTo(calls, 'baseline')).toEqual([
    { uuid: VERSION, database: { id: DATABASE }, seal: 'sealed', runId: expect.any(String) },
  ]);
});

test('a plan that the rows of the database hinder is not offered', async () => {
  const finding = {
    code: 'keysMissing',
    severity: 'refusable',
    where: 'order.customer_id',
    reason: 'Rows have values that are no key of customer.',
    remedy: 'Change those values first.',
    rows: 2,
  };
  const { shown } = await planned({ statements, findings: [finding] });
  expect(shown.getByText('will be refused')).toBeVisible();
  expect(
    shown.getByText(/no key of customer\. Change those values first\. Then compare again/),
  ).toBeVisible();
  expect(shown.queryByRole('button', { name: /^Apply/ })).toBeNull();
});

test('a plan that asks for values is applied only with them, and a refusal is at its field', async () => {
  const phone = asking('customer.phone', 'a text', 3);
  const { calls, on, shown } = await planned({ statements, findings: [phone] });
  expect(shown.queryByRole('button', { name: /^Apply/ })).toBeNull();
  await userEvent.type(shown.getByLabelText('customer.phone'), '-');
  // The value brings up another question.
  on('POST /api/data-model/version/plan', {
    body: { ...plan, seal: 'second', statements, findings: [asking('customer.born', 'a date', 3)] },
  });
  await press(() => shown.getByRole('button', { name: 'Use these values' }));
  const born = await screen.findByLabelText('customer.born');
  await userEvent.type(born, 'today');
  const wrong = 'this is no date: 2026-01-31';
  on('POST /api/data-model/version/plan', {
    status: 400,
    body: { msg: wrong, data: { 'values.1.value': wrong } },
  });
  await press(() => screen.getByRole('button', { name: 'Use these values' }));
  await waitFor(() => expect(screen.getByLabelText('customer.born')).toHaveAccessibleDescription(/no date/));
  expect(sentTo(calls, 'plan').at(-1)).toMatchObject({
    values: [
      { where: 'customer.phone', value: '-' },
      { where: 'customer.born', value: 'today' },
    ],
  });
});

test('a column that was renamed by hand is adopted as a rename, unless the operator says otherwise', async () => {
  const renames = [
    { table: 'customer', from: 'mail', to: 'email' },
    { table: 'customer', from: 'tel', to: 'phone' },
  ];
  const drift = { words: ['customer.mail is customer.email'], expected: 'a', actual: 'b', left: [], renames };
  const { calls, shown } = await planned({ from: 2, drift, repairs: true, statements });
  expect(shown.getByRole('button', { name: /^Repair with/ })).toBeVisible();
  await press(() => shown.getByRole('checkbox', { name: /^customer.phone is the renamed column tel/ }));
  await press(() => shown.getByRole('button', { name: 'Adopt into the model' }));
  const dialog = within(await screen.findByRole('dialog'));
  await press(() => dialog.getByRole('button', { name: 'Adopt into the model' }));
  expect(await screen.findByText(/The model was edited in 1 place/)).toBeVisible();
  expect(sentTo(calls, 'adopt')).toMatchObject([{ renames: [renames[0]] }]);
  // It would take back what was adopted.
  expect(screen.queryByRole('button', { name: /^Repair with/ })).toBeNull();
});
