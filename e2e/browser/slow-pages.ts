/** Slows every page of a browser down, for `npm run faults -- slow`: tests must wait for what they mean. */
import type { Browser, BrowserContext, Page } from '@playwright/test';

/** How many times as long the processor of a page takes. */
const rate = Number(process.env.SLOW_PAGES ?? 1);
const LATENCY_MS = 200;

const slow = async (page: Page): Promise<void> => {
  const client = await page.context().newCDPSession(page);
  await client.send('Emulation.setCPUThrottlingRate', { rate });
  await client.send('Network.enable');
  await client.send('Network.emulateNetworkConditions', {
    offline: false,
    latency: LATENCY_MS,
    downloadThroughput: -1,
    uploadThroughput: -1,
  });
};

/** Only Chromium can be slowed. */
export const slowPages = (browser: Browser): void => {
  if (rate === 1 || browser.browserType().name() !== 'chromium') return;
  // A page that closes at once cannot be slowed any more.
  const listen = (context: BrowserContext): void =>
    void context.on('page', (page) => void slow(page).catch(() => undefined));
  browser.contexts().forEach(listen);
  browser.on('context', listen);
};
