// A notification is added, previewed, and read by the product itself with its token. covers: NOTIF-01
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { check, expectTableToFit } from './every-look';
import { expect, test } from './house';

test('a CMS text is written, a notification shows it, and the product reads it with a token', async ({
  person,
  browser,
}, info) => {
  test.slow();
  const { page } = await person('notifications@example.com');
  const made = await page.request.post('/api/product/insert', {
    headers: { 'x-requested-with': 'quarterdeck' },
    data: { data: { name: 'Shop', description: '' } },
  });
  const { id: product } = (await made.json()) as { id: string };
  const detail = `/app/product/${product}/detail`;

  await page.goto(`${detail}/cms/add`);
  await page.getByRole('textbox', { name: 'Key', exact: true }).fill('winter-sale');
  await page
    .getByRole('textbox', { name: 'English text' })
    .fill('# Winter sale\n\nAll shirts are *cheaper*.');
  await page.getByRole('button', { name: 'Save content' }).click();
  await expect(page.getByRole('heading', { name: 'winter-sale' })).toBeVisible();

  await page.goto(`${detail}/notification`);
  await expect(page.getByText('No notifications yet')).toBeVisible();
  await check(page, 'notifications-none', info);
  await page.getByRole('link', { name: 'Add new' }).first().click();
  const form = page.getByRole('form', { name: 'Add notification' });
  await form.getByLabel('Type').selectOption('banner');
  await form.getByLabel('CMS').selectOption('winter-sale');
  await form.getByLabel('Start').fill('2020-12-24T18:00');
  await form.getByLabel('End').fill('2020-12-24T17:00');
  await form.getByRole('button', { name: 'Save notification' }).click();
  await expect(form.getByText(/it would end before it starts/)).toBeVisible();
  await check(page, 'notification-add', info);
  await form.getByLabel('End').fill('2099-12-31T17:00');
  await form.getByRole('button', { name: 'Save notification' }).click();
  await expect(page.getByText(/was saved/)).toBeVisible();
  await page.goto(`${detail}/notification`);
  await expect(page.getByRole('row', { name: /winter-sale/ })).toContainText('shown now');
  await expectTableToFit(page, 'Notifications');
  await check(page, 'notifications', info);

  await page.getByRole('link', { name: 'Preview' }).click();
  const shown = page.getByRole('list', { name: 'Shown notifications' });
  await expect(shown.locator('em')).toHaveText('cheaper');
  await page.getByRole('combobox', { name: 'Language' }).selectOption('Arabic');
  await expect(shown).toContainText('in English: it has no text in Arabic');
  await check(page, 'notification-preview', info);
  await page.getByText('At another time').click();
  await page.getByLabel(/^Time \(/).fill('2020-12-24T17:59');
  await expect(page.getByText('None of the notifications is due at this time.')).toBeVisible();
  await expect(page.getByRole('list', { name: 'Notifications that are not shown' })).toContainText('begins');
  await page.getByLabel(/^Time \(/).fill('2020-12-24T18:00');
  await expect(shown.locator('em')).toHaveText('cheaper');

  await page.goto(`${detail}/public-token`);
  await expect(page.getByText('No tokens yet')).toBeVisible();
  await page.getByRole('button', { name: 'Issue token' }).click();
  const once = page.getByRole('status').filter({ hasText: 'A product token: copy it now' });
  await expect(once).toBeVisible();
  await check(page, 'product-tokens', info);
  const token = /qd_pub_[\w-]{43}/.exec((await once.textContent()) ?? '')?.[0] ?? '';
  // A page of the product, at an address of its own, without any cookie.
  const server = createServer((_, answer) => answer.end('<title>Shop</title>'));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const elsewhere = await browser.newContext();
  const shop = await elsewhere.newPage();
  await shop.goto(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  const url = `${new URL(page.url()).origin}/api/public/notification/${product}/fr`;
  const seen = await shop.evaluate(
    async ([address, bearer]) => {
      const headers = { authorization: `Bearer ${bearer}` };
      const first = await fetch(address!, { headers, cache: 'no-store' });
      const etag = first.headers.get('etag') ?? '';
      const again = await fetch(address!, {
        headers: { ...headers, 'if-none-match': etag },
        cache: 'no-store',
      });
      return { status: first.status, body: (await first.json()) as object[], again: again.status };
    },
    [url, token],
  );
  await elsewhere.close();
  server.close();
  expect(seen).toMatchObject({
    status: 200,
    body: [{ type: { name: 'banner' }, language: 'en', text: '# Winter sale\n\nAll shirts are *cheaper*.' }],
    again: 304,
  });
  await page.reload();
  await expect(page.getByRole('row', { name: /SHA256/ })).toContainText('2');
});
