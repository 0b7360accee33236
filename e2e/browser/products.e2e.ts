// Products: created, found, edited, deleted, restored. covers: PROD-01, PROD-02, PROD-03
import { check } from './every-look';
import { expect, test } from './house';

test('a product is created, found by its name, edited in its settings, deleted, and restored', async ({
  person,
}, info) => {
  test.slow();
  const { page } = await person('products@example.com', { at: '/app/product' });
  await expect(page.getByText('No products were found')).toBeVisible();
  await check(page, 'products-none', info);
  await page.getByRole('link', { name: 'Create Product' }).last().click();
  await page.getByRole('button', { name: 'Save product' }).click();
  await expect(page.getByLabel('Name')).toBeFocused();
  await check(page, 'product-add-refused', info);
  await page.getByLabel('Name').fill('Shop');
  await page.getByLabel('Description').fill('Where customers order.\nOpen day and night.');
  await page.getByRole('button', { name: 'Save product' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Shop' })).toBeVisible();
  await expect(page).toHaveURL(/\/app\/product\/[0-9a-f-]+\/detail$/);
  await page.getByRole('button', { name: 'Close' }).first().click();
  await check(page, 'product', info);

  await page.getByRole('tab', { name: 'Settings' }).click();
  await page.getByLabel('Name').fill('Web shop');
  await check(page, 'product-settings', info);
  await page.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Web shop' })).toBeVisible();
  await page.getByRole('tab', { name: 'History' }).click();
  await expect(page.getByText('renamed the product to Web shop')).toBeVisible();

  await page.keyboard.press('Control+k');
  await page.getByPlaceholder(/^Search pages/).fill('web sh');
  await page.getByRole('option', { name: 'Web shop, Product' }).click();
  await expect(page.getByRole('tab', { name: 'Overview' })).toHaveAttribute('aria-selected', 'true');
  await page.getByRole('link', { name: 'Products', exact: true }).click();
  await page.getByRole('searchbox').fill('SHOP');
  await expect(
    page.getByRole('list', { name: 'Products' }).getByRole('link', { name: 'Web shop' }),
  ).toBeVisible();
  await check(page, 'products', info);

  await page.getByRole('navigation', { name: 'Web shop' }).getByRole('link', { name: 'Settings' }).click();
  await page.getByRole('button', { name: 'Delete product' }).click();
  const question = page.getByRole('dialog', { name: 'Delete Web shop?' });
  await question.getByRole('textbox').fill('Web shop');
  await question.getByRole('button', { name: 'Delete product' }).click();
  await expect(page.getByText('No products were found')).toBeVisible();
  await page.getByRole('button', { name: 'Undo…' }).click();
  await page
    .getByRole('dialog')
    .getByRole('button', { name: /^(Undo|Restore)/ })
    .click();
  await expect(page.getByRole('link', { name: 'Web shop', exact: true })).toBeVisible();
});
