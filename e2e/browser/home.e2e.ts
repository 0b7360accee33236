// The first page: first steps, problems that need attention, and the latest changes. covers: SHELL-04
import type { Page } from '@playwright/test';
import { v7 as uuidv7 } from 'uuid';
import { startSshd } from '../../testing/sshd';
import { check } from './every-look';
import { expect, test } from './house';
import { addServer, hostKeyCard } from './servers-page';

const region = (page: Page, name: RegExp) => page.getByRole('region', { name });
const stepOf = (page: Page, label: string) =>
  region(page, /First steps/)
    .getByRole('listitem')
    .filter({ hasText: label });

/** Uses Playwright's own `page`, which signs in by the link itself. */
test.use({
  baseURL: async ({ house }, use) => use(house.url),
  viewport: { width: 1440, height: 900 },
});

test('a link leads to Home, which guides a newcomer through the first steps, and shows problems at once', async ({
  house,
  page,
}, info) => {
  const sshd = await startSshd();
  try {
    await page.goto(await house.signInLink('home@example.com'));
    // An administrator without credentials sees this notice until it is closed once.
    const told = page.getByRole('status').filter({ hasText: 'source-host credentials are not inserted' });
    await Promise.all([
      page.waitForResponse((answer) => /dismissed/.test(answer.request().postData() ?? '')),
      told.getByRole('button', { name: 'Close' }).click(),
    ]);
    await page.goto('/app');
    await expect(page.getByRole('banner')).toBeVisible();
    await expect(told).toBeHidden();
    for (const caption of ['Manage your products', 'Manage your domains', 'Manage your servers'])
      await expect(page.getByText(caption)).toBeVisible();
    await expect(stepOf(page, 'Add a server').getByRole('img', { name: 'To do:' })).toBeVisible();
    await expect(region(page, /Needs attention/)).toBeHidden();
    await check(page, 'home-empty', info);
    await stepOf(page, 'Add a server').getByRole('link').click();
    await expect(page).toHaveURL(/\/app\/server\/add$/);

    // Another tab, which is not reloaded from here on.
    const watching = await page.context().newPage();
    await watching.goto('/app');
    await expect(stepOf(watching, 'Add a server').getByRole('img', { name: 'To do:' })).toBeVisible();
    await addServer(page, sshd, { alias: 'home-1' });
    await expect(hostKeyCard(page)).toContainText(sshd.hostKey.fingerprint);
    await expect(stepOf(watching, 'Add a server').getByRole('img', { name: 'Done:' })).toBeVisible();
    await expect(stepOf(watching, 'Set it up').getByRole('link')).toContainText('Start');
    await expect(watching.getByText('Nothing needs attention.')).toBeVisible();
    await expect(region(watching, /Latest changes/).getByText(/registered home-1/)).toBeVisible();

    const id = /server\/([^/]+)\/detail/.exec(page.url())?.[1] ?? '';
    const call = async (path: string, data: object) => {
      const headers = { 'x-requested-with': 'quarterdeck' };
      const answer = await page.request.post(`/api/${path}`, { data, headers });
      return { status: answer.status(), position: answer.headers()['x-position'] ?? '' };
    };
    const { position } = await call('server/list', {});
    await sshd.swapHostKey();
    await call('server/execCmd', { id, cmdType: 1, runId: uuidv7() });
    const attention = region(watching, /Needs attention/);
    // The run failed only because of the key, so it does not get its own line.
    await expect(
      attention.getByRole('link', { name: /^home-1 host key changed.*affects 1 run/ }),
    ).toBeVisible();
    await expect(attention.getByRole('link')).toHaveCount(1);
    await check(watching, 'home', info);

    await watching.getByRole('button', { name: 'Hide the first steps' }).click();
    await expect(region(watching, /First steps/)).toBeHidden();
    await attention.getByRole('link', { name: /Compare host keys/ }).click();
    await expect(hostKeyCard(watching).getByRole('alert')).toContainText('Expected');
    await watching.goto(`/app?at=${position}`);
    await expect(watching.getByText('Nothing needs attention.')).toBeVisible();
    await expect(region(watching, /First steps/)).toBeHidden();
    await check(watching, 'past-home', info);
  } finally {
    await sshd.stop();
  }
});
