// Personal credentials, with notices until they are complete and valid, and the settings of the workspace.
// covers: AUTH-08, AUTH-09, SHELL-04, SHELL-06, SHELL-07
import type { Page } from '@playwright/test';
import { startGitHub, type GitHubPeer } from '../../testing/github';
import { check } from './every-look';
import { expect, test as base } from './house';

const test = base.extend<object, { github: GitHubPeer }>({
  github: [
    // oxlint-disable-next-line no-empty-pattern -- Playwright reads the fixtures from the pattern
    async ({}, use) => {
      const github = await startGitHub();
      await use(github);
      await github.stop();
    },
    { scope: 'worker' },
  ],
  env: [({ github }, use) => use({ GITHUB_API_URL: github.url }), { scope: 'worker' }],
});

const TOKEN = 'ghp_of-ada';
const banner = (page: Page) => page.getByRole('region', { name: 'Messages' });
const sectionOf = (page: Page, name: string) => page.getByRole('region', { name, exact: true });
const edit = (page: Page, name: string) =>
  sectionOf(page, name).getByRole('radiogroup').getByText('Edit', { exact: true }).click();

test('missing credentials are reported, entered, checked and deleted', async ({
  house,
  person,
  github,
}, info) => {
  test.setTimeout(180_000);
  github.tokens.set(TOKEN, { login: 'ada', scopes: ['repo'], expires: '2031-02-03 04:05:06 UTC' });
  const { page } = await person('settings-ada@example.com');
  // The banner was closed after sign-in. The back end remembers that, even if the browser's storage is cleared.
  await page.evaluate(() => localStorage.clear());
  await page.goto('/app/profile/settings');
  await expect(page.getByRole('button', { name: 'No notices' })).toBeVisible();
  await expect(page.getByText('A token was not given')).toBeVisible();
  await expect(page.getByText(/‘package:read’ and ‘repos’/)).toBeVisible();

  const name = sectionOf(page, 'GH Username');
  await name.getByRole('button', { name: 'Edit' }).click();
  await expect(page).toHaveURL(/mode=gh-username/);
  await name.getByPlaceholder('Add Value here').fill('ada');
  await name.getByRole('button', { name: 'Save' }).click();
  await expect(name.getByText('ada', { exact: true })).toBeVisible();
  const token = sectionOf(page, 'GH Token');
  await token.getByRole('button', { name: 'Edit' }).click();
  await token.getByPlaceholder('Add Value here').fill(TOKEN);
  await token.getByRole('button', { name: 'Save' }).click();
  await expect(token.getByText('*******')).toBeVisible();
  await expect(
    page.getByRole('main').getByText(/^Scopes associated .*\(repo\) are not sufficient/),
  ).toBeVisible();
  await expect(page.getByText(/2031-02-03, \d+ days left/)).toBeVisible();
  await check(page, 'settings-insufficient', info);
  // A different problem is a new notice: the banner shows it once, and the inbox keeps it.
  await expect(banner(page).getByText(/are not sufficient/)).toBeVisible();
  await page.getByRole('banner').getByRole('link', { name: house.workspace, exact: true }).click();
  await page.getByRole('button', { name: '1 notice' }).click();
  const inbox = page.getByRole('dialog', { name: 'Notices' });
  await expect(inbox.getByText(/are not sufficient/)).toBeVisible();
  await expect(banner(page).getByText(/are not sufficient/)).toBeHidden();
  await inbox.getByRole('link', { name: 'Click here' }).click();
  await expect(page).toHaveURL(/\/app\/profile\/settings$/);
  await expect(inbox).toBeHidden();

  github.tokens.set(`${TOKEN}-2`, { login: 'ada', scopes: ['repo', 'write:packages'] });
  await token.getByRole('button', { name: 'Edit' }).click();
  await token.getByPlaceholder('Add Value here').fill(`${TOKEN}-2`);
  await token.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByText('repo, write:packages')).toBeVisible();
  await expect(page.getByText(/are not sufficient/)).toHaveCount(0);
  await expect(banner(page).getByRole('link', { name: 'Click here' })).toHaveCount(0);

  await token.getByRole('button', { name: 'Delete' }).click();
  const question = page.getByRole('dialog');
  await expect(question.getByText('Are you sure you would like to delete this value?')).toBeVisible();
  await question.getByRole('button', { name: 'Delete' }).click();
  await expect(token.getByText('Not set')).toBeVisible();
});

test('workspace settings are shown, and edited in place', async ({ person }, info) => {
  test.setTimeout(180_000);
  const { page } = await person('settings-bo@example.com', { at: '/app/profile/settings' });
  const nav = page.getByRole('navigation', { name: 'Settings' });
  const open = async (section: string): Promise<void> => {
    await nav.getByRole('link', { name: section }).click();
    await expect(sectionOf(page, section).getByRole('heading', { name: section })).toBeVisible();
  };
  for (const section of ['Health checks', 'SSL monitor', 'Alerts', 'Container deploys', 'Retention'])
    await open(section);
  await check(page, 'settings', info);

  await open('DNS');
  await edit(page, 'DNS');
  const dns = page.getByRole('form', { name: 'DNS' });
  await dns.getByLabel('DNS server').first().fill('127.0.0.1:5353');
  await dns.getByLabel('Records are written by').selectOption('rfc2136');
  await check(page, 'settings-dns', info);
  await dns.getByLabel('Zone').fill('example.org');
  await dns.getByRole('button', { name: 'Save' }).click();
  await expect(dns.getByText('This field is required').first()).toBeVisible();
  await dns.getByLabel('Records are written by').selectOption('');
  await dns.getByRole('button', { name: 'Save' }).click();
  await expect(sectionOf(page, 'DNS').getByText('127.0.0.1:5353')).toBeVisible();

  await open('SSL monitor');
  await edit(page, 'SSL monitor');
  const monitor = page.getByRole('form', { name: 'Settings of the SSL monitor' });
  await monitor.getByLabel('Expiring below (days)').fill('21');
  await monitor.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByText('below 21 days')).toBeVisible();

  await open('Retention');
  await edit(page, 'Retention');
  const output = page.getByRole('form', { name: 'Retention' });
  await output.getByLabel('Days for the output of runs').fill('90');
  await output.getByRole('button', { name: 'Save' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Remove output' }).click();
  await expect(page.getByText('90 days after the end of a run')).toBeVisible();
});
