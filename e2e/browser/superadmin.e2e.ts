// The superadmin area, which only superadmins can open. covers: AUTH-10, AUD-05
import { readFile } from 'node:fs/promises';
import { check } from './every-look';
import { expect, test } from './house';

const email = 'root@example.com';

test('a superadmin sees all workspaces, rebuilds read models and takes a backup, and finds the changes recorded', async ({
  browser,
  house,
}, info) => {
  const context = await browser.newContext({ baseURL: house.url, viewport: { width: 1440, height: 900 } });
  const page = await context.newPage();
  await page.goto(await house.signInLink(email, 'superadmin'));
  await expect(page.getByRole('banner')).toBeVisible();
  await page.goto('/app');
  await page.getByRole('link', { name: 'Superadmin', exact: true }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Superadmin' })).toBeVisible();
  await expect(page.getByText('unbroken')).toBeVisible();
  await expect(page.getByText('leads', { exact: true })).toBeVisible();
  await check(page, 'superadmin-overview', info);

  await page.getByRole('tab', { name: 'Workspaces' }).click();
  await expect(page.getByRole('row', { name: /^main/ })).toBeVisible();
  await check(page, 'superadmin-workspaces', info);
  await page.getByRole('tab', { name: 'People' }).click();
  await expect(page.getByRole('row', { name: new RegExp(email) })).toContainText(
    `${house.workspace} as superadmin`,
  );
  await check(page, 'superadmin-people', info);
  await page.getByRole('tab', { name: 'Runs' }).click();
  await expect(page.getByRole('table', { name: 'Runs' }).or(page.getByText('No runs yet'))).toBeVisible();
  await check(page, 'superadmin-runs', info);

  await page.getByRole('tab', { name: 'Read models' }).click();
  const servers = page.getByRole('row', { name: /^servers/ });
  await expect(servers).toContainText('up to date');
  await page.getByRole('button', { name: 'Rebuild all' }).click();
  const question = page.getByRole('dialog', { name: 'Rebuild all read models?' });
  await question.getByRole('button', { name: 'Rebuild' }).click();
  await expect(page.getByText(/Last maintenance, .*: rebuilt .*servers/)).toBeVisible();
  await page.getByRole('button', { name: 'Actions of servers' }).click();
  await page.getByRole('menuitem', { name: 'Verify' }).click();
  await page.getByRole('dialog', { name: 'Verify servers?' }).getByRole('button', { name: 'Verify' }).click();
  await expect(page.getByText(/verified servers in .*: no difference from the log/)).toBeVisible();
  await check(page, 'superadmin-read-models', info);

  await page.getByRole('tab', { name: 'Backups' }).click();
  await expect(page.getByText('No backup yet')).toBeVisible();
  await page.getByRole('button', { name: 'Back up now' }).click();
  await expect(page.getByText('Backed up', { exact: true })).toBeVisible();
  const archives = page.getByRole('table', { name: 'Archives' });
  await expect(archives.getByText('in place')).toBeVisible();
  const download = page.waitForEvent('download');
  await page.getByRole('link', { name: 'Download the newest' }).click();
  const head = await readFile(await (await download).path(), { encoding: 'latin1' });
  expect(head.slice(0, 20)).toBe('quarterdeck backup 1');
  await check(page, 'superadmin-backups', info);
  await page.getByRole('radiogroup', { name: 'Mode of Plan' }).getByText('Edit').click();
  const plan = page.getByRole('form', { name: 'Plan of the backups' });
  await plan.getByLabel('Target').selectOption('s3');
  await expect(plan.getByLabel('Endpoint')).toBeVisible();
  await check(page, 'superadmin-backup-plan', info);
  await plan.getByLabel('Target').selectOption('folder');
  await plan.getByLabel('Time (UTC)').fill('03:15');
  await plan.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByText(/Every day at 03:15 UTC/)).toBeVisible();

  await page.getByRole('tab', { name: 'Overview' }).click();
  await expect(page.getByText('scheduled a backup every day at 03:15 UTC').first()).toBeVisible();
  await expect(page.getByText('requested to rebuild all read models').first()).toBeVisible();
  await context.close();
});

test('an administrator cannot open the superadmin area', async ({ person }) => {
  const { page } = await person('nobody-above@example.com');
  await page.goto('/superadmin');
  await expect(page.getByRole('heading', { name: 'Superadministrators only' })).toBeVisible();
  await expect(page.getByRole('link', { name: 'Superadmin', exact: true })).toBeHidden();
});
