// Two operators edit and delete servers independently of each other.
import { expect, test } from './house';
import { addServer, openServer } from './servers-page';

test('the form starts with the defaults, and shows under each field what is missing or wrong (covers: SRV-02, VAL-01, ERR-01)', async ({
  house,
  person,
}) => {
  const { page } = await person('ada@example.com', { at: '/app/server' });
  await page.getByRole('link', { name: 'Add new' }).first().click();
  await expect(
    page.getByText('Any unix-like server works; docker and docker-compose must be installed.'),
  ).toBeVisible();
  await expect(page.getByLabel('Alias')).toBeFocused();
  await expect(page.getByLabel('Path', { exact: true })).toHaveValue('/root/volumes/static');
  await expect(page.getByLabel('NGINX Path')).toHaveValue('/root/volumes/nginx_config');
  await expect(page.getByLabel('SSH port')).toHaveValue('22');

  await page.getByLabel('SSH port').fill('70000');
  await page.getByLabel('Host', { exact: true }).fill('not a host');
  await page.getByRole('button', { name: 'Save server' }).click();
  await expect(page.getByLabel('Alias')).toHaveAccessibleDescription(/This field is required/);
  await expect(page.getByLabel('Alias')).toBeFocused();
  await expect(page.getByLabel('SSH port')).toHaveAccessibleDescription(
    /numbers above 65535 are not accepted/,
  );
  await expect(page.getByLabel('Host', { exact: true })).toHaveAccessibleDescription(
    /Enter a host name or an IP address, without spaces./,
  );
  await expect(page.getByRole('textbox', { name: 'Private key' })).toHaveAccessibleDescription(
    /This field is required/,
  );

  // Errors that only the back end finds are shown under their fields, too.
  await addServer(page, house.sshd, { alias: 'taken-1' });
  await page.goto('/app/server/add');
  await page.getByLabel('Alias').fill('taken-1');
  await page.getByLabel('Host', { exact: true }).fill('127.0.0.1');
  await page.getByLabel('Username').fill('root');
  await page.getByLabel('Root').fill('/root');
  await page.getByRole('textbox', { name: 'Private key' }).fill('not a key');
  await page.getByRole('button', { name: 'Save server' }).click();
  await expect(page.getByRole('textbox', { name: 'Private key' })).toHaveAccessibleDescription(/key/i);
  await expect(page).toHaveURL(/\/app\/server\/add$/);

  await page.getByRole('link', { name: 'Back to the list' }).click();
  await expect(page.getByRole('dialog', { name: 'Leave without saving?' })).toBeVisible();
  await page.getByRole('button', { name: 'Leave' }).click();
  await expect(page.getByRole('heading', { name: 'Servers', exact: true })).toBeVisible();
});

test('a server is edited in place, and the change appears for another operator (covers: SRV-03)', async ({
  house,
  person,
}) => {
  const [ada, bo] = [await person('ada@example.com'), await person('bo@example.com')];
  await addServer(ada.page, house.sshd, { alias: 'edited-1' });
  await openServer(bo.page, 'edited-1');
  await ada.page.goto('/app/server');
  await ada.page.getByRole('link', { name: 'Edit edited-1' }).click();
  await expect(ada.page.getByRole('form', { name: 'Edit server' }).getByLabel('Private key')).toHaveCount(0);
  await ada.page.getByLabel('Alias').fill('edited-2');
  await ada.page.getByRole('button', { name: 'Save' }).click();
  for (const { page } of [ada, bo])
    await expect(page.getByRole('heading', { level: 1, name: 'edited-2' })).toBeVisible();
  await expect(ada.page.getByRole('region', { name: 'Details' })).toContainText('edited-2');
});

test('the later of two concurrent edits shows both versions field by field to choose from', async ({
  house,
  person,
}) => {
  const [ada, bo] = [await person('ada@example.com'), await person('bo@example.com')];
  await addServer(ada.page, house.sshd, { alias: 'both-1' });
  for (const { page } of [ada, bo]) {
    await page.goto('/app/server');
    await page.getByRole('link', { name: 'Edit both-1' }).click();
    await expect(page.getByLabel('Alias')).toHaveValue('both-1');
  }
  await bo.page.getByRole('textbox', { name: 'Root' }).fill('/srv/of-bo');
  await ada.page.getByLabel('Alias').fill('both-of-ada');
  await ada.page.getByRole('button', { name: 'Save' }).click();
  await expect(ada.page.getByRole('heading', { level: 1, name: 'both-of-ada' })).toBeVisible();

  await bo.page.getByRole('button', { name: 'Save' }).click();
  const conflict = bo.page.getByRole('alert', { name: 'Conflict' });
  await expect(conflict).toContainText('Nothing was saved');
  await expect(conflict).toBeFocused();
  await expect(conflict).toBeInViewport();
  await expect(conflict).toContainText('Alias: both-of-ada');
  // The one changed the alias, the other the root: nothing is to be chosen.
  await expect(conflict.getByRole('radiogroup')).toHaveCount(0);
  await conflict.getByRole('button', { name: 'Save both changes' }).click();
  for (const { page } of [ada, bo]) {
    await expect(page.getByRole('heading', { level: 1, name: 'both-of-ada' })).toBeVisible();
    await expect(page.getByRole('region', { name: 'Details' })).toContainText('/srv/of-bo');
  }
});

test('deleting a server asks for its alias, rejects a wrong one, and is shown to another operator (covers: SRV-11)', async ({
  house,
  person,
}) => {
  const [ada, bo] = [await person('ada@example.com'), await person('bo@example.com')];
  await addServer(ada.page, house.sshd, { alias: 'gone-1' });
  await openServer(bo.page, 'gone-1');
  const ask = async () => {
    await ada.page.getByRole('button', { name: 'Actions' }).click();
    await ada.page.getByRole('menuitem', { name: 'Delete server' }).click();
  };
  const question = ada.page.getByRole('dialog', { name: 'Delete gone-1?' });

  await ask();
  await expect(question).toContainText('All associated domains are deleted');
  await question.getByRole('textbox').fill('gone-2');
  await question.getByRole('textbox').press('Enter');
  await expect(question.getByRole('button', { name: 'Delete server' })).toBeDisabled();
  await question.getByRole('button', { name: 'Cancel' }).click();
  await expect(question).toBeHidden();
  await expect(bo.page.getByRole('heading', { level: 1, name: 'gone-1' })).toBeVisible();

  await ask();
  await question.getByRole('textbox').fill('gone-1');
  await question.getByRole('button', { name: 'Delete server' }).click();
  await expect(ada.page).toHaveURL(/\/app\/server$/);
  await expect(ada.page.getByRole('link', { name: 'gone-1', exact: true })).toHaveCount(0);
  await expect(bo.page.getByRole('heading', { name: 'gone-1 was removed' })).toBeVisible();

  await bo.page.goto('/app/history?text=gone-1');
  await expect(bo.page.getByRole('listitem').filter({ hasText: 'removed gone-1' })).toContainText(ada.email);
});
