/**
 * Checks a page in light and dark, wide and narrow: it must not scroll sideways, a short word that stands alone must not
 * be broken, and axe must find no violation. Looks with a fault are kept as screenshots, with `PICTURES=on` all of them. The viewport is restored afterwards.
 */
import { readFileSync } from 'node:fs';
import { expect, type Page, type TestInfo } from '@playwright/test';

interface Look {
  colorScheme: 'light' | 'dark';
  width: number;
}

const sumOf = (name: string): number => [...name].reduce((sum, letter) => sum + letter.charCodeAt(0), 0);

/**
 * Each width once and each scheme once, because a scheme's effects do not depend on the width. Half of the pages get
 * one pairing of width and scheme, half the other. `LOOKS=all` takes all four combinations.
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

/** Injects half a megabyte once per page; axe's own Playwright package injects three megabytes for each look. */
const violationsOf = async (
  page: Page,
  without: readonly string[] = [],
): Promise<{ id: string; help: string; at: string[] }[]> => {
  if (!(await page.evaluate(() => 'axe' in globalThis))) await page.evaluate(readFileSync(AXE, 'utf8'));
  const found = await page.evaluate(async () => {
    const { axe } = globalThis as unknown as { axe: typeof import('axe-core') };
    // Passing rules are not listed.
    const { violations } = await axe.run(document, { resultTypes: ['violations'] });
    return violations.map(({ id, help, nodes }) => ({ id, help, at: nodes.map(({ html }) => html) }));
  });
  return found.filter(({ id }) => !without.includes(id));
};

/**
 * For what is open: another width or scheme would close it. A menu is at the end of the document, outside of its
 * landmarks, which `region` takes for content that nobody finds.
 */
export const expectNoViolations = async (page: Page, name: string): Promise<void> => {
  await page.evaluate(() =>
    Promise.all(document.getAnimations().map(({ finished }) => finished.catch(() => undefined))),
  );
  expect.soft(await violationsOf(page, ['region']), name).toEqual([]);
};

export const check = async (page: Page, name: string, info: TestInfo): Promise<void> => {
  // At another width, something with a tooltip may be under the position of the last click.
  await page.mouse.move(0, 0);
  const before = page.viewportSize();
  const scheme = await page.locator('html').getAttribute('data-mantine-color-scheme');
  const looks = looksOf(name, scheme === 'dark' ? 'dark' : 'light');
  for (const [at, { colorScheme, width }] of looks.entries()) {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    await page.setViewportSize({ width, height: 900 });
    await expect(page.locator('html')).toHaveAttribute('data-mantine-color-scheme', colorScheme);
    const { overflow, broken } = await page.evaluate(async () => {
      // The new colours are computed with the next frame; until then axe would judge those of the other scheme.
      await new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn)));
      await Promise.all(document.getAnimations().map(({ finished }) => finished.catch(() => undefined)));
      const words: string[] = [];
      const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
      const range = document.createRange();
      for (let text = texts.nextNode(); text; text = texts.nextNode()) {
        const word = text.textContent?.trim() ?? '';
        // A fingerprint may have letters alone, but in mixed case.
        if (!/^(?:[A-Z]?[a-z]{2,11}|[A-Z]{3,12})$/.test(word)) continue;
        range.selectNodeContents(text);
        const lines = new Set(Array.from(range.getClientRects(), ({ top }) => Math.round(top)));
        if (lines.size > 1) words.push(word);
      }
      const { scrollWidth, clientWidth } = document.documentElement;
      return { overflow: scrollWidth - clientWidth, broken: words };
    });
    // Axe takes most of the time, so it runs for one look per page. Across all pages, every combination is judged.
    const isJudged = process.env.LOOKS === 'all' || Math.floor(sumOf(name) / 2) % 2 === at;
    let found = isJudged ? await violationsOf(page) : [];
    if (found.length > 0) {
      // A response that just arrived may be half rendered; a real violation is found the second time as well.
      await page.waitForTimeout(SETTLED_MS);
      found = await violationsOf(page);
    }
    if (process.env.PICTURES === 'on' || found.length + broken.length > 0 || overflow > 0)
      await page.screenshot({ path: info.outputPath(`${name}-${colorScheme}-${width}.png`) });
    expect.soft(found, `${name}, ${colorScheme}, ${width} px`).toEqual([]);
    expect.soft(broken, `${name}, ${width} px, broken words`).toEqual([]);
    expect.soft(overflow, `${name}, ${width} px, scrolls sideways`).toBeLessThanOrEqual(0);
  }
  if (before) await page.setViewportSize(before);
};

/** Expects that every column of the table is in view at 1440 px. */
export const expectTableToFit = async (page: Page, name: string): Promise<void> => {
  const before = page.viewportSize();
  await page.setViewportSize({ width: 1440, height: 900 });
  const hidden = await page
    .getByRole('table', { name })
    .evaluate(({ parentElement: frame }) => (frame ? frame.scrollWidth - frame.clientWidth : undefined));
  expect(hidden, `${name}: pixels that are out of view at 1440 px`).toBe(0);
  if (before) await page.setViewportSize(before);
};

/** Cumulative layout shift since the page was opened, without shifts that input caused. */
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
