// Fast typing into the command palette.
import { call, registerServer } from './domains-house';
import { check } from './every-look';
import { expect, test } from './house';

test('keys typed right after Ctrl+K all reach the palette (covers: SHELL-05)', async ({ person }, info) => {
  const { page } = await person('ada@example.com', { at: '/app/server' });
  await expect(page.getByRole('heading', { level: 1, name: 'Servers' })).toBeVisible();
  // If the palette missed a key, the "n" of "domain" would open the form for a new server.
  await page.keyboard.press('Control+k');
  await page.keyboard.type('domain');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('heading', { level: 1, name: 'Domains' })).toBeVisible();
  await expect(page).toHaveURL(/\/app\/domain$/);
  await page.keyboard.press('Control+k');
  await page.keyboard.type('add');
  await expect(page.getByRole('option', { name: 'Add server, Action' })).toBeVisible();
  await check(page, 'palette', info);
  await page.keyboard.press('Escape');
  await expect(page.getByRole('listbox')).toHaveCount(0);
});

test('leads to the data model of a product, and to the environments of a service (covers: SHELL-05)', async ({
  house,
  person,
}) => {
  const { page } = await person('ada@example.com');
  const server = await registerServer(page, house.sshd, 'palette-1');
  const product = await call<{ id: string }>(page, 'product/insert', { data: { name: 'Lamps' } });
  await call(page, 'service/insert', {
    product: { id: product.id },
    data: {
      name: 'lantern',
      organization: 'acme',
      repo: 'lantern',
      server: { id: server },
      port: 3000,
      packageType: 'container',
      withDb: false,
    },
  });
  await page.keyboard.press('Control+k');
  await page.keyboard.type('model lamps');
  await expect(page.getByRole('option', { selected: true })).toContainText('Data model of Lamps');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('heading', { name: 'Entities', exact: true })).toBeVisible();
  await page.keyboard.press('Control+k');
  await page.keyboard.type('lantern');
  const compare = page.getByRole('option', { name: /^Compare the environments of lantern/ });
  await expect(compare).toBeVisible();
  await compare.click();
  await expect(page.getByRole('heading', { name: 'Environments compared' })).toBeVisible();
});
