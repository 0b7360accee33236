// An operator signs in at the provider, creates a droplet and changes it, while another one watches.
// covers: CLOUD-01, CLOUD-03
import type { Page } from '@playwright/test';
import { startDigitalOcean, type DigitalOceanPeer } from '../../testing/digitalocean';
import { bootThrowaway } from '../../testing/digitalocean/machine';
import { testAuthority } from '../../testing/test-authority';
import { throwawayHostLacks } from '../../testing/throwaway-lacks';
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

const tasks: readonly Task<Ground>[] = [
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
  {
    name: 'reboots, powers off, resizes and powers on a droplet',
    atMost: 20,
    async walk({ page, hand, cloud, end, watching }) {
      const before = `ops-${end}`;
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
      expect(stored).toMatchObject({ status: 'active', size_slug: 's-1vcpu-2gb' });
    },
  },
];

test('an account is signed in to, and a droplet is created, associated and changed, while another operator watches', async ({
  person,
  cloud,
}, info) => {
  const [{ page }, { page: watching }] = [
    await person('cloud-ada@example.com'),
    await person('cloud-grace@example.com'),
  ];
  await walkAll(tasks, 'mouse', { page, info, cloud, end: 'mouse', watching });
  expect(cloud.undescribed).toEqual([]);
});
