/**
 * A page in light and dark, and wide and narrow: nothing scrolls sideways, and axe finds nothing. `PICTURES=on` keeps a picture
 * of each look, otherwise only those that have a fault do. The page is as wide afterwards as it was.
 */
import { readFileSync } from 'node:fs';
import { expect, type Page, type TestInfo } from '@playwright/test';

interface Look {
  colorScheme: 'light' | 'dark';
  width: number;
}

const sumOf = (name: string): number => [...name].reduce((sum, letter) => sum + letter.charCodeAt(0), 0);

/**
 * Each width once and each scheme once: what a scheme changes is the same in both widths, and every second page has the
 * other pair. `LOOKS=all` takes all four.
 */
const looksOf = (name: string, first: 'light' | 'dark'): Look[] => {
  const second = first === 'light' ? 'dark' : 'light';
  const [wide, narrow] = sumOf(name) % 2 === 1 ? ([first, second] as const) : ([second, first] as const);
  const pair: Look[] = [
    { colorScheme: wide, width: 1440 },
    { colorScheme: narrow, width: 360 },
  ];
  if (process.env.LOOKS !== 'all') return pair;
  return [...pair, { colorScheme: wide, width: 360 }, { colorScheme: narrow, width: 1440 }];
};

const AXE = 'node_modules/axe-core/axe.min.js';

const SETTLED_MS = 500;

/** Its own package for Playwright reads three megabytes into the page for each look; this is half a one, once a page. */
const violationsOf = async (page: Page): Promise<{ id: string; help: string; at: string[] }[]> => {
  if (!(await page.evaluate(() => 'axe' in globalThis))) await page.evaluate(readFileSync(AXE, 'utf8'));
  return page.evaluate(async () => {
    const { axe } = globalThis as unknown as { axe: typeof import('axe-core') };
    // Of what is right no list is made.
    const { violations } = await axe.run(document, { resultTypes: ['violations'] });
    return violations.map(({ id, help, nodes }) => ({ id, help, at: nodes.map(({ html }) => html) }));
  });
};

export const check = async (page: Page, name: string, info: TestInfo): Promise<void> => {
  // Where the last click was, another width may have something with a tooltip.
  await page.mouse.move(0, 0);
  const before = page.viewportSize();
  const scheme = await page.locator('html').getAttribute('data-mantine-color-scheme');
  const looks = looksOf(name, scheme === 'dark' ? 'dark' : 'light');
  for (const [at, { colorScheme, width }] of looks.entries()) {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    await page.setViewportSize({ width, height: 900 });
    await expect(page.locator('html')).toHaveAttribute('data-mantine-color-scheme', colorScheme);
    const overflow = await page.evaluate(async () => {
      // The new colours are computed with the next frame; before it axe would judge those of the other scheme.
      await new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn)));
      await Promise.all(document.getAnimations().map(({ finished }) => finished.catch(() => undefined)));
      return document.documentElement.scrollWidth - document.documentElement.clientWidth;
    });
    // Axe is most of the price of a look. One is judged: over the pages, each width in each scheme.
    const isJudged = process.env.LOOKS === 'all' || Math.floor(sumOf(name) / 2) % 2 === at;
    let found = isJudged ? await violationsOf(page) : [];
    if (found.length > 0) {
      // An answer that came in between may have been half drawn. What is wrong is wrong the second time as well.
      await page.waitForTimeout(SETTLED_MS);
      found = await violationsOf(page);
    }
    if (process.env.PICTURES === 'on' || found.length > 0 || overflow > 0)
      await page.screenshot({ path: info.outputPath(`${name}-${colorScheme}-${width}.png`) });
    expect.soft(found, `${name}, ${colorScheme}, ${width} px`).toEqual([]);
    expect.soft(overflow, `${name}, ${width} px, scrolls sideways`).toBeLessThanOrEqual(0);
  }
  if (before) await page.setViewportSize(before);
};

/** At 1440 px every column of the table is in view. */
export const expectTableToFit = async (page: Page, name: string): Promise<void> => {
  const before = page.viewportSize();
  await page.setViewportSize({ width: 1440, height: 900 });
  const hidden = await page
    .getByRole('table', { name })
    .evaluate(({ parentElement: frame }) => (frame ? frame.scrollWidth - frame.clientWidth : undefined));
  expect(hidden, `${name}: pixels that are out of view at 1440 px`).toBe(0);
  if (before) await page.setViewportSize(before);
};

/** How much of what was drawn has moved since the page was opened: the sum of all shifts that no input caused. */
export const shiftOf = (page: Page): Promise<number> =>
  page.evaluate(
    () =>
      new Promise<number>((resolve) => {
        const sum = (entries: PerformanceEntryList): number =>
          (entries as (PerformanceEntry & { value: number; hadRecentInput: boolean })[])
            .filter(({ hadRecentInput }) => !hadRecentInput)
            .reduce((all, { value }) => all + value, 0);
        const observer = new PerformanceObserver((list) => resolve(sum(list.getEntries())));
        observer.observe({ type: 'layout-shift', buffered: true });
        // Without any shift the observer is never called.
        requestAnimationFrame(() => requestAnimationFrame(() => resolve(sum(observer.takeRecords()))));
      }),
  );
