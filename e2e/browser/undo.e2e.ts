// Undoing changes: previewed first, recorded as new events, seen by everybody. covers: AUD-03
import type { Locator, Page } from '@playwright/test';
import { addDomain, call, registerServer, test } from './domains-house';
import { check } from './every-look';
import { expect } from './house';
import { tabTo } from './tab-to';

const undoing = (page: Page, says: string) => page.getByRole('dialog', { name: `Undo: ${says}` });
const undo = (within: Page | Locator) => within.getByRole('button', { name: 'Undo…' });

const rename = async (page: Page, id: string, alias: string): Promise<void> => {
  await page.goto(`/app/server/${id}/detail?mode=edit`);
  await page.getByLabel('Alias').fill(alias);
  await page.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByRole('heading', { level: 1, name: alias })).toBeVisible();
};

test('a server edit is undone by keyboard alone; an undo is refused if the value was changed again since', async ({
  house,
  person,
}, info) => {
  const { page } = await person('ada@example.com');
  const id = await registerServer(page, house.sshd, 'meant');
  await rename(page, id, 'mistaken');
  // The message offers it too, by one key.
  await page.getByRole('region', { name: 'Messages' }).getByRole('button', { name: 'Close' }).click();

  await page.getByRole('tab', { name: 'History' }).click();
  await tabTo(page, 'button', 'renamed the server to mistaken');
  await page.keyboard.press('Enter');
  await tabTo(page, 'button', 'Undo…');
  await page.keyboard.press('Enter');
  const dialog = undoing(page, 'renamed the server to mistaken');
  await expect(dialog.getByRole('row', { name: 'Alias mistaken meant' })).toBeVisible();
  await check(page, 'undo-edit', info);

  // Preview the undo, and cancel.
  await page.keyboard.press('Escape');
  await expect(dialog).toBeHidden();
  await expect(undo(page)).toBeFocused();
  await page.keyboard.press('Enter');
  await tabTo(page, 'button', 'Restore');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('link', { name: 'Undone: renamed the server to mistaken.' })).toBeVisible();
  await expect(dialog).toBeHidden();
  await page.keyboard.press('Escape');
  await expect(page.getByRole('heading', { level: 1, name: 'meant' })).toBeVisible();
  const events = page.getByRole('list', { name: 'History of meant' });
  await expect(events.getByRole('button', { name: 'undid "renamed the server to mistaken"' })).toBeVisible();

  // The first event is already undone, so it cannot be undone again.
  await events.getByRole('button', { name: 'renamed the server to mistaken', exact: true }).click();
  await undo(page).click();
  await expect(dialog).toContainText('it is already as it was before');
  await page.keyboard.press('Escape');
  await rename(page, id, 'third');
  await page.goto(`/app/server/${id}/detail?tab=history`);
  await page.getByRole('button', { name: 'renamed the server to mistaken', exact: true }).click();
  await undo(page).click();
  await expect(dialog).toContainText('Alias was changed again since: it is third now');
  await expect(dialog.getByRole('button', { name: 'Restore' })).toBeHidden();
  await check(page, 'undo-refused', info);
});

test('a server is edited and the edit undone with few keys', async ({ house, person }) => {
  const { page } = await person('ada@example.com');
  const id = await registerServer(page, house.sshd, 'few-keys');
  await page.goto(`/app/server/${id}/detail`);
  await expect(page.getByRole('heading', { level: 1, name: 'few-keys' })).toBeVisible();
  await page.keyboard.press('e');
  await expect(page.getByLabel('Alias')).toBeFocused();
  await page.keyboard.press('Control+a');
  await page.keyboard.type('few-more');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('heading', { level: 1, name: 'few-more' })).toBeVisible();
  // The focus is on the switch between View and Edit, where letters are keys of the page too.
  await expect(page.getByRole('radio', { name: 'View' }).first()).toBeFocused();
  await page.keyboard.press('u');
  await expect(undoing(page, 'renamed the server to few-more')).toBeVisible();
  await tabTo(page, 'button', 'Restore');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('heading', { level: 1, name: 'few-keys' })).toBeVisible();

  // A save that changes nothing records nothing, so there is nothing to undo. Letters do nothing beside an open dialog.
  await expect(page.getByRole('dialog')).toHaveCount(0);
  await page.keyboard.press('e');
  await expect(page.getByLabel('Alias')).toBeFocused();
  await page.keyboard.press('Enter');
  const messages = page.getByRole('region', { name: 'Messages' });
  await expect(messages.getByText('few-keys was saved.')).toBeVisible();
  await expect(undo(messages)).toHaveCount(0);
});

