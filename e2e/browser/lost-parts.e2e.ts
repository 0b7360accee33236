// Files of the console that cannot be loaded: without a connection, and after a release.
import type { Page } from '@playwright/test';
import { check } from './every-look';
import { expect, test as base } from './house';

/** Ignores the errors that the browser logs for failed requests, and no others. */
const test = base.extend<{ lostFiles: undefined }>({
  lostFiles: [
    async ({ complaints }, use) => {
      await use(undefined);
      const others = complaints.filter((words) => !words.startsWith('Failed to load resource'));
      complaints.splice(0, complaints.length, ...others);
    },
    { auto: true },
  ],
});

const tab = (page: Page, name: string) =>
  page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name });
const heading = (page: Page, name: string) => page.getByRole('heading', { level: 1, name });

const SCRIPTS = '**/assets/*.js';

/** Simulates a release: the page names a new script, and the scripts of the old version are gone. */
const release = async (page: Page): Promise<void> => {
  await page.route(SCRIPTS, (route) => route.fulfill({ status: 404 }));
  await page.route(/\/$/, async (route) => {
    const answer = await route.fetch();
    const body = (await answer.text()).replaceAll(/index-[\w-]+\.js/g, 'index-newer.js');
    await route.fulfill({ response: answer, body });
  });
};

test('a page that cannot be loaded says so, and loads once the connection is back (covers: SHELL-10)', async ({
  person,
}, info) => {
  const { page } = await person('ada@example.com');
  await page.context().setOffline(true);
  await tab(page, 'Server').click();
  const alert = page.getByRole('main').getByRole('alert');
  await expect(alert).toContainText('This page could not be loaded');
  await expect(alert).toContainText('There is no connection to the server');
  await expect(page).toHaveURL(/\/app\/server$/);
  await expect(tab(page, 'Server')).toHaveAttribute('aria-current', 'page');
  await check(page, 'page-without-connection', info);
  await page.context().setOffline(false);
  await expect(heading(page, 'Servers')).toBeVisible();
  await expect(alert).toHaveCount(0);
});

test('a dialog that cannot be loaded opens once the connection is back', async ({ person }) => {
  const { page } = await person('ada@example.com');
  await page.context().setOffline(true);
  await page.keyboard.press('?');
  await expect(page.getByText('A part of the console could not be loaded')).toBeVisible();
  await expect(heading(page, 'Home')).toBeVisible();
  await page.context().setOffline(false);
  await expect(page.getByRole('dialog', { name: 'Keyboard shortcuts' })).toBeVisible();
});

test('a page of an old release offers to reload, and the reload opens the requested page', async ({
  person,
}, info) => {
  const { page } = await person('ada@example.com');
  await release(page);
  await tab(page, 'Script').click();
  const alert = page.getByRole('main').getByRole('alert');
  await expect(alert).toContainText('A new version was installed');
  await check(page, 'page-after-release', info);
  // The scripts are there for the reload and not before it, since the tab requests its own again and again.
  await page.route('**/app/script', async (route) => {
    await page.unroute(SCRIPTS);
    await route.continue();
  });
  await alert.getByRole('button', { name: 'Reload' }).click();
  await expect(heading(page, 'Scripts')).toBeVisible();
});

test('a page that reconnects after a release offers to reload', async ({ house, person }) => {
  test.slow();
  const { page } = await person('ada@example.com');
  const connection = page.getByRole('banner').getByRole('status');
  await expect(connection).toContainText('Live');
  await release(page);
  await house.restart();
  await expect(page.getByRole('region', { name: 'Messages' })).toContainText(
    'A new version of the console was installed.',
  );
  await expect(heading(page, 'Home')).toBeVisible();
  await page.unrouteAll({ behavior: 'wait' });
});
