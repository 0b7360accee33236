// Texts and contents of a product: entered, imported, undone, exported, and seen by a member. covers: I18N-01, CMS-01
import { readFileSync } from 'node:fs';
import type { Page } from '@playwright/test';
import { check } from './every-look';
import { expect, test } from './house';

test('a key is added, two languages are edited, a file is imported and undone, and all is exported', async ({
  person,
}, info) => {
  test.slow();
  const { page } = await person('texts@example.com');
  const headers = { 'x-requested-with': 'quarterdeck' };
  const made = await page.request.post('/api/product/insert', {
    headers,
    data: { data: { name: 'Shop', description: 'Sells shirts.' } },
  });
  const { id: product } = (await made.json()) as { id: string };
  const list = `/app/product/${product}/detail/i18n`;
  const dialog = page.getByRole('dialog');
  const language = (name: string) => page.getByRole('region', { name, exact: true });

  await page.goto(list);
  await expect(page.getByText('No texts yet')).toBeVisible();
  await check(page, 'texts-none', info);
  await page.getByRole('link', { name: 'Add text' }).first().click();
  await page.getByRole('textbox', { name: 'Key', exact: true }).fill('basket.total');
  await page.getByRole('textbox', { name: 'English text' }).fill('Total: {amount}');
  await page.getByRole('button', { name: 'Save text' }).click();
  await expect(page.getByRole('heading', { name: 'basket.total' })).toBeVisible();

  await page.getByRole('textbox', { name: 'New French text' }).fill('Somme');
  await expect(language('French').getByText('{amount} of the English text is missing.')).toBeVisible();
  await page.getByRole('textbox', { name: 'New French text' }).fill('Somme : {amount}');
  await expect(language('French').getByText('{amount} of the English text is missing.')).toBeHidden();
  await page.getByRole('button', { name: 'Insert French' }).click();
  await expect(dialog).toContainText('Are you sure you would like to insert the value?');
  await dialog.getByRole('button', { name: 'Insert' }).click();
  await expect(language('French').getByText('translated')).toBeVisible();

  await page.getByRole('button', { name: 'Edit English' }).click();
  await page.getByRole('textbox', { name: 'English text' }).fill('Sum: {amount}');
  await page.getByRole('button', { name: 'Update English' }).click();
  await expect(dialog).toContainText('Are you sure you would like to update the value?');
  await dialog.getByRole('button', { name: 'Update' }).click();
  await expect(language('French').getByText('outdated')).toBeVisible();
  await page.getByRole('textbox', { name: 'New Arabic text' }).fill('المجموع: {amount}');
  await check(page, 'text', info);
  await page.getByRole('button', { name: 'Cancel Arabic' }).click();

  await page.goto(`${list}/import`);
  const csv = 'key,en,fr,ar\nbasket.total,Sum: {amount},Total : {amount},المجموع\nmenu.help,Help,Aide,\n';
  await page
    .getByLabel('File to import')
    .setInputFiles({ name: 'shop.csv', mimeType: 'text/csv', buffer: Buffer.from(csv) });
  await page.getByRole('button', { name: 'Preview' }).click();
  const preview = page.getByRole('region', { name: 'Preview' });
  await expect(preview.getByText('Changed: 1')).toBeVisible();
  await expect(preview.getByText('Added: 3')).toBeVisible();
  await check(page, 'text-import', info);
  await preview.getByRole('button', { name: 'Import' }).click();
  await expect(page.getByText('succeeded')).toBeVisible();
  await expect(page.getByText('2 keys changed.')).toBeVisible();
  await page.getByRole('link', { name: 'Show the texts' }).click();
  await expect(page.getByRole('link', { name: 'menu.help' })).toBeVisible();
  await page.getByRole('searchbox', { name: 'Search keys and texts' }).fill('Aide');
  await expect(page.getByRole('link', { name: 'basket.total' })).toBeHidden();
  await expect(page.getByText('1 found')).toBeVisible();
  await check(page, 'texts', info);

  await page.goto(`${list}/completeness`);
  await expect(page.getByRole('table', { name: 'Completeness over time' })).toBeVisible();
  await check(page, 'text-completeness', info);

  await page.goto(`${list}/export`);
  await page.getByRole('combobox', { name: 'Format' }).selectOption('csv');
  await check(page, 'text-export', info);
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Export' }).click(),
  ]);
  const exported = readFileSync(await download.path(), 'utf8');
  expect(exported).toContain('menu.help,Help,Aide');
});