test('undoing the removal of a server restores it with its domain, once its private key is entered again', async ({
  bind,
  house,
  person,
}, info) => {
  const [ada, bo] = [await person('ada@example.com'), await person('bo@example.com')];
  const { page } = ada;
  const server = await registerServer(page, house.sshd, 'gone-1');
  const domain = await addDomain(page, { bind, host: house.sshd, server, label: 'gone' });
  const location = { location: '/api/', url: 'http://127.0.0.1:8080' };
  await call(page, 'domain/location/insert', { domain: { id: domain.id }, data: location });
  await bo.page.goto(`/app/domain/${domain.id}/edit?tab=locations`);
  await expect(bo.page.getByRole('row', { name: /\/api\// })).toBeVisible();

  await page.goto(`/app/server/${server}/detail`);
  await page.getByRole('button', { name: 'Actions' }).click();
  await page.getByRole('menuitem', { name: 'Delete server' }).click();
  const question = page.getByRole('dialog', { name: 'Delete gone-1?' });
  await question.getByRole('textbox').fill('gone-1');
  await question.getByRole('button', { name: 'Delete server' }).click();
  // The page of the removed server offers it too, until the list is shown.
  await undo(page.getByRole('region', { name: 'Messages' })).click();
  const dialog = undoing(page, 'removed gone-1');
  await expect(dialog.getByRole('region', { name: 'gone-1' })).toContainText(house.sshd.host);
  await dialog.getByText(domain.serverName, { exact: true }).click();
  await expect(dialog.getByRole('row', { name: /location \/api\// })).toBeVisible();
  await check(page, 'undo-server', info);

  await expect(bo.page.getByRole('heading', { name: `${domain.serverName} was removed` })).toBeVisible();
  await expect(bo.page.getByRole('main')).toContainText(`${ada.email} removed it`);
  await check(bo.page, 'removed-domain', info);

  const key = dialog.getByRole('textbox', { name: 'Private key' });
  await dialog.getByRole('button', { name: 'Restore' }).click();
  await expect(key).toHaveAccessibleDescription(/This field is required/);
  await key.fill('no key at all');
  await dialog.getByRole('button', { name: 'Restore' }).click();
  await expect(key).toBeFocused();
  await expect(key).toHaveAccessibleDescription(/key/);
  await check(page, 'undo-wrong-key', info);
  await key.fill((await house.sshd.keyFor('ed25519')).privateKey);
  await dialog.getByRole('button', { name: 'Restore' }).click();
  await page.getByRole('link', { name: 'Undone: removed gone-1.' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'gone-1' })).toBeVisible();
  await page.getByRole('button', { name: 'Contact now' }).click();
  await expect(page.getByText(house.sshd.hostKey.fingerprint, { exact: true })).toBeVisible();

  // The other operator's page shows the domain again without a reload.
  await expect(bo.page.getByRole('heading', { level: 1, name: domain.serverName })).toBeVisible();
  await expect(bo.page.getByRole('row', { name: /\/api\// })).toBeVisible();
});

test('a removed location is restored from its notice', async ({ bind, house, person }, info) => {
  const { page } = await person('ada@example.com');
  const server = await registerServer(page, house.sshd, 'serves');
  const { id } = await addDomain(page, { bind, host: house.sshd, server, label: 'served' });
  for (const location of ['/api/', '/news/'])
    await call(page, 'domain/location/insert', {
      domain: { id },
      data: { location, url: 'http://127.0.0.1:8080', timeout: 45 },
    });
  await page.goto(`/app/domain/${id}/edit?tab=locations`);
  const row = page.getByRole('row', { name: /\/api\// });
  for (const location of ['/api/', '/news/']) {
    await page.getByRole('button', { name: `Actions of ${location}` }).click();
    await page.getByRole('menuitem', { name: 'Delete location' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Delete location' }).click();
    await expect(page.getByText(`${location} was deleted.`)).toBeVisible();
  }
  await expect(row).toBeHidden();
  // The older of two notices restores its own location.
  await undo(page).first().click();
  const dialog = undoing(page, `removed /api/ from served.${bind.zone}`);
  await expect(dialog.getByRole('region', { name: `served.${bind.zone}` })).toContainText('45');
  await expect(dialog).toContainText('The served configuration stays as it is');
  await check(page, 'undo-location', info);
  await dialog.getByRole('button', { name: 'Restore' }).click();
  await expect(dialog).toBeHidden();
  await expect(row).toContainText('45 s');
  await expect(page.getByRole('row', { name: /\/news\// })).toBeHidden();
});

test('a removed script is restored from its own page', async ({ person }) => {
  const { page } = await person('ada@example.com');
  const script = { name: 'Space', body: 'df -h\n', changes: false, timeoutSeconds: 30 };
  const { id } = await call<{ id: string }>(page, 'script/insert', script);
  await page.goto(`/app/script/${id}/detail`);
  await expect(page.getByRole('heading', { level: 1, name: 'Space' })).toBeVisible();
  await call(page, 'script/delete', { id, name: 'Space' });
  await expect(page.getByRole('heading', { name: 'Space was removed' })).toBeVisible();
  await undo(page).click();
  const dialog = undoing(page, 'removed the script Space');
  await expect(dialog.getByRole('region', { name: 'Space' })).toContainText('df -h');
  await dialog.getByRole('button', { name: 'Restore' }).click();
  await expect(dialog).toBeHidden();
  await expect(page.getByRole('heading', { level: 1, name: 'Space' })).toBeVisible();
});
