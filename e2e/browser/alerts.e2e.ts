// Alerts: one banner for all of them, delivery to the webhook, dismissing for everybody, and the calendar.
// covers: DOM-13, SHELL-06
import { v7 as uuidv7 } from 'uuid';
import { certificateServed, domainAdded, tellOfDomain } from '../alerts/domain-events';
import { withStatus } from '../../testing/told-server';
import { test } from './alerts-house';
import { check } from './every-look';
import { expect } from './house';

const wide = { width: 1440, height: 900 };

test('expiring certificates raise alerts for everybody, and are sent to the webhook', async ({
  person,
  store,
  receiver,
}, info) => {
  const [{ page }, bo] = [await person('ada@example.com'), await person('bo@example.com')];
  const workspace = await page.evaluate(async () => {
    const answer = await fetch('/api/session');
    return ((await answer.json()) as { profile: { instance: { uuid: string } } }).profile.instance.uuid;
  });
  const ends = (name: string, days: number): Promise<void> =>
    tellOfDomain(store, workspace, uuidv7(), domainAdded(name), certificateServed(name, days));

  await page.goto('/app/domain/alerts');
  await expect(page.getByText('No alerts yet')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Send a test' })).toBeDisabled();
  await check(page, 'alerts-empty', info);
  await page.setViewportSize(wide);

  await page.getByRole('link', { name: 'Settings' }).click();
  await page.getByRole('radiogroup', { name: 'Mode of Alerts' }).getByText('Edit', { exact: true }).click();
  const form = page.getByRole('form', { name: 'Alerts' });
  await form.getByLabel('Webhook').fill('hooks.example.org');
  await form.getByRole('button', { name: 'Save' }).click();
  await expect(form.getByText(/a web address is expected/)).toBeVisible();
  await form.getByLabel('Webhook').fill(receiver.url);
  await form.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByText(/^qdwh_/)).toBeVisible();
  await check(page, 'alerts-secret', info);
  await page.setViewportSize(wide);

  await page.goto('/app/domain/alerts');
  receiver.answer(withStatus(500));
  await page.getByRole('button', { name: 'Send a test' }).click();
  const drawer = page.getByRole('dialog', { name: 'Alert' });
  await expect(drawer.getByText('status 500')).toBeVisible();
  await expect(drawer.getByText(/the test did not arrive/)).toBeVisible();
  await page.keyboard.press('Escape');

  await bo.page.goto('/app/server');
  // Only the first attempt fails.
  let attempts = 0;
  receiver.answer((...request) => withStatus(++attempts === 1 ? 500 : 204)(...request));
  await ends('shop.example.org', 5.5);
  const row = page.getByRole('row', { name: /The certificate of shop/ });
  await expect(row.getByText('failed, retrying')).toBeVisible();
  const banner = bo.page.getByRole('region', { name: 'Messages' });
  await expect(banner.getByText('The certificate of shop.example.org expires within 6 days.')).toBeVisible();
  for (const [name, days] of [
    ['blog.example.org', 1.5],
    ['old.example.org', -2],
    ['fine.example.org', 60],
    ['also-fine.example.org', 60],
  ] as const)
    await ends(name, days);
  await expect(banner.getByText('1 certificate has expired, and 2 expire within 6 days.')).toBeVisible();

  // The retry ten seconds later appears without a reload.
  await expect(row.getByText('delivered')).toBeVisible();
  await check(page, 'alerts', info);
  await page.setViewportSize(wide);
  await row.getByText(/expires in 5 days/).click();
  await expect(drawer.getByRole('list', { name: 'Attempts' }).getByRole('listitem')).toHaveCount(2);
  await check(page, 'alert', info);
  await page.setViewportSize(wide);
  await drawer.getByRole('button', { name: 'Close alert' }).click();

  await page.getByRole('button', { name: 'Dismiss the alert about old.example.org' }).click();
  await expect(banner.getByText('2 certificates expire within 6 days.')).toBeVisible();
  await banner.getByRole('link', { name: 'Show alerts' }).click();
  await expect(bo.page.getByRole('heading', { level: 1, name: 'Alerts' })).toBeVisible();
  // A banner disappears with the page that it was shown on; its notices stay in the inbox.
  await expect(banner.getByText(/certificates/)).toBeHidden();
  await bo.page.getByRole('button', { name: '2 notices' }).click();
  const inbox = bo.page.getByRole('dialog', { name: 'Notices' });
  await expect(inbox.getByRole('link', { name: 'Show alert' })).toHaveCount(2);
  await check(bo.page, 'notices', info);
  await inbox.getByRole('button', { name: 'Dismiss all' }).click();
  await expect(inbox.getByRole('heading', { name: 'No notices' })).toBeVisible();
  await bo.page.reload();
  await expect(bo.page.getByRole('row', { name: /The certificate of shop/ })).toBeVisible();
  await expect(banner.getByText(/certificates/)).toBeHidden();
  await ends('new.example.org', 3);
  await expect(banner.getByText('3 certificates expire within 6 days.')).toBeVisible();

  await page.goto('/app/domain');
  const panel = page.getByRole('region', { name: 'Alerts' });
  await expect(panel.getByText('3 open')).toBeVisible();
  await check(page, 'domains-with-alerts', info);
  await page.setViewportSize(wide);
  await panel.getByRole('link', { name: 'Calendar' }).press('Enter');
  await expect(page.getByRole('heading', { level: 1, name: 'Expiry calendar' })).toBeVisible();
  const later = new Date(Date.now() + 60 * 86_400_000).toISOString().slice(0, 7);
  await page.locator(`nav[aria-label="Months"] a[href$="${later}"]`).press('Enter');
  const fine = page.getByRole('list', { name: 'Days on which certificates expire' });
  await expect(fine.getByRole('link', { name: 'fine.example.org', exact: true })).toBeVisible();
  await check(page, 'calendar', info);
  await page.setViewportSize(wide);
  await fine.getByRole('link', { name: 'fine.example.org', exact: true }).press('Enter');
  await expect(page).toHaveURL(/\/app\/domain\/.+\/edit\?tab=certificate$/);
});
