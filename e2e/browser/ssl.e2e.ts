// The SSL monitor: started by one operator, watched by two, stopped, replayed. covers: DOM-01, DOM-09, DOM-10, DOM-11
import type { Page } from '@playwright/test';
import { call } from './domains-house';
import { check } from './every-look';
import { expect, type House } from './house';
import type { Bind } from '../../testing/bind';
import type { EndpointKind } from '../../testing/tls-endpoints';
import { addShownDomains, registerSilentServer, test, type Shown } from './ssl-house';

const wide = { width: 1440, height: 900 };

const panel = (page: Page) => page.getByRole('region', { name: 'SSL certificate monitor' });
const log = (page: Page) => panel(page).getByRole('log', { name: 'Activity log' });
const tile = (page: Page, label: string) =>
  panel(page)
    .locator('dl > div')
    .filter({ has: page.getByText(label, { exact: true }) })
    .locator('dd');
const disclosure = (page: Page, title: string) => panel(page).locator('summary').filter({ hasText: title });
const runs = (page: Page) => panel(page).getByRole('list', { name: 'Last runs' }).getByRole('listitem');
const progress = (page: Page) => panel(page).getByRole('progressbar', { name: 'Domains checked' });

/** By default the monitor checks one domain after the other, without pauses or a schedule. */
const configure = async (page: Page, more: object = {}): Promise<void> => {
  const paces = { checkPauseMs: 0, renewPauseMs: 0, concurrency: 1, expiringDays: 30 };
  await call(page, 'workspace/ssl-monitor', { ...paces, ...more });
};

/** Adds the domains, unless an earlier test has added them. */
const withDomains = async (page: Page, house: House, bind: Bind, shown: Shown): Promise<void> => {
  await configure(page);
  const { total } = await call<{ total: number }>(page, 'domain/page', {});
  if (total > 0) return;
  const server = await registerSilentServer(page, house, shown);
  await addShownDomains(page, { bind, shown, server }, kinds);
};

/** Each held check gives up after ten seconds, so with this many domains a held run takes minutes. */
const between = Array.from({ length: 18 }, (_, at) => [`m-${String(at).padStart(2, '0')}`, 'valid'] as const);
const kinds: Record<string, EndpointKind> = {
  'a-shop': 'valid',
  'b-blog': 'valid',
  'c-soon': 'expiring',
  ...Object.fromEntries(between),
  'v-mess': 'garbage',
  'w-old': 'expired',
  'x-other': 'wrongName',
  'z-last': 'valid',
};

test('pace and schedule apply to the whole workspace, and a concurrent change shows a conflict', async ({
  person,
}, info) => {
  const [fay, gus] = [
    await person('fay@example.com', { at: '/app/domain' }),
    await person('gus@example.com'),
  ];
  await expect(panel(fay.page)).toContainText('Idle: has not run yet');
  await disclosure(fay.page, 'Activity log and last runs').click();
  await expect(panel(fay.page)).toContainText('Progress will appear here');
  await expect(panel(fay.page)).toContainText('No schedule: started by hand.');
  await check(fay.page, 'ssl-idle', info);
  await fay.page.setViewportSize(wide);
  await configure(fay.page);
  await gus.page.goto('/app/domain');
  for (const { page } of [fay, gus]) {
    await disclosure(page, 'Settings').click();
    await expect(panel(page).getByLabel('Concurrency')).toHaveValue('1');
  }
  await fay.page.getByLabel('Schedule').fill('61 3 * *');
  await fay.page.getByRole('button', { name: 'Save' }).click();
  await expect(panel(fay.page)).toContainText('five fields as in crontab are expected');
  await fay.page.getByLabel('Schedule').fill('0 0 31 2 *');
  await fay.page.getByRole('button', { name: 'Save' }).click();
  await expect(panel(fay.page)).toContainText('this schedule never occurs');
  await check(fay.page, 'ssl-settings', info);
  await fay.page.setViewportSize(wide);
  await gus.page.getByLabel('Expiring below (days)').fill('20');
  await fay.page.getByLabel('Schedule').fill('17 4 * * *');
  await fay.page.getByLabel('Concurrency').fill('8');
  await fay.page.keyboard.press('Enter');
  for (const { page } of [fay, gus]) {
    await expect(disclosure(page, 'Settings')).toContainText('8 at once, expiring below 30 days');
    await expect(panel(page)).toContainText('Next by schedule');
  }

  await gus.page.getByRole('button', { name: 'Save' }).click();
  await expect(gus.page.getByRole('alert', { name: 'Conflict' })).toBeVisible();
  await gus.page.getByRole('button', { name: 'Save both changes' }).click();
  for (const { page } of [fay, gus])
    await expect(disclosure(page, 'Settings')).toContainText('8 at once, expiring below 20 days');
});

