// An account is connected, and what is in it is listed, associated, created, changed and deleted.
// covers: CLOUD-01, CLOUD-02, CLOUD-03, CLOUD-04
import type { Page } from '@playwright/test';
import { startDigitalOcean, type DigitalOceanPeer } from '../../testing/digitalocean';
import { idleKey } from '../../testing/idle-server';
import { call } from './domains-house';
import { check } from './every-look';
import { expect, test as base } from './house';

const test = base.extend<object, { cloud: DigitalOceanPeer }>({
  cloud: [
    // oxlint-disable-next-line no-empty-pattern -- Playwright reads the fixtures from the pattern
    async ({}, use) => {
      const cloud = await startDigitalOcean();
      await use(cloud);
      await cloud.stop();
    },
    { scope: 'worker' },
  ],
  // As in installations: the lists are read again although nobody asks.
  env: [({ cloud }, use) => use({ ...cloud.env, CLOUD_LOOKS: 'on' }), { scope: 'worker' }],
});

test.describe.configure({ mode: 'serial' });

const section = (page: Page, name: string) => page.getByRole('region', { name, exact: true }).first();
const row = (page: Page, name: string) =>
  page
    .getByRole('table', { name: /^Cloud (databases|droplets)$/ })
    .getByRole('row')
    .filter({ hasText: name });
const succeeded = (page: Page, name: string) =>
  expect(section(page, name).getByRole('list', { name: 'Started' }).first()).toContainText('succeeded');

