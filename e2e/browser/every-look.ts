/**
 * A page in light and dark, wide and narrow: axe finds nothing, and nothing scrolls sideways. `PICTURES=on` keeps a picture
 * of each look, otherwise only those that have a fault do. The page is as wide afterwards as it was.
 */
import AxeBuilder from '@axe-core/playwright';
import { expect, type Page, type TestInfo } from '@playwright/test';

/** Each width is judged by all rules once; the other scheme can change only what depends on colours. */
const looks = [
  { colorScheme: 'light', width: 1440, rules: 'all' },
  { colorScheme: 'light', width: 360, rules: 'colours' },
  { colorScheme: 'dark', width: 1440, rules: 'colours' },
  { colorScheme: 'dark', width: 360, rules: 'all' },
] as const;

const COLOURS = ['color-contrast', 'link-in-text-block'];

/** Half a megabyte to read, once a page is enough. */
const THERE_ALREADY = ';';

export const check = async (page: Page, name: string, info: TestInfo): Promise<void> => {
  // Where the last click was, another width may have something with a tooltip.
  await page.mouse.move(0, 0);
  const before = page.viewportSize();
  for (const [at, { colorScheme, width, rules }] of looks.entries()) {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    await page.setViewportSize({ width, height: 900 });
    await expect(page.locator('html')).toHaveAttribute('data-mantine-color-scheme', colorScheme);
    const overflow = await page.evaluate(async () => {
      await Promise.all(document.getAnimations().map(({ finished }) => finished.catch(() => undefined)));
      return document.documentElement.scrollWidth - document.documentElement.clientWidth;
    });
    const axe = new AxeBuilder({ page, ...(at > 0 && { axeSource: THERE_ALREADY }) });
    // In this page, since ours have no frames of others, and not in a new one for each look; of what is right no list is made.
    const { violations } = await axe
      .setLegacyMode()
      .options({
        resultTypes: ['violations'],
        ...(rules === 'colours' && { runOnly: { type: 'rule', values: COLOURS } }),
      })
      .analyze();
    const found = violations.map(({ id, help, nodes }) => ({ id, help, at: nodes.map(({ html }) => html) }));
    if (process.env.PICTURES === 'on' || found.length > 0 || overflow > 0)
      await page.screenshot({ path: info.outputPath(`${name}-${colorScheme}-${width}.png`) });
    expect.soft(found, `${name}, ${colorScheme}, ${width} px`).toEqual([]);
    expect.soft(overflow, `${name}, ${width} px, scrolls sideways`).toBeLessThanOrEqual(0);
  }
  if (before) await page.setViewportSize(before);
};
