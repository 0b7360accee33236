// An operator does everything in the account, by mouse or by keys, while another one watches.
// covers: CLOUD-01, CLOUD-02, CLOUD-03, CLOUD-04
import type { Page } from '@playwright/test';
import { startDigitalOcean, type DigitalOceanPeer } from '../../testing/digitalocean';
import { bootThrowaway } from '../../testing/digitalocean/machine';
import { testAuthority } from '../../testing/test-authority';
import { throwawayHostLacks } from '../../testing/throwaway-lacks';
import { check } from './every-look';
import { walkAll, type Task } from './hands';
import { expect, test as base } from './house';

const test = base.extend<object, { cloud: DigitalOceanPeer }>({
  cloud: [
    // oxlint-disable-next-line no-empty-pattern -- Playwright reads the fixtures from the pattern
    async ({}, use) => {
      const cloud = await startDigitalOcean();
      Object.assign(cloud.account, {
        looks: 0,
        boot: bootThrowaway,
        authority: (await testAuthority()).root,
      });
      await use(cloud);
      await cloud.stop();
    },
    { scope: 'worker' },
  ],
  env: [({ cloud }, use) => use(cloud.env), { scope: 'worker' }],
});

interface Ground {
  cloud: DigitalOceanPeer;
  /** Ends names. */
  end: string;
  /** Of an operator who does nothing. */
  watching: Page;
}

const section = (page: Page, name: string) => page.getByRole('region', { name, exact: true }).first();
const row = (page: Page, name: string) =>
  page
    .getByRole('table', { name: /^Cloud (databases|droplets)$/ })
    .getByRole('row')
    .filter({ hasText: name });
/** The newest run of the section. */
const succeeded = async (page: Page, name: string, label: string): Promise<void> => {
  const newest = section(page, name).getByRole('list', { name: 'Started' }).first();
  await expect(newest).toContainText(label);
  await expect(newest).toContainText('succeeded', { timeout: 300_000 });
};

const byMouse: readonly Task<Ground>[] = [
  {
    name: 'signs in at the provider',
    atMost: 4,
    async walk({ page, hand }) {
      await hand.go('Server');
      await hand.press('link', 'Cloud hosting');
      await hand.press('button', 'Login with DigitalOcean');
      await hand.press('link', 'Authorize application');
      await expect(section(page, 'Account')).toContainText('Example team');
      await expect(page).toHaveURL(/\/app\/do$/);
    },
  },
  {
    name: 'creates a droplet and associates it',
    atMost: 14,
    async walk({ page, hand, cloud, end }) {
      if (throwawayHostLacks().length > 0) return;
      await hand.go('Server');
      await hand.press('link', 'Cloud hosting');
      await hand.press('button', 'Add a new droplet');
      await hand.write('Name', `made-${end}`);
      await hand.choose('Region', 'New York 1 (nyc1)');
      await hand.choose('Size', '1 vCPU, 2 GB memory, 25 GB disk: 12 USD a month (0.01786 USD an hour)');
      await hand.choose('Image', 'Ubuntu 24.04 (LTS) x64');
      await hand.press('checkbox', 'Backups');
      await hand.press('button', 'Create new droplet');
      await succeeded(page, 'Droplets', 'Create droplet');
      const stored = [...cloud.account.droplets.values()].find(({ name }) => name === `made-${end}`);
      expect(stored).toMatchObject({
        size_slug: 's-1vcpu-2gb',
        image: { slug: 'ubuntu-24-04-x64' },
        region: { slug: 'nyc1' },
        features: ['backups'],
      });
      expect([...cloud.account.keys.values()]).toEqual([]);
      await hand.press('button', `Associate made-${end}`);
      await expect(page).toHaveURL(/\/app\/server\/[\w-]{36}\/detail/);
      await expect(page.getByRole('heading', { level: 1, name: `made-${end}` })).toBeVisible();
    },
  },
];

