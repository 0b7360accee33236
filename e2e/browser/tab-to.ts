import type { Page } from '@playwright/test';

/** Presses Tab until the element is focused. Fails if Tab does not reach it. */
export const tabTo = async (
  page: Page,
  role: 'button' | 'combobox' | 'link' | 'radio' | 'slider' | 'tab' | 'textbox' | 'tree',
  name: string | RegExp,
  most = 60,
): Promise<void> => {
  const target = page.getByRole(role, { name }).first();
  await target.waitFor();
  for (let presses = 0; presses < most; presses += 1) {
    if (await target.evaluate((element) => element === document.activeElement)) return;
    await page.keyboard.press('Tab');
  }
  throw new Error(`the Tab key does not reach ${role} ${String(name)}`);
};
