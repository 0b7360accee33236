// Saved scripts: created, edited, compared, deleted. covers: SRV-15
import { check } from './every-look';
import { expect, test } from './house';

const first = 'set -e\ndf -h /\nfree -m\n';
const second = 'set -e\ndf -h /\ndf -i /\nuptime\n';

test('a script is saved, edited, compared with its earlier version, and deleted by its name', async ({
  person,
}, info) => {
  const { page, email } = await person('ada@example.com', { at: '/app/script' });
  await page.getByRole('link', { name: 'Add new' }).first().click();
  await page.getByRole('button', { name: 'Save script' }).click();
  await expect(page.getByLabel('Name')).toBeFocused();
  await check(page, 'script-add-refused', info);
  await page.setViewportSize({ width: 1440, height: 900 });
  await page.getByLabel('Name').fill('How full');
  await page.getByLabel('Script', { exact: true }).fill(first);
  await page.getByLabel('Makes changes on the server').uncheck();
  await page.getByRole('button', { name: 'Save script' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'How full' })).toBeVisible();
  await expect(page.getByRole('group', { name: 'How full, version 1' })).toContainText('free -m');

  await page.getByText('Edit', { exact: true }).click();
  await page.getByLabel('Script', { exact: true }).fill(second);
  await page.getByLabel('Time limit in seconds').fill('300');
  await check(page, 'script-edit', info);
  await page.setViewportSize({ width: 1440, height: 900 });
  await page.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByRole('heading', { level: 2, name: 'Version 2' })).toBeVisible();
  await page.getByRole('button', { name: 'Close' }).first().click();
  await check(page, 'script', info);
  await page.setViewportSize({ width: 1440, height: 900 });

  await page.getByRole('tab', { name: 'Versions (2)' }).click();
  await expect(page.getByText('2 lines added, 1 removed')).toBeVisible();
  await expect(page.getByText('The time limit went from 60 s to 5 min.')).toBeVisible();
  await check(page, 'script-versions', info);
  await page.setViewportSize({ width: 1440, height: 900 });

  await page.getByRole('tab', { name: 'History' }).click();
  await expect(page.getByText('added the script How full')).toBeVisible();
  await expect(page.getByText(email).first()).toBeVisible();
  await page.goto('/app/script');
  await expect(page.getByRole('row', { name: /How full/ })).toContainText('read-only');
  await check(page, 'scripts', info);
  await page.setViewportSize({ width: 1440, height: 900 });

  await page.getByRole('link', { name: 'How full', exact: true }).click();
  await page.getByRole('button', { name: 'Actions' }).click();
  await page.getByRole('menuitem', { name: 'Delete script' }).click();
  const question = page.getByRole('dialog', { name: 'Delete How full?' });
  await question.getByRole('textbox').fill('How full');
  await question.getByRole('button', { name: 'Delete script' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Scripts' })).toBeVisible();
  await expect(page.getByRole('row', { name: /How full/ })).toBeHidden();
});
