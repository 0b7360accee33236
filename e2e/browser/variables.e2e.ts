// Environment variables of a service: entered, imported, compared, read by a token. covers: ENV-01, SVC-01
import { check } from './every-look';
import { expect, test } from './house';

test('variables are entered, imported after a preview, compared, undone as a whole, and read by a token', async ({
  person,
  house,
}, info) => {
  test.slow();
  const { page } = await person('variables@example.com');
  const post = async (path: string, data: object): Promise<string> => {
    const headers = { 'x-requested-with': 'quarterdeck' };
    const answer = await page.request.post(`/api/${path}`, { headers, data });
    expect([path, answer.status()]).toEqual([path, 200]);
    return ((await answer.json()) as { id: string }).id;
  };
  const product = await post('product/insert', { data: { name: 'Shop', description: 'Sells shirts.' } });
  const server = await post('server/insert', {
    alias: 'web-1',
    host: house.sshd.host,
    port: house.sshd.port,
    username: house.sshd.username,
    root: '/root',
    path: '/root/static',
    nginxPath: '/root/nginx',
    privateKey: (await house.sshd.keyFor('ed25519')).privateKey,
  });
  const service = await post('service/insert', {
    product: { id: product },
    data: {
      name: 'orders',
      nameFront: '',
      organization: 'acme',
      repo: 'orders',
      repoFront: '',
      server: { id: server },
      port: 3000,
      packageType: 'container',
      packageSubfolder: '',
      withDb: false,
    },
  });

  await page.goto(`/app/product/${product}/detail`);
  const services = page.getByRole('region', { name: 'Services' });
  await expect(services.getByRole('link', { name: 'web-1' })).toBeVisible();
  await expect(services.getByText('no domain leads here yet')).toBeVisible();
  await expect(page.getByText('Nothing has been deployed yet.')).toBeVisible();
  await check(page, 'product-overview', info);
  await page.goto(`/app/product/${product}/detail/${service}/edit`);
  await page.getByRole('tab', { name: 'Domain locations' }).click();
  await expect(page.getByText('No location leads here yet')).toBeVisible();
  await check(page, 'service-locations', info);

  await page.getByRole('tab', { name: 'Environment variables' }).click();
  await page.getByRole('link', { name: 'Add variable' }).first().click();
  await page.getByLabel('Key').fill('LOG LEVEL');
  await page.getByRole('button', { name: 'Save variable' }).click();
  await expect(page.getByText('use letters, digits, _, . and -, and begin with a letter or _')).toBeVisible();
  await check(page, 'variable-add-refused', info);
  await page.getByLabel('Key').fill('LOG_LEVEL');
  await page.getByRole('textbox', { name: 'Value' }).fill('info');
  await page.getByRole('button', { name: 'Save variable' }).click();
  const table = page.getByRole('region', { name: 'Environment variables' });
  await expect(table.getByText('info', { exact: true })).toBeVisible();

  await page.getByRole('link', { name: 'Import' }).click();
  await page
    .getByLabel('Content')
    .fill('export LOG_LEVEL = debug\nAPI_TOKEN="a secret\\nof two lines"\nPORT=3000\nCOLOR=#ff0000\n2ND=x');
  await page.getByRole('button', { name: 'Preview' }).click();
  const preview = page.getByRole('region', { name: 'Preview' });
  await expect(preview.getByRole('heading', { name: 'Added: 3' })).toBeVisible();
  await expect(preview.getByText('"2ND" is not a name')).toBeVisible();
  await expect(preview.getByText('# belongs to the value')).toBeVisible();
  await expect(preview.getByText('"export" is left out')).toContainText('the spaces around = are left out');
  await preview.getByRole('checkbox', { name: 'Import COLOR of line 4' }).click();
  await expect(preview.getByRole('heading', { name: 'Left out: 1', exact: true })).toBeVisible();
  await expect(preview.getByRole('heading', { name: 'Added: 2' })).toBeVisible();
  await expect(preview.getByRole('checkbox', { name: 'API_TOKEN is secret' })).toBeChecked();
  // The checkbox changes only once the new preview has arrived.
  await preview.getByRole('checkbox', { name: 'PORT is secret' }).click();
  await expect(preview.getByRole('checkbox', { name: 'PORT is secret' })).toBeChecked();
  await check(page, 'variable-import', info);
  await preview.getByRole('button', { name: 'Import' }).click();
  await expect(page.getByText('Env vars were imported successfully.')).toBeVisible();
  await page.getByRole('link', { name: 'Back to the variables' }).click();
  await expect(table.getByText('*******')).toHaveCount(2);
  await expect(table.getByText('debug', { exact: true })).toBeVisible();
  await table.getByRole('button', { name: 'Show API_TOKEN' }).click();
  await expect(table.getByText('a secret of two lines')).toBeVisible();
  await check(page, 'variables', info);
  await page.getByRole('link', { name: 'Compare environments' }).click();
  await expect(page.getByRole('region', { name: 'Only in dev (3)' })).toBeVisible();
  await check(page, 'variables-compared', info);

  await page.getByRole('link', { name: 'Back to the variables' }).click();
  await page.getByRole('link', { name: 'History of the variables' }).click();
  await page.getByRole('button', { name: /imported variables for dev: 2 added, 1 changed/ }).click();
  await page.getByRole('button', { name: 'Undo…' }).click();
  const undoing = page.getByRole('dialog', { name: /^Undo: imported variables/ });
  await undoing.getByRole('button', { name: 'Restore' }).click();
  await expect(
    page.getByRole('button', { name: /^undid "imported variables for dev: 2 added, 1 changed"/ }),
  ).toBeVisible();
  await page.goto(`/app/product/${product}/detail/service/${service}/detail/env-var`);
  await expect(table.getByText('info', { exact: true })).toBeVisible();
  await expect(table.getByText('*******')).toHaveCount(0);

  await page.getByRole('link', { name: 'Export and tokens' }).click();
  await page.getByRole('button', { name: 'Get app token' }).click();
  const once = page.getByRole('status').filter({ hasText: 'copy it now' });
  const token = /qd_app_[\w-]{43}/.exec((await once.textContent()) ?? '')?.[0] ?? '';
  const own = () =>
    page.request.get('/api/env-var/own?env=dev', { headers: { authorization: `Bearer ${token}` } });
  expect(await (await own()).json()).toMatchObject({ envVars: [{ key: 'LOG_LEVEL', value: 'info' }] });
  await check(page, 'variable-tokens', info);
  await page
    .getByRole('region', { name: 'Tokens' })
    .getByRole('button', { name: /^Revoke/ })
    .click();
  await page.getByRole('dialog').getByRole('button', { name: 'Revoke token' }).click();
  await expect(page.getByText('No tokens yet')).toBeVisible();
  expect((await own()).status()).toBe(401);
});