test('an account is connected with a token, and its things are listed, associated and deleted', async ({
  person,
  cloud,
}, info) => {
  // It cost something in months before it was known here.
  const [thisMonth, earlier] = [new Date().toISOString().slice(0, 7), '2026-01'];
  const web = cloud.account.addDroplet({ name: 'web-1' });
  cloud.account.addAddress(web.id, '127.0.0.9');
  const old = cloud.account.addDroplet({ name: 'web-2', status: 'new', created_at: '2025-12-01T00:00:00Z' });
  cloud.account.addCluster({ name: 'shop-db', engine: 'pg' });
  cloud.addDomain('shop.example.org');
  cloud.addRecord('shop.example.org', { type: 'A', name: 'www', data: '203.0.113.7' });
  const { page } = await person('cloud-ada@example.com');
  await page.goto('/app/server');
  await page.getByRole('link', { name: 'Cloud hosting' }).click();
  await expect(page.getByRole('heading', { name: 'Log in to DigitalOcean' })).toBeVisible();
  await check(page, 'cloud-login', info);
  await page.getByRole('textbox', { name: 'Personal token' }).fill(cloud.token);
  await page.getByRole('button', { name: 'Use this token' }).click();
  await expect(section(page, 'Account')).toContainText('Example team');

  // Read at once, for everybody.
  await page.getByRole('button', { name: 'Refresh' }).click();
  await expect(row(page, 'web-1')).toContainText('127.0.0.9');
  await expect(row(page, 'web-2')).toContainText('Server still initializing');
  await expect(row(page, 'shop-db')).toContainText('*******');
  await check(page, 'cloud', info);

  const [cluster] = cloud.account.clusters.values();
  await row(page, 'shop-db').getByRole('button', { name: 'Show' }).click();
  await expect(row(page, 'shop-db')).toContainText(cluster?.connection?.password ?? 'no password');

  await page.getByRole('button', { name: 'Show zone file' }).click();
  await expect(page.getByRole('region', { name: 'Zone file of shop.example.org' })).toContainText('SOA');
  await page.getByRole('button', { name: 'Hide zone file' }).click();
  await page.getByRole('button', { name: 'Show all records' }).click();
  await page.getByRole('button', { name: 'Add a record' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('textbox', { name: 'Name' }).fill('api');
  await dialog.getByRole('textbox', { name: 'Value' }).fill('203.0.113.8');
  await dialog.getByRole('button', { name: 'Add record' }).click();
  await expect(page.getByRole('row').filter({ hasText: 'api.shop.example.org' })).toContainText(
    '203.0.113.8',
  );
  await check(page, 'cloud-records', info);

  // Deleted with the name typed, as a run.
  await row(page, 'shop-db').getByRole('button', { name: 'Delete' }).click();
  await expect(page.getByRole('dialog')).toContainText(
    'Are you sure you would like to delete the database and its content?',
  );
  await page.getByRole('dialog').getByRole('textbox').fill('shop-db');
  await page.getByRole('dialog').getByRole('button', { name: 'Delete database' }).click();
  await succeeded(page, 'Databases');
  await expect.poll(() => cloud.account.clusters.size).toBe(0);

  const product = await call<{ id: string }>(page, 'product/insert', { data: { name: 'Shop' } });
  await row(page, 'web-1').getByRole('button', { name: 'Associate' }).click();
  await page.getByRole('dialog').getByRole('combobox', { name: 'Product' }).selectOption({ label: 'Shop' });
  await page.getByRole('dialog').getByRole('textbox', { name: 'Private key' }).fill(idleKey());
  await page.getByRole('dialog').getByRole('button', { name: 'Associate' }).click();
  await expect(page).toHaveURL(/\/app\/server\/[\w-]{36}\/detail/);
  await page.goBack();
  await expect(row(page, 'web-1').getByRole('link', { name: 'already associated' })).toBeVisible();

  // Costs by product and month, which stay after the droplet and the product are gone.
  const costs = section(page, 'Costs').getByRole('table', { name: 'Costs by product' });
  const { price_monthly: monthly } = old.size;
  const month = (value: string) => section(page, 'Costs').getByLabel('Month').fill(value);
  await expect(costs.getByRole('row').filter({ hasText: 'Shop' })).toContainText(/web-1 \$\d+\.\d\d/);
  await month(earlier);
  await expect(costs.getByRole('row').filter({ hasText: 'no product' })).toContainText(
    `web-2 $${monthly}.00`,
  );
  await expect(costs.getByRole('row').filter({ hasText: 'Shop' })).toHaveCount(0);
  await month(thisMonth);
  for (const { id } of [web, old]) await cloud.account.removeDroplet(id);
  await page.getByRole('button', { name: 'Refresh' }).click();
  await expect(costs.getByRole('row').filter({ hasText: 'Shop' })).toContainText(
    /web-1 \(gone\) \$\d+\.\d\d/,
  );
  await expect(section(page, 'Orphans')).toContainText(
    'web-1 is listed here, but its droplet no longer exists',
  );
  await call(page, 'product/delete', { id: product.id, name: 'Shop' });
  await expect(costs.getByRole('row').filter({ hasText: 'Shop (deleted)' })).toContainText('web-1 (gone) $');
  await month(earlier);
  await expect(costs.getByRole('row').filter({ hasText: 'no product' })).toContainText(
    `web-2 (gone) $${monthly}.00`,
  );
  await check(page, 'cloud-costs', info);
  expect(cloud.undescribed).toEqual([]);
});

test('a provider that is away and a token that was revoked are told in words, and the page recovers by itself', async ({
  person,
  cloud,
}, info) => {
  const [{ page }, { page: other }] = [
    await person('cloud-ada@example.com'),
    await person('cloud-grace@example.com'),
  ];
  cloud.account.addDroplet({ name: 'web-3' });
  await page.goto('/app/do');
  await page.getByRole('button', { name: 'Refresh' }).click();
  await expect(row(page, 'web-3')).toBeVisible();
  const told = page.getByRole('alert').filter({ hasText: 'The lists may be out of date' });
  const away = [
    [{ is: 'losing' }, 'closed the connection'],
    [{ is: 'failing', status: 503 }, 'DigitalOcean answered with status 503'],
  ] as const;
  for (const [mood, words] of away) {
    cloud.feel(mood);
    await page.getByRole('button', { name: 'Refresh' }).click();
    await expect(told).toContainText(words);
    await expect(told).toContainText('They are read again automatically. Press Refresh to read them now.');
    await expect(row(page, 'web-3')).toBeVisible();
  }
  await check(page, 'cloud-away', info);
  // Nobody presses anything.
  cloud.feel({ is: 'well' });
  await expect(told).toHaveCount(0);

  // Revoked at the provider.
  cloud.oauth.tokens.delete(cloud.token);
  await page.getByRole('button', { name: 'Refresh' }).click();
  const refused = page.getByRole('alert').filter({ hasText: 'DigitalOcean no longer accepts the token' });
  await expect(refused).toContainText(
    'connect the account again. The lists below are as they were last read.',
  );
  await expect(row(page, 'web-3')).toBeVisible();
  await check(page, 'cloud-revoked', info);
  // The provider was wrong.
  cloud.oauth.tokens.set(cloud.token, { scopes: ['read', 'write'] });
  await page.getByRole('button', { name: 'Refresh' }).click();
  await expect(refused).toHaveCount(0);
  // Once more, and another operator connects the account again.
  cloud.oauth.tokens.delete(cloud.token);
  await page.getByRole('button', { name: 'Refresh' }).click();
  await expect(refused).toBeVisible();
  const token = 'dop_v1_of-another-person';
  cloud.oauth.tokens.set(token, { scopes: ['read', 'write'] });
  await other.goto('/app/do');
  await other.getByRole('textbox', { name: 'Personal token' }).fill(token);
  await other.getByRole('button', { name: 'Use this token' }).click();
  await expect(refused).toHaveCount(0);
  await expect(told).toHaveCount(0);
  expect(cloud.undescribed).toEqual([]);
});
