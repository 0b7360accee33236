// A channel is added, tested and corrected, and shows what was sent to it. covers: OPS-02
import { v7 as uuidv7 } from 'uuid';
import { fieldsOf, startAlertVendors } from '../../testing/alert-vendors';
import { certificateServed, domainAdded, tellOfDomain } from '../alerts/domain-events';
import { test } from './alerts-house';
import { check } from './every-look';
import { expect } from './house';

const wide = { width: 1440, height: 900 };

test('a channel is added and tested, and gets alerts', async ({ person, store }, info) => {
  const vendors = await startAlertVendors();
  const { page } = await person('ada@example.com');
  const workspace = await page.evaluate(async () => {
    const answer = await fetch('/api/session');
    return ((await answer.json()) as { profile: { instance: { uuid: string } } }).profile.instance.uuid;
  });
  await page.goto('/app/domain/alerts');
  await page.getByRole('link', { name: 'Channels' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Alert channels' })).toBeVisible();
  await expect(page.getByText('No alert channels yet')).toBeVisible();
  await check(page, 'alert-channels-empty', info);
  await page.setViewportSize(wide);

  await page.getByRole('link', { name: 'Add new' }).first().click();
  const form = page.getByRole('form');
  await form.getByLabel('Name', { exact: true }).fill('Operations');
  await form.getByLabel('Kind').selectOption('Slack');
  await form.getByLabel('Webhook address').fill('https://discord.com/api/webhooks/1/x');
  await form.getByRole('button', { name: 'Save' }).click();
  await expect(form.getByText(/this is an address of Discord/)).toBeVisible();
  await check(page, 'alert-channel-refused', info);
  await page.setViewportSize(wide);
  await form.getByLabel('Webhook address').fill(fieldsOf(vendors.url).Slack.address);
  await form.getByRole('checkbox', { name: 'Backups' }).uncheck();
  await form.getByRole('button', { name: 'Save' }).click();

  const messages = page.getByRole('region', { name: 'Messages to this channel' });
  await messages.getByRole('button', { name: 'Send a test' }).click();
  await expect(messages.getByText('The test was delivered')).toBeVisible();
  vendors.refuse('slack', [404, 'no_service']);
  await messages.getByRole('button', { name: 'Send a test' }).click();
  await expect(messages.getByText('The test was not delivered')).toBeVisible();
  await expect(messages.getByRole('status').getByText(/status 404: no_service/)).toBeVisible();

  const domain = uuidv7();
  const name = 'shop.example.org';
  await tellOfDomain(store, workspace, domain, domainAdded(name), certificateServed(name, 5));
  await expect(messages.getByRole('link', { name: '1 alert' })).toBeVisible();
  await expect(messages.getByRole('listitem').first().getByText('delivered')).toBeVisible();
  expect(vendors.shown.slack.at(-1)).toContain('Warning: shop.example.org');
  await check(page, 'alert-channel', info);
  await page.setViewportSize(wide);

  await page.getByRole('link', { name: 'Alert channels' }).first().click();
  const row = page.getByRole('row', { name: /Operations/ });
  await expect(row.getByText('delivered')).toBeVisible();
  await check(page, 'alert-channels', info);
  await page.setViewportSize(wide);

  await page.getByRole('link', { name: 'Add new' }).first().click();
  await form.getByLabel('Name', { exact: true }).fill('On duty');
  await form.getByLabel('Kind').selectOption('e-mail');
  await form.getByLabel('Sender').fill('alerts@example.org');
  await form.getByRole('button', { name: 'Save' }).click();
  await expect(form.getByText(/a member, or an e-mail address .* is expected/)).toBeVisible();
  await form.getByLabel('Members').fill('ada');
  await page.getByRole('option', { name: /ada@example.com/ }).click();
  await page.keyboard.press('Escape');
  await check(page, 'alert-channel-members', info);
  await page.setViewportSize(wide);
  await form.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'On duty' })).toBeVisible();
  await expect(page.locator('dd').getByText('ada@example.com', { exact: true })).toBeVisible();
  await check(page, 'alert-channel-of-members', info);
  await vendors.stop();
});
