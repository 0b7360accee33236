// Every kind of menu, list and popover while it is open: no axe violation in any of them. covers: SHELL-10
import type { Page } from '@playwright/test';
import { expectNoViolations } from './every-look';
import { expect, test } from './house';
import { addServer } from './servers-page';

const judged = async (page: Page, name: string): Promise<void> => {
  await expectNoViolations(page, name);
  await page.keyboard.press('Escape');
};

test('menus of the frame and of a list break no rule while they are open', async ({ house, person }) => {
  test.slow();
  const { page } = await person('ada@example.com');
  await addServer(page, house.sshd, { alias: 'menus-1' });
  await page.getByRole('button', { name: 'Actions' }).click();
  await expect(page.getByRole('menuitem', { name: 'Delete server' })).toBeVisible();
  await judged(page, 'actions of a server');

  await page.getByRole('button', { name: 'Your account' }).click();
  await expect(page.getByRole('menuitem', { name: 'Profile' })).toBeVisible();
  await judged(page, 'user menu');

  await page.goto('/app/server');
  await expect(page.getByRole('link', { name: 'menus-1', exact: true })).toBeVisible();
  await page.getByRole('button', { name: 'Columns' }).click();
  await expect(page.getByRole('menuitemcheckbox').first()).toBeVisible();
  await judged(page, 'columns');
  await page.getByRole('button', { name: 'Filter' }).click();
  await expect(page.getByRole('menuitem').first()).toBeVisible();
  await expectNoViolations(page, 'filters');
  const filters = await page.getByRole('menuitem').allTextContents();
  await page.keyboard.press('Escape');
  for (const filter of filters) {
    await page.getByRole('button', { name: 'Filter' }).click();
    await page.getByRole('menuitem', { name: filter, exact: true }).click();
    await expect(page.getByRole('dialog').locator('input').first()).toBeVisible();
    await expectNoViolations(page, `filter by ${filter}`);
    const list = page.getByRole('dialog').getByRole('combobox');
    if (await list.isVisible()) {
      await list.click();
      await expect(page.getByRole('option').first()).toBeVisible();
      await expectNoViolations(page, `values of the filter by ${filter}`);
    }
    await page.keyboard.press('Escape');
  }

  await page.keyboard.press('Control+k');
  await expect(page.getByRole('option').first()).toBeVisible();
  await judged(page, 'palette');
  await page.keyboard.press('?');
  await expect(page.getByRole('dialog', { name: 'Keyboard shortcuts' })).toBeVisible();
  await judged(page, 'shortcuts');
  await page.getByRole('button', { name: /Runs in progress|No runs|running/ }).click();
  await expect(page.getByRole('dialog')).toBeVisible();
  await judged(page, 'runs');
  await page.getByRole('button', { name: /notice/i }).click();
  await expect(page.getByRole('dialog')).toBeVisible();
  await judged(page, 'notices');
  await page.getByRole('button', { name: 'Instant: now' }).click();
  await expect(page.getByRole('slider', { name: 'Instant' })).toBeVisible();
  await judged(page, 'timeline');

  await page.setViewportSize({ width: 360, height: 900 });
  await page.getByRole('button', { name: 'Sort' }).click();
  await expect(page.getByRole('menuitem').first()).toBeVisible();
  await judged(page, 'sort');
  await page.getByRole('button', { name: 'Open navigation' }).click();
  await expect(page.getByRole('dialog').getByRole('link').first()).toBeVisible();
  await judged(page, 'navigation');
});

test('a list of choices breaks no rule while it is open', async ({ person }) => {
  const { page } = await person('ada@example.com', { at: '/app/history' });
  await page.getByRole('button', { name: 'Filter' }).click();
  await page.getByLabel('Event type').first().click();
  await expect(page.getByRole('listbox').getByRole('option').first()).toBeVisible();
  await expectNoViolations(page, 'event types');
});
