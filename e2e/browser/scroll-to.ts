import { expect, type Locator, type Page } from '@playwright/test';

/** Scrolls down from the top until the text is there: an editor renders only the lines that are in view. */
export const scrollTo = async (page: Page, where: Locator, text: string): Promise<void> => {
  await where.hover();
  await page.mouse.wheel(0, -100_000);
  await expect(async () => {
    await page.mouse.wheel(0, 150);
    await expect(where).toContainText(text, { timeout: 500 });
  }).toPass({ timeout: 120_000 });
};
