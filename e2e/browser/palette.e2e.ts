// Fast typing into the command palette.
import { check } from './every-look';
import { expect, test } from './house';

test('keys typed right after Ctrl+K all reach the palette (covers: SHELL-05)', async ({ person }, info) => {
  const { page } = await person('ada@example.com', { at: '/app/server' });
  await expect(page.getByRole('heading', { level: 1, name: 'Servers' })).toBeVisible();
  // If the palette missed a key, the "n" of "domain" would open the form for a new server.
  await page.keyboard.press('Control+k');
  await page.keyboard.type('domain');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('heading', { level: 1, name: 'Domains' })).toBeVisible();
  await expect(page).toHaveURL(/\/app\/domain$/);
  await page.keyboard.press('Control+k');
  await page.keyboard.type('add');
  await expect(page.getByRole('option', { name: 'Add server, Action' })).toBeVisible();
  await check(page, 'palette', info);
  await page.keyboard.press('Escape');
  await expect(page.getByRole('listbox')).toHaveCount(0);
});
