import { defineConfig } from '@playwright/test';
import { browserOfOthers, turnOf } from './scripts/test/turns.mjs';
import { chromiumProgram } from './testing/chromium';

/**
 * Chromium hears only the last list of what it shall go without, so this one has Playwright's own names as well. The first
 * two are ours: pages of the address bar that every window starts and nobody sees, at twice the price of the page in it.
 */
const without = [
  'WebUIOmniboxPopup',
  'WebUIOmniboxAimPopup',
  'AvoidUnnecessaryBeforeUnloadCheckSync',
  'DestroyProfileOnBrowserClose',
  'HttpsUpgrades',
  'HttpsFirstBalancedModeAutoEnable',
  'LensOverlay',
  'MediaRouter',
  'PaintHolding',
  'ThirdPartyStoragePartitioning',
  'AvoidCorsURLLoaderRestartOnRedirect',
  'OptimizationHints',
  'NetworkTimeServiceQuerying',
  'AimEnabled',
  'PreconnectToSearch',
];

/** The flags keep Chromium off the network and let it run as root. */
export default defineConfig({
  testDir: 'e2e/browser',
  testMatch: '*.e2e.ts',
  testIgnore: browserOfOthers(turnOf(process.env.TEST_TURN)),
  outputDir: 'test-results',
  fullyParallel: false,
  workers: 2,
  retries: 0,
  forbidOnly: true,
  // A busy machine is slow and not wrong.
  timeout: 600_000,
  expect: { timeout: 120_000 },
  reporter: [['list']],
  use: {
    // Names the click or page that never came, long before the test's own limit.
    actionTimeout: 120_000,
    navigationTimeout: 120_000,
    viewport: { width: 1280, height: 800 },
    // Recording takes a quarter of the time, and `npm test` keeps none of it: what failed tells what its page showed.
    trace: process.env.CI ? 'off' : 'retain-on-failure',
    screenshot: 'only-on-failure',
    launchOptions: {
      executablePath: chromiumProgram,
      args: [
        '--headless',
        '--no-sandbox',
        '--disable-gpu',
        '--disable-quic',
        '--no-first-run',
        '--disable-background-networking',
        '--disable-component-update',
        '--disable-sync',
        `--disable-features=${without.join(',')}`,
      ],
    },
  },
});
