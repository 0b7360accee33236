/**
 * A walk in Debian's Firefox. Playwright drives only its own build of Firefox, so this uses Puppeteer over the standard
 * protocol, WebDriver BiDi. Puppeteer's `waitForFunction` compiles text in the page, which the content policy forbids,
 * so this polls instead.
 */
import { expect } from '@playwright/test';
import { launch, type Browser, type ElementHandle, type Page } from 'puppeteer-core';
import { test, type House } from './house';

interface PageElement {
  css: string;
  /** Start of the label or the text. */
  name: string;
}

/** The actions of a person, as this walk uses them. */
class Walk {
  /** Logged errors, exceptions and content-policy violations, which Firefox reports as errors. */
  readonly complaints: string[] = [];

  constructor(
    readonly page: Page,
    private readonly url: string,
  ) {
    page.on('console', (message) => {
      if (message.type() === 'error') this.complaints.push(message.text());
    });
    page.on('pageerror', (error) => this.complaints.push(String(error)));
  }

  async see(css: string, name: string): Promise<ElementHandle> {
    const found = { handle: undefined as ElementHandle | undefined };
    await expect
      .poll(async () => {
        found.handle = await this.look({ css, name });
        return found.handle !== undefined;
      }, `${css} "${name}"`)
      .toBe(true);
    return found.handle as ElementHandle;
  }

  async click(css: string, name: string): Promise<void> {
    await (await this.see(css, name)).click();
  }

  async open(path: string): Promise<void> {
    await this.page.goto(`${this.url}${path}`);
  }

  focused(): Promise<string> {
    return this.page.evaluate(() => {
      const { activeElement } = document;
      return (
        (activeElement as HTMLInputElement | null)?.labels?.[0]?.textContent ?? activeElement?.tagName ?? ''
      );
    });
  }

  private async look(what: PageElement): Promise<ElementHandle | undefined> {
    const handle = await this.page.evaluateHandle(
      ({ css, name }: PageElement) =>
        [...document.querySelectorAll(css)].find((one) =>
          (one.getAttribute('aria-label') ?? one.textContent ?? '').trim().startsWith(name),
        ) ?? null,
      what,
    );
    return (handle.asElement() as ElementHandle | null) ?? undefined;
  }
}

const startFirefox = (): Promise<Browser> =>
  launch({
    browser: 'firefox',
    executablePath: process.env.FIREFOX ?? '/usr/bin/firefox-esr',
    headless: true,
    defaultViewport: { width: 1440, height: 900 },
  });

const registerServer = async ({ page }: Walk, { sshd }: House, alias: string): Promise<void> => {
  const { privateKey } = await sshd.keyFor('ed25519');
  const { host, port, username, folder } = sshd;
  const server = { alias, host, port, username, root: folder, path: folder, nginxPath: folder, privateKey };
  const status = await page.evaluate(
    async (body) =>
      (
        await fetch('/api/server/insert', {
          method: 'POST',
          headers: { 'content-type': 'application/json', 'x-requested-with': 'quarterdeck' },
          body,
        })
      ).status,
    JSON.stringify(server),
  );
  expect(status).toBe(200);
};

test('Firefox: sign-in, servers, a live run, the palette, a refused form and 360 px work without logged errors (covers: SHELL-10, SRV-05, AUTH-04)', async ({
  house,
}) => {
  const firefox = await startFirefox();
  try {
    const page = await firefox.newPage();
    const walk = new Walk(page, house.url);
    await page.goto(await house.signInLink('ada@example.com'));
    await walk.see('header', '');

    await registerServer(walk, house, 'firefox-1');
    await walk.open('/app/server');
    await walk.see('h1', 'Servers');
    await walk.click('a', 'firefox-1');
    await walk.see('h1', 'firefox-1');

    house.standIns.holdPrune();
    await walk.click('[role=tab]', 'Commands');
    await walk.click('button', 'Docker prune');
    await walk.click('[role=dialog] button', 'Docker prune');
    const output = () => page.evaluate(() => document.querySelector('[role=log]')?.textContent ?? '');
    await expect.poll(output).toContain('Deleted Images:');
    expect(await output()).not.toContain('reclaimed');
    house.standIns.letPruneEnd();
    await walk.see('section[aria-label="Docker prune"] dd', '212MB');

    await page.keyboard.down('Control');
    await page.keyboard.press('k');
    await page.keyboard.up('Control');
    await walk.see('[role=dialog]', '');
    await page.keyboard.type('history');
    await page.keyboard.press('Enter');
    await walk.see('h1', 'History');
    // Wait for the data: Firefox fails the pending requests of a page that is left, and the page would log that.
    await walk.see('[role=listitem] time', '');

    await walk.open('/app/server/add');
    await walk.click('button', 'Save server');
    await expect.poll(() => walk.focused()).toContain('Alias');
    await walk.see('[aria-invalid=true] ~ *, p, div', 'This field is required');

    await page.setViewport({ width: 360, height: 740 });
    await walk.open('/app/server');
    await walk.see('a', 'firefox-1');
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(360);
    expect(walk.complaints).toEqual([]);
  } finally {
    await firefox.close();
  }
});
