// Members: invited by a link, promoted to administrator, removed, forgotten. covers: AUTH-12, AUTH-07
import { check } from './every-look';
import { expect, test } from './house';

const wide = { width: 1440, height: 900 };

test('a person joins by an invitation link, becomes an administrator, is removed, and is forgotten', async ({
  person,
  browser,
  house,
}, info) => {
  const { page } = await person('ada@example.com');
  await page.getByRole('button', { name: 'Your account' }).click();
  await page.getByRole('menuitem', { name: 'Members' }).click();
  await expect(page.getByRole('row', { name: /ada@example.com/ })).toContainText('(you)');
  await check(page, 'members', info);

  await page.getByRole('link', { name: 'Invite' }).click();
  await page.getByLabel('How').selectOption('email');
  await page.getByRole('button', { name: 'Invite' }).click();
  await expect(page.getByLabel('E-mail')).toBeFocused();
  await check(page, 'invite-refused', info);
  await page.getByLabel('E-mail').fill('grace@example.org');
  await page.getByRole('button', { name: 'Invite' }).click();
  await expect(page.getByRole('row', { name: /grace@example.org/ })).toContainText('open');
  await page.getByRole('link', { name: 'Invite' }).click();
  await page.getByRole('button', { name: 'Invite' }).click();
  const link = await page.getByText(/\/invite#/).innerText();
  expect(link).toMatch(new RegExp(`^${house.url}/invite#[\\w-]{43}$`));
  await check(page, 'invitation-link', info);
  await page.getByRole('link', { name: 'Show invitations' }).click();
  await check(page, 'invitations', info);

  const theirs = await browser.newContext({ baseURL: house.url, viewport: wide });
  const mia = await theirs.newPage();
  await mia.goto(link);
  await expect(mia.getByRole('heading', { name: 'You are invited' })).toBeVisible();
  await expect(mia.getByText(house.workspace, { exact: true })).toBeVisible();
  await check(mia, 'invited', info);
  await mia.getByLabel('Your name').fill('Mia Novak');
  await mia.getByRole('button', { name: `Join ${house.workspace}` }).click();
  await expect(mia.getByRole('banner')).toBeVisible();
  await mia.goto('/app/profile');
  await mia.getByRole('button', { name: 'Change name' }).click();
  await mia.getByRole('textbox', { name: 'Name' }).fill('Mia N.');
  await check(mia, 'profile-name', info);
  await mia.getByRole('button', { name: 'Save name' }).click();
  await expect(mia.getByText('Mia N.').first()).toBeVisible();
  await mia.goto('/app/members');
  await expect(mia.getByRole('heading', { level: 1 })).not.toHaveText('Members');

  // Changes by others appear without a reload.
  await page.getByRole('tab', { name: 'Members' }).first().click();
  const row = page.getByRole('row', { name: /Mia N\./ });
  await expect(row).toContainText('Member');
  const choose = async (action: string) => {
    await row.getByRole('button', { name: 'Actions for Mia N.' }).click();
    await page.getByRole('menuitem', { name: action }).click();
  };
  await choose('Make administrator…');
  await page.getByRole('button', { name: 'Make administrator' }).click();
  await expect(row).toContainText('Administrator');
  // Her open page updates by itself.
  await expect(mia.getByRole('heading', { level: 1, name: 'Members' })).toBeVisible();

  await choose('Remove…');
  const question = page.getByRole('dialog', { name: 'Remove Mia N.?' });
  await expect(question).toContainText('Signed out at once');
  await check(page, 'remove-member', info);
  await question.getByRole('button', { name: 'Remove member' }).click();
  await expect(row).toBeHidden();
  await expect(mia.getByText('Your session was ended.')).toBeVisible();
  await mia.goto(link);
  await expect(mia.getByText('This invitation is no longer valid')).toBeVisible();
  await check(mia, 'invitation-spent', info);
  await theirs.close();

  await page.getByRole('tab', { name: /Former members/ }).click();
  await page.getByRole('button', { name: 'Forget Mia N.' }).click();
  await page.getByLabel(/Type Mia N\. to confirm/).fill('Mia N.');
  await page.getByRole('button', { name: 'Forget for good' }).click();
  await expect(page.getByRole('row', { name: /Former member/ })).toBeVisible();
  // Toasts that name her disappear by themselves, too.
  await expect(page.getByText('Mia N.')).toHaveCount(0);
  await check(page, 'former-members', info);
  await page.goto('/app/history?category=person');
  await expect(
    page.getByText(/deleted the name and e-mail of Former member \(\w{4}\)/).first(),
  ).toBeVisible();
  await expect(page.getByText('Mia N.')).toBeHidden();
});
