// A second factor: an authenticator app and a passkey of Chromium's virtual authenticator, given at the next sign-ins, and
// demanded of everybody by the workspace.
// covers: AUTH-06, AUTH-07, AUTH-12
import type { Page } from '@playwright/test';
import { codeFrom } from '../people/authenticator-app';
import { check, expectTableToFit } from './every-look';
import { expect, test, type House } from './house';

/** Browsers have passkeys at localhost, and at no address. */
const atLocalhost = (address: string): string => address.replace('127.0.0.1', 'localhost');

const secretOn = async (page: Page): Promise<string> => {
  const label = await page.getByRole('button', { name: /^Copy [A-Z2-7]{32}$/ }).getAttribute('aria-label');
  return label?.split(' ')[1] ?? '';
};

const enter = async (page: Page, house: House, email: string, role: 'admin' | 'member'): Promise<void> => {
  await page.goto(atLocalhost(await house.signInLink(email, role)));
};

const toRecoveryCodes = async (page: Page, name: string): Promise<string> => {
  await page.getByRole('button', { name: 'Add authenticator app' }).click();
  await expect(page.getByRole('img', { name: /^QR code/ })).toBeVisible();
  const secret = await secretOn(page);
  await page.getByRole('textbox', { name: 'Code' }).fill(codeFrom(secret));
  await page.getByRole('textbox', { name: 'Name' }).fill(name);
  return secret;
};

test('is set up, given at the next sign-ins, and demanded of everybody', async ({ browser, house }, info) => {
  test.setTimeout(240_000);
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 } });
  const page = await context.newPage();
  const client = await context.newCDPSession(page);
  await client.send('WebAuthn.enable');
  await client.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  });

  // An authenticator app, with recovery codes.
  await enter(page, house, 'factor-ada@example.com', 'admin');
  await expect(page.getByRole('banner')).toBeVisible();
  await page.goto(atLocalhost(`${house.url}/app/profile`));
  const section = page.getByRole('region', { name: 'Second factor', exact: true });
  const secret = await toRecoveryCodes(page, 'Phone');
  await check(page, 'second-factor-app', info);
  await page.getByRole('button', { name: 'Add authenticator app' }).click();
  const codes = page.getByRole('region', { name: 'Recovery codes' });
  await expect(codes.getByRole('listitem')).toHaveCount(10);
  await check(page, 'recovery-codes', info);
  await codes.getByRole('button', { name: 'I have kept them' }).click();
  await expect(section.getByRole('listitem')).toContainText('Phone');

  // A passkey.
  await section.getByRole('button', { name: 'Add passkey' }).click();
  await section.getByRole('textbox', { name: 'Name' }).fill('Laptop');
  await section.getByRole('button', { name: 'Add passkey' }).click();
  await expect(section.getByRole('listitem')).toHaveCount(2);
  await section.getByRole('button', { name: 'Rename Laptop' }).click();
  await section.getByRole('textbox', { name: 'Name' }).fill('Blue laptop');
  await section.getByRole('button', { name: 'Save name' }).click();
  await expect(section.getByText('Blue laptop')).toBeVisible();
  await check(page, 'profile-second-factors', info);

  // The workspace demands it.
  await page.goto(atLocalhost(`${house.url}/app/profile/settings?section=second-factor`));
  const setting = page.getByRole('region', { name: 'Second factor', exact: true }).last();
  await setting.getByRole('radiogroup').getByText('Edit', { exact: true }).click();
  await setting.getByRole('checkbox', { name: 'Everybody needs a second factor' }).check();
  await check(page, 'settings-second-factor', info);
  await setting.getByRole('button', { name: 'Save' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Demand it' }).click();
  await expect(setting.getByText('By everybody')).toBeVisible();

  // The passkey, and then a code, at the next sign-ins. The page that was asked for follows.
  await page.goto(atLocalhost(`${house.url}/logout`));
  await expect(page).toHaveURL(/\/login$/);
  await enter(page, house, 'factor-ada@example.com', 'admin');
  await expect(page.getByRole('heading', { name: 'Give your second factor' })).toBeVisible();
  await check(page, 'give-second-factor', info);
  await page.goto(atLocalhost(`${house.url}/app/members`));
  await expect(page).toHaveURL(/\/second-factor\?return=%2Fapp%2Fmembers$/);
  await page.getByRole('button', { name: 'Use a passkey' }).click();
  await expect(page.getByRole('heading', { name: 'Members' })).toBeVisible();
  await page.goto(atLocalhost(`${house.url}/logout`));
  await expect(page).toHaveURL(/\/login$/);
  await enter(page, house, 'factor-ada@example.com', 'admin');
  await page.getByRole('button', { name: 'Use an authenticator app instead' }).click();
  const code = page.getByRole('textbox', { name: 'Code' });
  await code.fill(codeFrom(secret, 9));
  await page.getByRole('button', { name: 'Continue' }).click();
  await expect(page.getByText('this is not the present code', { exact: false })).toBeVisible();
  await check(page, 'wrong-second-factor', info);
  await code.fill(codeFrom(secret, 1));
  await page.getByRole('button', { name: 'Continue' }).click();
  await expect(page.getByRole('banner')).toBeVisible();

  // A member has to set one up first.
  const other = await browser.newContext({ viewport: { width: 1440, height: 900 } });
  const theirs = await other.newPage();
  await enter(theirs, house, 'factor-bob@example.com', 'member');
  await expect(theirs.getByRole('heading', { name: 'Set up a second factor' })).toBeVisible();
  await check(theirs, 'set-up-second-factor', info);
  await toRecoveryCodes(theirs, 'Phone of Bob');
  await theirs.getByRole('button', { name: 'Add authenticator app' }).click();
  await theirs.getByRole('button', { name: 'I have kept them' }).click();
  await expect(theirs.getByRole('banner')).toBeVisible();

  // An administrator sees who has one, and resets it.
  await page.goto(atLocalhost(`${house.url}/app/members`));
  const row = page.getByRole('row').filter({ hasText: 'factor-bob@example.com' });
  await expect(row.getByRole('cell', { name: 'Yes' })).toBeVisible();
  await expectTableToFit(page, 'Members');
  await row.getByRole('button', { name: /^Actions for/ }).click();
  await page.getByRole('menuitem', { name: 'Reset second factor…' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Reset second factor' }).click();
  await expect(row.getByRole('cell', { name: 'No', exact: true })).toBeVisible();
  await expect(theirs).toHaveURL(/\/login/);
  await check(page, 'members-second-factor', info);
  await context.close();
  await other.close();
});