const byKeys: readonly Task<Ground>[] = [
  {
    name: 'changes a droplet in every way, and deletes it',
    atMost: 45,
    async walk({ page, hand, cloud, end, watching }) {
      const [before, name] = [`ops-${end}`, `renamed-${end}`];
      const stored = cloud.account.addDroplet({ name: before });
      cloud.account.addAddress(stored.id, '203.0.113.7');
      await hand.go('Server');
      await hand.press('link', 'Cloud hosting');
      await hand.press('button', 'Refresh');
      await expect(row(page, before)).toContainText('203.0.113.7');
      await watching.goto('/app/do');
      await expect(row(watching, before)).toBeVisible();
      const open = async (of: string, action: string): Promise<void> => {
        await hand.press('button', `Actions of ${of}`);
        await hand.press('menuitem', action);
      };
      const done = (label: string) => succeeded(page, 'Droplets', label);
      for (const action of ['Reboot', 'Power off']) {
        await open(before, action);
        await hand.press('button', action, 'question');
        await done(action);
      }
      await expect(row(watching, before)).toContainText('off');
      await open(before, 'Resize');
      await hand.choose('New size', '1 vCPU, 2 GB memory, 25 GB disk: 12 USD a month (0.01786 USD an hour)');
      await hand.press('button', 'Resize', 'question');
      await done('Resize');
      await expect(row(watching, before)).toContainText('s-1vcpu-2gb');
      await open(before, 'Power on');
      await done('Power on');
      await open(before, 'Take a snapshot');
      await hand.write(/^Name of the snapshot/, 'first');
      await hand.press('button', 'Take the snapshot', 'question');
      await done('Snapshot');
      await open(before, 'Rename');
      await page.getByRole('dialog').getByRole('textbox', { name: 'New name' }).focus();
      await page.keyboard.press('ControlOrMeta+a');
      await page.keyboard.type(name);
      await hand.press('button', 'Rename', 'question');
      await done('Rename');
      await expect(row(watching, name)).toBeVisible();
      await open(name, 'Rebuild');
      await hand.choose('Image', 'Ubuntu 24.04 (LTS) x64');
      await hand.write('Type the name of the droplet to confirm', name);
      await hand.press('button', 'Rebuild', 'question');
      await done('Rebuild');
      expect(stored).toMatchObject({ name, size_slug: 's-1vcpu-2gb', image: { slug: 'ubuntu-24-04-x64' } });
      expect(stored.snapshot_ids).toHaveLength(1);
      await hand.press('button', `Delete ${name}`);
      await page.getByRole('dialog').getByRole('textbox').focus();
      await page.keyboard.type(name);
      await hand.press('button', 'Delete droplet', 'question');
      await done('Delete droplet');
      expect(cloud.account.droplets.has(stored.id)).toBe(false);
      // Live for the other operator, with its costs.
      await expect(row(watching, name)).toHaveCount(0);
      await expect(section(watching, 'Costs')).toContainText(`${name} (gone)`);
    },
  },
  {
    name: 'creates a cloud database, gives it to a product, shows its password and deletes it',
    atMost: 18,
    async walk({ page, hand, cloud, end }) {
      const name = `db-${end}`;
      await hand.go('Server');
      await hand.press('link', 'Cloud hosting');
      await hand.press('button', 'Add a new database');
      await hand.write('Name', name);
      await hand.choose('Engine', 'PostgreSQL');
      await hand.press('button', 'Submit');
      await succeeded(page, 'Databases', 'Create cloud database');
      const stored = [...cloud.account.clusters.values()].find((one) => one.name === name);
      await hand.press('button', `Associate ${name}`);
      await hand.choose('What is the product id?', 'Bookshop');
      await hand.press('button', 'Associate', 'question');
      await expect(row(page, name).getByRole('link', { name: 'Bookshop' })).toBeVisible();
      await hand.press('button', `Show the password of ${name}`);
      await expect(row(page, name)).toContainText(stored?.connection?.password ?? 'no password');
      await hand.press('button', `Hide the password of ${name}`);
      await expect(row(page, name)).toContainText('*******');
      await hand.press('button', `Delete ${name}`);
      await page.getByRole('dialog').getByRole('textbox').focus();
      await page.keyboard.type(name);
      await hand.press('button', 'Delete database', 'question');
      await succeeded(page, 'Databases', 'Delete cloud database');
      expect(cloud.account.clusters.has(stored?.id ?? '')).toBe(false);
    },
  },
  {
    name: 'adds, changes and removes a record of a domain',
    atMost: 14,
    async walk({ page, hand, cloud }) {
      await hand.go('Server');
      await hand.press('link', 'Cloud hosting');
      await hand.press('button', 'Show zone file');
      await expect(page.getByRole('region', { name: 'Zone file of example.org' })).toContainText('SOA');
      await hand.press('button', 'Hide zone file');
      await hand.press('button', 'Show all records');
      await hand.press('button', 'Add a record');
      await hand.write('Name', 'api');
      await hand.write('Value', '203.0.113.8');
      await hand.press('button', 'Add record', 'question');
      await hand.press('button', 'Change A api.example.org');
      await page.getByRole('dialog').getByRole('textbox', { name: 'Value' }).focus();
      await page.keyboard.press('ControlOrMeta+a');
      await page.keyboard.type('203.0.113.9');
      await hand.press('button', 'Change record', 'question');
      await expect(page.getByRole('row').filter({ hasText: 'api.example.org' })).toContainText('203.0.113.9');
      await hand.press('button', 'Remove A api.example.org');
      await hand.press('button', 'Remove record', 'question');
      await expect(page.getByRole('row').filter({ hasText: 'api.example.org' })).toHaveCount(0);
      expect(cloud.records('example.org').filter(({ type }) => type === 'A')).toEqual([]);
    },
  },
  {
    name: 'disconnects the account',
    atMost: 5,
    async walk({ page, hand, cloud }) {
      await hand.go('Server');
      await hand.press('link', 'Cloud hosting');
      await hand.press('button', 'Actions of the account');
      await hand.press('menuitem', 'Disconnect');
      await hand.press('button', 'Disconnect', 'question');
      await expect(page.getByRole('button', { name: 'Login with DigitalOcean' })).toBeVisible();
      expect([...cloud.oauth.tokens.keys()]).toEqual([cloud.token]);
    },
  },
];

test('everything in the account is done by mouse or by keys, and another operator sees it', async ({
  person,
  cloud,
}, info) => {
  cloud.addDomain('example.org');
  const [{ page }, { page: watching }] = [
    await person('cloud-ada@example.com'),
    await person('cloud-grace@example.com'),
  ];
  await page.goto('/app/product/add');
  await page.getByRole('textbox', { name: 'Name', exact: true }).fill('Bookshop');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('heading', { level: 1, name: 'Bookshop' })).toBeVisible();
  await walkAll(byMouse, 'mouse', { page, info, cloud, end: 'mouse', watching });
  await walkAll(byKeys, 'keys', { page, info, cloud, end: 'keys', watching });

  // The account is disconnected by now.
  await page.getByRole('button', { name: 'Login with DigitalOcean' }).click();
  await page.getByRole('link', { name: 'Cancel' }).click();
  await expect(page.getByRole('alert')).toContainText('access was denied there');
  await check(page, 'cloud-denied', info);
  expect(cloud.undescribed).toEqual([]);
});