test('a run is watched by two people, survives a reload, and can be replayed', async ({
  house,
  bind,
  shown,
  person,
}, info) => {
  const [ada, bo] = [await person('ada@example.com'), await person('bo@example.com')];
  const { page } = ada;
  await page.goto('/app/domain');
  await withDomains(page, house, bind, shown);
  await expect(panel(page)).toContainText('No schedule: started by hand.');
  await bo.page.goto('/app/domain');
  await expect(panel(bo.page)).toContainText('Idle');
  await bo.page.evaluate(() => document.body.setAttribute('data-mark', 'same page'));

  // By then the log has more lines than fit into view.
  shown.holdAfter(8);
  await page.getByRole('button', { name: 'Start SSL monitor' }).click();
  for (const each of [page, bo.page]) {
    await expect(panel(each)).toContainText(/Checking each: ([89]|1\d|2[0-4]) of 25 domains checked/);
    await expect(progress(each)).toHaveAttribute('aria-valuenow', /^([89]|1\d|2[0-4])$/);
    await expect(tile(each, 'Total')).toHaveText('25');
    await expect(tile(each, 'Expiring')).toHaveText('1');
    await expect(tile(each, 'Expired')).toHaveText('0');
    // Scrolled up, the log stays where it is.
    await log(each).evaluate((element) => element.scrollTo(0, 0));
    await expect(log(each)).toContainText('Found 25 domains');
    await expect(log(each)).toContainText(/success.*a-shop\.example\.test is valid for 90 days/);
    await expect(log(each)).toContainText(/warning.*c-soon\.example\.test expires in 12 days/);
    await expect(each.getByRole('button', { name: 'Start SSL monitor' })).toHaveCount(0);
    await expect(panel(each).getByRole('button', { name: 'Stop' })).toBeEnabled();
  }
  await page.reload();
  await expect(panel(page)).toContainText(/Checking each: \d+ of 25/);
  await expect(log(page)).toContainText(/Checking SSL for m-\d\d\.example\.test\.\.\./);
  await disclosure(page, 'Domain by domain').click();
  const rows = panel(page).getByRole('table', { name: 'Domains of the run' }).getByRole('row');
  await expect(rows.filter({ hasText: 'c-soon' })).toContainText(/12.*expiring/);
  await expect(rows.filter({ hasText: 'z-last' })).toContainText('waiting');
  shown.letGo();

  // Checked first, because the toast disappears after five seconds. The run ends only after held checks have timed out.
  await expect(page.getByRole('link', { name: `SSL monitor: ${house.workspace} succeeded` })).toBeVisible();
  for (const each of [page, bo.page]) {
    await expect(panel(each)).toContainText('Complete: 25 of 25 domains checked');
    await expect(tile(each, 'Expired')).toHaveText('1');
    await expect(runs(each)).toHaveCount(1);
    await expect(runs(each)).toContainText(/succeeded.*SSL monitor by/);
    await expect(each.getByRole('button', { name: 'Start SSL monitor' })).toBeEnabled();
  }
  await expect(log(page)).toContainText(/success.*Complete: 25 domains, 1 expiring, 1 expired/);
  await expect(log(bo.page)).toContainText('Found 25 domains');
  await panel(bo.page)
    .getByRole('button', { name: /^\d+ new lines$/ })
    .click();
  await expect(log(bo.page)).toContainText(/success.*Complete: 25 domains, 1 expiring, 1 expired/);
  await expect(runs(bo.page)).toContainText(ada.email);
  await expect(rows.filter({ hasText: 'w-old' })).toContainText(/-3.*expired/);
  await expect(rows.filter({ hasText: 'x-other' })).toContainText('wrong name');
  await expect(rows.filter({ hasText: 'v-mess' })).toContainText('unreachable');
  await disclosure(page, 'Remaining rate limits of the certificate authority').click();
  await expect(panel(page).getByRole('list', { name: 'Budget by registered domain' })).toContainText(
    /example\.test.*allowed/s,
  );
  await expect(bo.page.locator('body')).toHaveAttribute('data-mark', 'same page');
  await check(page, 'ssl-domains', info);
  await page.setViewportSize(wide);

  await runs(page)
    .getByRole('link', { name: /^Replay/ })
    .click();
  await expect(
    page.getByRole('heading', { level: 1, name: `SSL monitor: ${house.workspace}` }),
  ).toBeVisible();
  await expect(page.getByRole('log')).toContainText('Found 25 domains');
  await page.getByRole('button', { name: 'Play', exact: true }).click();
  await expect(page.getByRole('button', { name: 'Pause' })).toBeVisible();
});

