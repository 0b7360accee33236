// Keyboard only: no mouse from the first page to the history.
import { expect } from '@playwright/test';
import { test } from './house';
import { addServer } from './servers-page';
import { tabTo } from './tab-to';

test('a server can be found, used and traced in the history by keyboard alone (covers: SHELL-10)', async ({
  house,
  person,
}) => {
  const { page } = await person('ada@example.com');
  await addServer(page, house.sshd, { alias: 'keys-1' });
  await page.goto('/app');
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();

  await page.keyboard.press('g');
  await page.keyboard.press('s');
  await expect(page.getByRole('heading', { name: 'Servers', exact: true })).toBeVisible();
  await expect(page.getByRole('link', { name: 'keys-1', exact: true })).toBeVisible();
  await page.keyboard.press('/');
  await expect(page.getByRole('searchbox', { name: 'Search servers' })).toBeFocused();
  await page.keyboard.type('keys-1');
  await expect(page).toHaveURL(/q=keys-1/);
  await tabTo(page, 'link', 'keys-1');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('heading', { level: 1, name: 'keys-1' })).toBeVisible();

  await tabTo(page, 'tab', 'Overview');
  await page.keyboard.press('ArrowRight');
  await expect(page.getByRole('tab', { name: 'Commands' })).toBeFocused();
  await tabTo(page, 'button', /^Memory usage/);
  await page.keyboard.press('Enter');
  await expect(page.getByText(/exit code 0/)).toBeVisible();
  await tabTo(page, 'button', 'Show raw output');
  await page.keyboard.press('Enter');
  await tabTo(page, 'textbox', 'Search in output');
  await page.keyboard.type('swap');
  await expect(page.getByText(/^1 of \d+$/)).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(page.getByRole('textbox', { name: 'Search in output' })).toHaveValue('');
  await tabTo(page, 'link', 'Line 1');
  await page.keyboard.press('ArrowDown');
  await expect(page.getByRole('link', { name: 'Line 2', exact: true })).toBeFocused();

  await page.keyboard.press('g');
  await page.keyboard.press('h');
  await expect(page.getByRole('heading', { name: 'History' })).toBeVisible();
  await tabTo(page, 'button', /succeeded after/);
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  const drawer = page.getByRole('dialog', { name: 'Event' });
  await expect(drawer).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(drawer).toBeHidden();

  await page.keyboard.press('g');
  await page.keyboard.press('s');
  // Wait for the page that defines the shortcut n.
  await expect(page.getByRole('heading', { name: 'Servers', exact: true })).toBeVisible();
  await expect(page.getByRole('link', { name: 'keys-1', exact: true })).toBeVisible();
  await page.keyboard.press('n');
  await expect(page.getByRole('heading', { name: 'Add Server' })).toBeVisible();
  await tabTo(page, 'textbox', 'Alias');
  await page.keyboard.press('Enter');
  await expect(page.getByLabel('Alias')).toHaveAccessibleDescription(/This field is required/);
});
