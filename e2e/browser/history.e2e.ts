// The history: live for two operators, filtered by the address, traced from event to cause, and exported.
import { readFileSync } from 'node:fs';
import { check } from './every-look';
import { expect, test, type Person } from './house';
import { addServer, openServer } from './servers-page';

const eventsOf = ({ page }: Person) => page.getByRole('list', { name: 'History' });

const run = async ({ page }: Person, label: RegExp): Promise<void> => {
  await page.getByRole('button', { name: label }).click();
  await expect(page.getByText('exit code 0')).toBeVisible();
  await page.getByRole('button', { name: 'Back' }).click();
};

test('an event shows its changes, causes and effects; runs and servers have their own history (covers: AUD-01)', async ({
  house,
  person,
}, info) => {
  const ada = await person('ada@example.com');
  const { page } = ada;
  await addServer(page, house.sshd, { alias: 'told-before' });
  await page.goto('/app/server');
  await page.getByRole('link', { name: 'Edit told-before' }).click();
  await page.getByLabel('Alias').fill('told-after');
  await page.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'told-after' })).toBeVisible();
  await page.getByRole('tab', { name: 'Commands' }).click();
  await run(ada, /^Memory usage/);

  await page.getByRole('tab', { name: 'History' }).click();
  const own = page.getByRole('list', { name: 'History of told-after' });
  await own.getByRole('button', { name: 'renamed the server to told-after' }).click();
  const drawer = page.getByRole('dialog', { name: 'Event' });
  await expect(drawer.getByRole('row', { name: 'Alias told-before told-after' })).toBeVisible();
  await expect(drawer).toContainText(`${ada.email} requested it`);
  await check(page, 'event-changed', info);
  await page.keyboard.press('Escape');

  await page.goto('/app/history?text=told-after&category=run');
  await eventsOf(ada)
    .getByRole('button', { name: /^succeeded after/ })
    .click();
  // One click leads from an event to its cause, and so on along the chain.
  const chain = drawer.getByRole('list', { name: 'Chain of causes' }).getByRole('listitem');
  await expect(chain).toHaveCount(4);
  await check(page, 'event-chain', info);
  const cause = `${ada.email} requested Memory usage on told-after`;
  await drawer.getByRole('definition').getByRole('button', { name: cause }).click();
  await expect(drawer).toContainText(`${ada.email} requested it`);
  await drawer.getByRole('link', { name: 'Everything with the same cause' }).click();
  await expect(page).toHaveURL(/cause=/);
  await expect(eventsOf(ada).getByRole('listitem')).toHaveCount(4);

  await eventsOf(ada).getByRole('link', { name: 'Memory usage on told-after' }).first().click();
  await expect(page.getByRole('heading', { level: 1, name: 'Memory usage on told-after' })).toBeVisible();
  await page.getByText('History', { exact: true }).last().click();
  const ofRun = page.getByRole('list', { name: 'History of Memory usage on told-after' });
  await expect(ofRun.getByRole('listitem')).toHaveCount(4);
  await check(page, 'run-with-history', info);
});

test('new events appear at the top, and do not move the page of someone reading further down (covers: AUD-01, SHELL-09)', async ({
  house,
  person,
}) => {
  const [ada, bo] = [await person('ada@example.com'), await person('bo@example.com')];
  await addServer(ada.page, house.sshd, { alias: 'live-1' });
  await ada.page.getByRole('tab', { name: 'Commands' }).click();
  for (let n = 0; n < 4; n += 1) await run(ada, /^Server info/);
  await bo.page.setViewportSize({ width: 1440, height: 500 });
  await bo.page.goto('/app/history?text=live-1');
  const requested = eventsOf(bo).getByRole('button', { name: 'requested Server info on live-1' });
  await expect(requested.first()).toBeVisible();

  await run(ada, /^Memory usage/);
  await expect(eventsOf(bo).getByRole('button', { name: 'requested Memory usage on live-1' })).toBeVisible();
  // Wait for the run's last event, too: an event that arrives after scrolling would count as new.
  await expect(eventsOf(bo).getByRole('listitem').first()).toContainText('succeeded after');
  await expect(bo.page.getByRole('button', { name: /new events?$/ })).toBeHidden();

  await eventsOf(bo).getByRole('listitem').first().hover();
  const read = eventsOf(bo).getByRole('listitem').nth(8);
  const place = async () => Math.round((await read.boundingBox())?.y ?? 0);
  const unscrolled = await place();
  await bo.page.mouse.wheel(0, 160);
  // A page goes on scrolling after the wheel has stopped.
  await expect.poll(place).toBe(unscrolled - 160);
  const before = [await read.innerText(), await place()];
  await run(ada, /^Static folders/);
  const pill = bo.page.getByRole('button', { name: /\d+ new events$/ });
  await expect(pill).toHaveText('4 new events');
  expect([await read.innerText(), await place()]).toEqual(before);
  await pill.click();
  await expect(
    eventsOf(bo).getByRole('button', { name: 'requested Static folders on live-1' }),
  ).toBeVisible();
  await expect(pill).toBeHidden();
});