test('a run continues after the back end is killed and restarted, and the open page shows its progress', async ({
  house,
  bind,
  shown,
  person,
}) => {
  const { page } = await person('cy@example.com', { at: '/app/domain' });
  await withDomains(page, house, bind, shown);
  shown.holdAfter(2);
  await page.getByRole('button', { name: 'Check only' }).click();
  await expect(panel(page)).toContainText(/Checking each: \d+ of 25/);
  await page.evaluate(() => document.body.setAttribute('data-mark', 'same page'));
  await house.restart();
  shown.letGo();
  await expect(panel(page)).toContainText('Complete: 25 of 25 domains checked');
  await expect(runs(page).first()).toContainText('Check certificates');
  await expect(log(page)).toContainText('Complete: 25 domains');
  await expect(page.locator('body')).toHaveAttribute('data-mark', 'same page');
});

test('another operator stops a run, and both see it end as cancelled', async ({
  house,
  bind,
  shown,
  person,
}, info) => {
  const [di, ed] = [await person('di@example.com'), await person('ed@example.com')];
  for (const { page } of [di, ed]) await page.goto('/app/domain');
  await withDomains(di.page, house, bind, shown);
  shown.holdAfter(4);
  await di.page.getByRole('button', { name: 'Check only' }).click();
  await expect(panel(ed.page)).toContainText(/Checking each: \d+ of 25/);
  await panel(ed.page).getByRole('button', { name: 'Stop' }).click();
  const question = ed.page.getByRole('dialog', { name: `Cancel Check certificates: ${house.workspace}?` });
  await question.getByRole('button', { name: 'Cancel the run' }).click();
  for (const { page } of [di, ed]) {
    await expect(panel(page).getByRole('status').first()).toHaveText('Stopped');
    await expect(log(page)).toContainText(/Stopped after \d+ of 25/);
    await expect(runs(page).first()).toContainText('cancelled');
    await expect(page.getByRole('button', { name: 'Start SSL monitor' })).toBeEnabled();
  }
  shown.letGo();
  await runs(di.page)
    .first()
    .getByRole('button', { name: /^Domains/ })
    .click();
  const drawer = di.page.getByRole('dialog', { name: /^Results of the run of / });
  await expect(drawer.getByRole('row').filter({ hasText: 'z-last' })).toContainText('waiting');
  await check(di.page, 'ssl-past', info);

  // The run is held, so the checks of the page may take any time.
  shown.holdAfter(4);
  await ed.page.getByRole('button', { name: 'Check only' }).click();
  await expect(panel(ed.page)).toContainText(/Checking each: \d+ of 25/);
  await check(ed.page, 'ssl-live', info);
  shown.letGo();
});
