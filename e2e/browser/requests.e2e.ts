/** A saved request from its first field to its answer, which is shown as a tree. covers: REQ-01, REQ-02 */
import { withJson } from '../../testing/told-server';
import { test } from './alerts-house';
import { check } from './every-look';
import { expect } from './house';
import { tabTo } from './tab-to';

const wide = { width: 1440, height: 900 };

test('a request is saved, given a parameter, sent, and its answer is opened', async ({
  person,
  receiver,
}, info) => {
  const { page } = await person('ada@example.com', { at: '/app/request' });
  receiver.answer(withJson({ total: 2, orders: [{ id: 41, customer: { name: 'Ada' } }] }));
  await page.getByRole('link', { name: 'Add new' }).first().click();
  const adding = page.getByRole('form', { name: 'Add request', exact: true });
  await adding.getByLabel('Name').fill('Orders');
  await adding.getByLabel('Host').fill(receiver.url);
  await adding.getByLabel('Path').fill('/orders');
  await adding.getByLabel('Checks').fill('status == 200 && json.total > 1');
  await page.getByRole('button', { name: 'Save request' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Orders' })).toBeVisible();

  await page.getByRole('link', { name: 'Add parameter' }).click();
  const param = page.getByRole('form', { name: 'Add request param' });
  await param.getByLabel('Name').first().fill('limit');
  await param.getByLabel('Location').first().selectOption({ label: 'Params' });
  await page.getByRole('button', { name: 'Save request param' }).click();
  await expect(page.getByRole('heading', { level: 2, name: 'limit' })).toBeVisible();
  await page.getByRole('tab', { name: 'Overview' }).first().click();
  await page.getByLabel('limit (Params)').fill('25');
  await page.getByRole('button', { name: 'Send GET' }).click();
  const result = page.getByRole('region', { name: 'Result' });
  await expect(result.getByText('200 OK')).toBeVisible();
  await expect(result.getByText('passed')).toBeVisible();
  expect(receiver.asked.at(-1)?.path).toBe('/orders?limit=25');
  await expect(page.getByRole('table', { name: 'Logs' })).toContainText('limit=25');
  await check(page, 'request', info);
  await page.setViewportSize(wide);

  await result.getByRole('link', { name: 'Open answer' }).click();
  const tree = page.getByRole('tree', { name: 'Body as JSON' });
  await expect(tree.getByText('customer')).toBeHidden();
  await tabTo(page, 'tree', 'Body as JSON');
  for (const key of ['End', 'ArrowRight']) await page.keyboard.press(key);
  await expect(tree.getByText('customer')).toBeVisible();
  await page.keyboard.press('ArrowRight');
  await page.keyboard.press('ArrowDown');
  await expect(page.getByText('Path: orders[0].customer')).toBeVisible();
  await check(page, 'answer', info);
  await page.setViewportSize(wide);

  // Sent again by keyboard, and compared with the first answer.
  receiver.answer(withJson({ total: 3, orders: [{ id: 41, customer: { name: 'Ada' } }] }));
  await page.getByRole('main').getByRole('link', { name: 'Orders', exact: true }).click();
  await page.getByLabel('limit (Params)').fill('25');
  await page.getByLabel('limit (Params)').press('Enter');
  await result.getByRole('link', { name: 'Open answer' }).click();
  await page.getByLabel('Compare with the answer of').selectOption({ index: 1 });
  const fields = page.getByRole('table', { name: 'Changed fields' });
  await expect(fields.getByRole('row', { name: 'total 2 3' })).toBeVisible();
  await expect(fields.getByRole('row')).toHaveCount(2);
  await check(page, 'answers-compared', info);
  await page.setViewportSize(wide);

  await page.goto('/app/request');
  await page.getByRole('link', { name: 'Orders' }).click();
  await page.getByRole('tab', { name: 'Past' }).click();
  await page.getByLabel('Would these checks have failed?').fill('json.total > 2');
  await page.getByRole('button', { name: 'Check the past' }).press('Enter');
  await expect(page.getByText('1 of 2 answers would not have passed.')).toBeVisible();
  await check(page, 'request-past', info);
  await page.setViewportSize(wide);

  await page.goto('/app/request/collection/add');
  const collecting = page.getByRole('form', { name: 'Add request collection' });
  await collecting.getByLabel('Name').fill('Shop API');
  await page.getByRole('button', { name: 'Save request collection' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Shop API' })).toBeVisible();

  await page.goto('/app/request/import');
  await page
    .getByLabel('Command', { exact: true })
    .fill(`curl '${receiver.url}/imported' -H 'Cookie: sid=4711'`);
  await page.getByRole('button', { name: 'Preview' }).click();
  await expect(page.getByText('Cookie is taken from the secret cookie', { exact: false })).toBeVisible();
  await check(page, 'request-import', info);
  await page.setViewportSize(wide);
  await page.getByLabel('Collection').selectOption('Shop API');
  await page.getByRole('button', { name: 'Import 1 request' }).click();
  await expect(page.getByRole('table', { name: 'Requests' })).toContainText('GET /imported');
  await check(page, 'requests', info);
  await page.setViewportSize(wide);

  // Its secret does not exist yet, so the run says what is missing.
  await page.getByRole('link', { name: 'Collections' }).click();
  await page.getByRole('link', { name: 'Shop API' }).click();
  await page.getByRole('button', { name: 'Run collection' }).click();
  const results = page.getByRole('table', { name: 'Results' });
  await expect(results).toContainText('there is no secret cookie in this environment');
  await check(page, 'request-collection', info);
});

const document = {
  openapi: '3.0.3',
  info: { title: 'Shop', version: '1' },
  servers: [{ url: 'https://shop.example.com/v1' }],
  paths: {
    '/orders/{id}': {
      get: {
        summary: 'One order',
        parameters: [{ name: 'id', in: 'path', required: true, schema: { type: 'string' } }],
      },
    },
    '/orders': { post: { summary: 'Add an order' } },
  },
};

test('values of an environment are kept, secrets are not shown, and an OpenAPI document is previewed', async ({
  person,
}, info) => {
  const { page } = await person('ada@example.com');
  for (const [kind, name, value] of [
    ['variable', 'base_url', 'https://shop.example.com'],
    ['secret', 'token', 'tok-4711-secret'],
  ] as const) {
    await page.goto(`/app/request/${kind}/add`);
    const form = page.getByRole('form', { name: `Add request ${kind}` });
    await form.getByLabel('Name').fill(name);
    await form.getByLabel(/^Env/).selectOption({ index: 1 });
    await form.getByLabel('Value').fill(value);
    await check(page, `request-${kind}-form`, info);
    await page.setViewportSize(wide);
    await page.getByRole('button', { name: `Save request ${kind}` }).click();
    await expect(page.getByRole('heading', { level: 1, name })).toBeVisible();
    await page.goto(`/app/request/${kind}`);
    await expect(page.getByRole('table').getByText(name)).toBeVisible();
    await expect(page.getByText('tok-4711-secret')).toHaveCount(0);
    await check(page, `request-${kind}s`, info);
    await page.setViewportSize(wide);
  }

  await page.goto('/app/request/import');
  await page.getByText('OpenAPI 3', { exact: true }).click();
  await page.getByLabel('Document', { exact: true }).fill('openapi: 2');
  await page.getByRole('button', { name: 'Preview' }).click();
  await expect(page.getByRole('button', { name: /^Import \d/ })).toHaveCount(0);
  await page.getByLabel('Document', { exact: true }).fill(JSON.stringify(document));
  await page.getByRole('button', { name: 'Preview' }).click();
  await expect(page.getByRole('button', { name: 'Import 2 requests' })).toBeVisible();
  await check(page, 'request-openapi', info);
  await page.setViewportSize(wide);
  await page.getByRole('button', { name: 'Import 2 requests' }).click();
  await page.getByRole('link', { name: 'One order' }).click();
  await page.getByRole('tab', { name: 'Parameters' }).click();
  await expect(page.getByRole('table', { name: 'Parameters' })).toContainText('id (');
  await page.getByRole('link', { name: /^Add/ }).first().click();
  await expect(page.getByRole('form', { name: 'Add request param' })).toBeVisible();
  await check(page, 'request-param-form', info);
});