test('filtered events are exported as CSV or JSON lines (covers: AUD-01, SHELL-11)', async ({
  house,
  person,
}, info) => {
  const ada = await person('ada@example.com');
  const { page } = ada;
  await addServer(page, house.sshd, { alias: '=taken-1' });
  await openServer(page, '=taken-1');
  await page.goto('/app/history?type=ServerRegistered&text=taken-1');
  await expect(eventsOf(ada).getByRole('listitem')).toHaveCount(1);
  await page.getByRole('button', { name: 'Export' }).click();
  await expect(page.getByText('Filtered events')).toBeVisible();
  await check(page, 'history-export', info);

  const taken = async (item: RegExp): Promise<{ name: string; text: string }> => {
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('link', { name: item }).click(),
    ]);
    return { name: download.suggestedFilename(), text: readFileSync(await download.path(), 'utf8') };
  };
  const csv = await taken(/^CSV/);
  expect(csv.name).toMatch(/^history-[\d-]{10}\.csv$/);
  const [head, row, ...rest] = csv.text.split('\r\n');
  expect(head).toMatch(/^position,at,who,says,subject,type,/);
  expect(row).toContain(`,${ada.email},registered =taken-1 at `);
  // A spreadsheet must not evaluate a name as a formula.
  expect(row).toContain(`,'=taken-1,ServerRegistered,`);
  expect(rest).toEqual(['']);

  const lines = await taken(/^JSON lines/);
  expect(lines.name).toMatch(/\.jsonl$/);
  const events = lines.text.trimEnd().split('\n');
  expect(events).toHaveLength(1);
  expect(JSON.parse(events[0] ?? '')).toMatchObject({
    type: 'ServerRegistered',
    data: { alias: '=taken-1' },
  });

  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Remove filter: Server registered' }).click();
  await expect(page).not.toHaveURL(/type=/);
  await expect(eventsOf(ada).getByRole('button', { name: /pinned the host key/ })).toBeVisible();
});

test('the printed history keeps times and words whole, and leaves the screen out', async ({
  house,
  person,
}) => {
  const { page } = await person('ada@example.com');
  await addServer(page, house.sshd, { alias: 'printed-1' });
  await page.goto('/app/history?text=printed-1');
  await expect(page.getByRole('button', { name: /registered printed-1/ })).toBeVisible();
  // The paper stays until the dialog is closed.
  await page.evaluate(() => (window.print = () => undefined));
  const paper = page.locator('.qd-printed');
  await page.getByRole('button', { name: 'Export' }).click();
  await page.getByRole('button', { name: 'Print', exact: true }).click();
  await expect(paper).toHaveCount(1);
  await page.evaluate(() => window.dispatchEvent(new Event('afterprint')));
  await expect(paper).toHaveCount(0);
  await page.keyboard.press('Escape');
  await page.keyboard.press('Control+p');
  await expect(paper).toHaveCount(1);
  await page.emulateMedia({ media: 'print' });
  // A4 without its margins.
  await page.setViewportSize({ width: 703, height: 1000 });
  await expect(paper.getByRole('definition').filter({ hasText: 'by ada@example.com' })).toBeVisible();
  await expect(page.getByRole('navigation', { name: 'Main', includeHidden: true })).toBeHidden();
  const lines = await paper
    .locator('tbody tr')
    .first()
    .locator('td')
    .first()
    .evaluate((cell) => {
      const range = document.createRange();
      range.selectNodeContents(cell);
      return new Set(Array.from(range.getClientRects(), ({ top }) => Math.round(top))).size;
    });
  expect(lines, 'lines of a time').toBe(1);
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(703);
});

test('a page without a document of its own prints its content whole, in light colours, with who printed it', async ({
  house,
  person,
}) => {
  const { page } = await person('ada@example.com', { colorScheme: 'dark' });
  await addServer(page, house.sshd, { alias: 'printed-2' });
  await page.getByRole('tab', { name: 'History' }).click();
  const registered = page.getByRole('button', { name: /registered printed-2/ });
  await expect(registered).toBeVisible();
  // As the browser does it: the event first, then the layout of the paper, A4 without its margins.
  await page.evaluate(() => window.dispatchEvent(new Event('beforeprint')));
  await page.emulateMedia({ media: 'print' });
  await page.setViewportSize({ width: 703, height: 1000 });
  const main = page.getByRole('main');
  await expect(main.getByRole('listitem').filter({ has: registered })).toContainText(
    /\d+ \w+ \d{4}, \d\d:\d\d:\d\d/,
  );
  await expect(page.getByText(/Printed by ada@example\.com, \d+ \w+ \d{4}/)).toBeVisible();
  await expect(page.getByRole('banner', { includeHidden: true })).toBeHidden();
  await expect(main.getByRole('button', { name: 'Actions', includeHidden: true })).toBeHidden();
  await expect(page.locator('html')).toHaveAttribute('data-mantine-color-scheme', 'light');
  const cut = await main.evaluate((all) =>
    [...all.querySelectorAll('*')].flatMap((one) =>
      one.scrollWidth > one.clientWidth + 1 &&
      getComputedStyle(one).overflowX !== 'visible' &&
      one.clientWidth > 1
        ? [one.outerHTML.slice(0, 200)]
        : [],
    ),
  );
  expect(cut, 'what the paper cuts off').toEqual([]);
  await page.emulateMedia({ media: null });
  await page.evaluate(() => window.dispatchEvent(new Event('afterprint')));
  await expect(page.getByText(/Printed by/)).toBeHidden();
  await expect(page.locator('html')).toHaveAttribute('data-mantine-color-scheme', 'dark');
});