test('a file that cannot be read says where, and an import is undone at once', async ({ person }) => {
  const { page } = await person('texts@example.com');
  const headers = { 'x-requested-with': 'quarterdeck' };
  const made = await page.request.post('/api/product/insert', {
    headers,
    data: { data: { name: 'Undone', description: '' } },
  });
  const { id: product } = (await made.json()) as { id: string };
  await page.goto(`/app/product/${product}/detail/i18n/import`);
  const choose = (name: string, text: string) =>
    page
      .getByLabel('File to import')
      .setInputFiles({ name, mimeType: 'text/plain', buffer: Buffer.from(text) });
  await choose('fr.json', '{\n  "a": "b"\n  "c": "d"\n}');
  await page.getByRole('button', { name: 'Preview' }).click();
  await expect(page.getByRole('alert')).toContainText('Line 3, column 3');
  await choose('fr.json', '{ "a": "b" }');
  await page.getByRole('button', { name: 'Preview' }).click();
  await page.getByRole('region', { name: 'Preview' }).getByRole('button', { name: 'Import' }).click();
  await expect(page.getByText('succeeded')).toBeVisible();
  await page.getByRole('button', { name: 'Undo import' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Undo import' }).click();
  await expect(page.getByText('The undo of the import has ended')).toBeVisible();
  await expect(page.getByText('succeeded')).toBeVisible();
  await page.getByRole('link', { name: 'Show the texts' }).click();
  await expect(page.getByText('No texts yet')).toBeVisible();
});

test('a member changes texts and contents, whose Markdown is previewed, and sees no other tab', async ({
  person,
  house,
  browser,
}, info) => {
  const { page: admin } = await person('texts@example.com');
  const made = await admin.request.post('/api/product/insert', {
    headers: { 'x-requested-with': 'quarterdeck' },
    data: { data: { name: 'Members', description: '' } },
  });
  const { id: product } = (await made.json()) as { id: string };
  const theirs = await browser.newContext({ baseURL: house.url, viewport: { width: 1440, height: 900 } });
  const page = await theirs.newPage();
  await page.goto(await house.signInLink('mia@example.com', 'member'));
  await expect(page.getByRole('banner')).toBeVisible();
  await page.goto(`/app/product/${product}/detail/cms`);
  await expect(page.getByRole('tab')).toHaveText(['Overview', 'I18n', 'CMS', 'Notifications']);
  await page.getByRole('link', { name: 'Add content' }).first().click();
  await page.getByRole('textbox', { name: 'Key', exact: true }).fill('news');
  await page
    .getByRole('textbox', { name: 'English text' })
    .fill('# News\n\n*All* new &amp; <script>alert(1)</script>\n');
  await page.getByRole('button', { name: 'Save content' }).click();
  const shown = page.getByRole('group', { name: 'Preview in English' });
  await expect(shown.locator('em')).toHaveText('All');
  await expect(shown).toContainText('new & <script>alert(1)</script>');
  await page.getByRole('textbox', { name: 'New Arabic text' }).fill('# أخبار');
  await expect(page.getByRole('group', { name: 'Preview in Arabic' })).toHaveAttribute('dir', 'rtl');
  await check(page, 'content', info);
  await page.getByRole('button', { name: 'Cancel Arabic' }).click();

  // A key that is taken is refused at its field.
  await page.goto(`/app/product/${product}/detail/cms/add`);
  const key = page.getByRole('textbox', { name: 'Key', exact: true });
  await key.fill('news');
  await page.getByRole('button', { name: 'Save content' }).click();
  await expect(key).toHaveAccessibleDescription(/this product already has this key/);
  await expect(key).toBeFocused();
  await expect(page.getByRole('alert')).toHaveCount(0);
  await theirs.close();
});

test('two people change one text: both versions are shown, and nothing is saved before a choice', async ({
  person,
}, info) => {
  const { page: ada } = await person('texts@example.com');
  const headers = { 'x-requested-with': 'quarterdeck' };
  const insert = async (path: string, data: object): Promise<string> => {
    const made = await ada.request.post(`/api/${path}/insert`, { headers, data: { data } });
    return ((await made.json()) as { id: string }).id;
  };
  const product = await insert('product', { name: 'Shared', description: '' });
  const texts = { en: 'Pay now', fr: 'Payer' };
  const text = await insert('i18n', { key: 'pay', product: { id: product }, isCms: false, texts });
  const at = `/app/product/${product}/detail/i18n/${text}/detail`;
  const { page: bo } = await person('bo@example.com', { at });
  await ada.goto(at);
  const of = (page: Page, language: string) => page.getByRole('region', { name: language, exact: true });
  const confirm = (page: Page, name: string) =>
    page.getByRole('dialog').getByRole('button', { name }).click();

  for (const page of [ada, bo]) await page.getByRole('button', { name: 'Edit French' }).click();
  await ada.getByRole('textbox', { name: 'French text' }).fill('Payer tout de suite');
  await bo.getByRole('textbox', { name: 'French text' }).fill('Régler');
  await bo.getByRole('button', { name: 'Update French' }).click();
  await confirm(bo, 'Update');
  await expect(of(bo, 'French').getByText('Régler')).toBeVisible();

  const conflict = of(ada, 'French').getByRole('alert', { name: 'Conflict' });
  await expect(conflict).toContainText(/The French text was changed by bo@example.com.*Nothing was saved/);
  await expect(conflict).toContainText('Régler');
  await expect(conflict).toContainText('Payer tout de suite');
  await expect(ada.getByRole('button', { name: 'Update French' })).toBeDisabled();
  await ada.getByRole('textbox', { name: 'French text' }).press('Control+Enter');
  await expect(ada.getByRole('dialog')).toHaveCount(0);
  await check(ada, 'text-conflict', info);
  await conflict.getByRole('button', { name: 'Keep mine' }).click();
  await ada.getByRole('button', { name: 'Update French' }).click();
  await confirm(ada, 'Update');
  await expect(of(bo, 'French').getByText('Payer tout de suite')).toBeVisible();

  // Both begin with none. Who opened the dialog first is late as well.
  await ada.getByRole('textbox', { name: 'New German text' }).fill('Jetzt zahlen');
  await ada.getByRole('button', { name: 'Insert German' }).click();
  await expect(ada.getByRole('dialog')).toBeVisible();
  await bo.getByRole('textbox', { name: 'New German text' }).fill('Bezahlen');
  await bo.getByRole('button', { name: 'Insert German' }).click();
  await confirm(bo, 'Insert');
  await expect(of(bo, 'German').getByText('translated')).toBeVisible();
  await confirm(ada, 'Insert');
  const late = of(ada, 'German').getByRole('alert', { name: 'Conflict' });
  await expect(late).toContainText(/The German text was changed by bo@example.com.*Nothing was saved/);
  await late.getByRole('button', { name: 'Take theirs' }).click();
  await expect(of(ada, 'German').getByText('Bezahlen')).toBeVisible();

  // The key goes while somebody writes.
  await ada.getByRole('button', { name: 'Edit French' }).click();
  await ada.getByRole('textbox', { name: 'French text' }).fill('Payer ici');
  await bo.request.post('/api/i18n/delete', { headers, data: { uuid: text } });
  await expect(ada.getByRole('region', { name: 'What you had not saved' })).toContainText('Payer ici');
});
