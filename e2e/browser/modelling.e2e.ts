// Modelling by hand costs few clicks: parts are typed in a table, one row after the other.
// covers: DM-01, DM-02, OPT-01, VER-01
import type { Locator, Page } from '@playwright/test';
import { check } from './every-look';
import { expect, test } from './house';

const MAX_CLICKS = 35;

/** Counts what a person presses with the mouse, and each choice in a list as one more. */
const countingOn = (page: Page) => {
  let clicks = 0;
  return {
    click: async (role: 'link' | 'tab' | 'button', name: string | RegExp) => {
      clicks += 1;
      await page
        .getByRole(role, { name, exact: typeof name === 'string' })
        .first()
        .click();
    },
    choose: async (label: string, option: string) => {
      clicks += 1;
      await page.getByLabel(label).selectOption(option);
    },
    clicks: () => clicks,
  };
};

const typeName = async (page: Page, name: string): Promise<void> => {
  await expect(page.getByRole('textbox', { name: 'Name', exact: true })).toBeFocused();
  await page.keyboard.type(name);
  await page.keyboard.press('Enter');
};

test('four entities, an option set and a version take at most 35 clicks', async ({ person }, info) => {
  test.slow();
  const { page } = await person('fast@example.com', { at: '/app/product/add' });
  await typeName(page, 'Shop');
  const { click, choose, clicks } = countingOn(page);

  await click('tab', 'Option sets');
  await click('link', 'Add new');
  await typeName(page, 'Order status');
  await expect(page.getByLabel('Key, row 1')).toHaveValue('1');
  for (const [at, value] of ['open', 'paid', 'sent', 'returned'].entries()) {
    await expect(page.getByLabel(`Value, row ${at + 1}`)).toBeFocused();
    await page.keyboard.type(value);
    await page.keyboard.press('Enter');
  }
  await expect(page.getByLabel('Value, row 4')).toHaveValue('returned');
  await expect(page.getByRole('button', { name: 'Save row' })).toBeDisabled();

  await click('tab', 'Data model');
  for (const [at, name] of ['Customer', 'Purchase', 'Item', 'Payment'].entries()) {
    if (at > 0) await click('link', 'Entities');
    await click('link', 'Add new');
    await typeName(page, name);
    await expect(page.getByRole('heading', { level: 2, name })).toBeVisible();
    for (const [row, [attribute, type]] of attributes.entries()) {
      await expect(page.getByLabel(`Name, row ${row + 1}`)).toBeFocused();
      await page.keyboard.type(attribute);
      await choose(`Type, row ${row + 1}`, type);
      await page.getByLabel(`Type, row ${row + 1}`).press('Enter');
    }
    await expect(page.getByLabel('Name, row 4')).toHaveValue('since');
    await expect(page.getByRole('button', { name: 'Save row' })).toBeDisabled();
  }
  await check(page, 'attributes-as-table', info);
  await click('tab', 'Versions');
  await click('button', /^Generate version/);
  await expect(page.getByText(/Version 1/).first()).toBeVisible();
  expect(clicks()).toBeLessThanOrEqual(MAX_CLICKS);
});

const attributes = [
  ['title', 'String'],
  ['note', 'Long'],
  ['count', 'Int'],
  ['since', 'Boolean'],
] as const;

test('on a narrow page a message covers neither the buttons of a form nor the menu', async ({
  person,
}, info) => {
  const { page } = await person('narrow@example.com', { at: '/app/product/add' });
  await typeName(page, 'Narrow shop');
  await page.getByRole('tab', { name: 'Data model' }).click();
  await page.getByRole('link', { name: 'Add new' }).first().click();
  const again = page.getByRole('button', { name: 'Save and add another' });
  await page.setViewportSize({ width: 360, height: 600 });
  const end = await boxOf(again);
  await page.setViewportSize({ width: 360, height: Math.ceil(end.y + end.height) + 8 });
  await page.getByRole('textbox', { name: 'Name', exact: true }).fill('Customer');
  await again.click();
  const messages = page.getByRole('region', { name: 'Messages' }).getByRole('status');
  const covered = await boxOf(messages.filter({ hasText: 'Customer was saved.' }));
  if (process.env.PICTURES === 'on') await page.screenshot({ path: info.outputPath('message-narrow.png') });
  for (const name of ['Save entity', 'Save and add another', 'Cancel', 'Open navigation'])
    expect([name, overlap(await boxOf(page.getByRole('button', { name })), covered)]).toEqual([name, false]);
});

interface Box {
  x: number;
  y: number;
  width: number;
  height: number;
}

const boxOf = async (of: Locator): Promise<Box> => {
  await expect(of).toBeVisible();
  const box = await of.boundingBox();
  if (!box) throw new Error('it is not shown any more');
  return box;
};

const overlap = (one: Box, other: Box): boolean =>
  one.x < other.x + other.width &&
  other.x < one.x + one.width &&
  one.y < other.y + other.height &&
  other.y < one.y + one.height;
