/**
 * A page in light and dark, wide and narrow: axe finds nothing, nothing scrolls sideways, and a picture is kept. The page
 * is as wide afterwards as it was.
 */
import AxeBuilder from '@axe-core/playwright';
import { expect, type Page, type TestInfo } from '@playwright/test';

const looks = (['light', 'dark'] as const).flatMap((colorScheme) =>
  [1440, 360].map((width) => ({ colorScheme, width })),
);

/** Half a megabyte to read, once a page is enough. */
const THERE_ALREADY = ';';

export const check = async (page: Page, name: string, info: TestInfo): Promise<void> => {
  // Where the last click was, another width may have something with a tooltip.
  await page.mouse.move(0, 0);
  const before = page.viewportSize();
  for (const [at, { colorScheme, width }] of looks.entries()) {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    await page.setViewportSize({ width, height: 900 });
    await expect(page.locator('html')).toHaveAttribute('data-mantine-color-scheme', colorScheme);
    await page.evaluate(() =>
      Promise.all(document.getAnimations().map(({ finished }) => finished.catch(() => undefined))),
    );
    await page.screenshot({ path: info.outputPath(`${name}-${colorScheme}-${width}.png`) });
    const axe = new AxeBuilder({ page, ...(at > 0 && { axeSource: THERE_ALREADY }) });
    // In this page, since ours have no frames of others, and not in a new one for each look; of what is right no list is made.
    const { violations } = await axe
      .setLegacyMode()
      .options({ resultTypes: ['violations'] })
      .analyze();
    const found = violations.map(({ id, help, nodes }) => ({ id, help, at: nodes.map(({ html }) => html) }));
    expect.soft(found, `${name}, ${colorScheme}, ${width} px`).toEqual([]);
    const overflow = await page.evaluate(
      () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
    );
    expect.soft(overflow, `${name}, ${width} px, scrolls sideways`).toBeLessThanOrEqual(0);
  }
  if (before) await page.setViewportSize(before);
};
