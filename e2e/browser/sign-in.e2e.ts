// Sign-up, sign-in, sessions and sign-out with a provider.
import type { Page } from '@playwright/test';
import { startGitHubSignIn, type GitHubSignIn } from '../../testing/github-sign-in';
import { check } from './every-look';
import { expect, test as base } from './house';

const test = base.extend<object, { github: GitHubSignIn }>({
  github: [
    // oxlint-disable-next-line no-empty-pattern -- Playwright reads the fixtures from the pattern
    async ({}, use) => {
      const github = await startGitHubSignIn();
      await use(github);
      await github.stop();
    },
    { scope: 'worker' },
  ],
  env: [({ github }, use) => use(github.env), { scope: 'worker' }],
});

/** Uses Playwright's own `page`, a browser without any session. */
test.use({ baseURL: async ({ house }, use) => use(house.url) });

const kept = (page: Page) => page.evaluate(() => localStorage.getItem('quarterdeck.session'));

const signIn = async (page: Page, instance: string): Promise<void> => {
  await page.goto(`/login?instance=${instance}`);
  await page.getByRole('button', { name: 'Sign in with GitHub' }).click();
  await page.getByRole('link', { name: 'Authorize' }).click();
  await expect(page.getByRole('banner')).toBeVisible();
};

const signUp = async (page: Page, instance: string): Promise<void> => {
  await page.goto('/login');
  await page.getByLabel('Workspace').fill(instance);
  await page.getByRole('button', { name: 'Signup' }).click();
  await page.getByRole('button', { name: 'Sign up with GitHub' }).click();
  await page.getByRole('link', { name: 'Authorize' }).click();
  await expect(page.getByRole('banner')).toBeVisible();
};

test('a person signs up to a workspace and signs out, and its name is taken from then on (covers: AUTH-01, AUTH-02, AUTH-05)', async ({
  page,
  github,
}, info) => {
  github.become({ login: 'ada', name: 'Ada Marsh' });
  await page.goto('/login');
  await check(page, 'login', info);
  await page.getByLabel('Workspace').fill('harbour');
  await page.getByRole('button', { name: 'Login' }).click();
  await expect(page.getByText('instance could not be found')).toBeVisible();
  await page.getByRole('button', { name: 'Signup' }).click();
  await expect(page.getByRole('heading', { name: 'Sign up to your account' })).toBeVisible();
  await check(page, 'sign-up', info);
  await page.getByRole('button', { name: 'Back' }).click();
  await expect(page.getByLabel('Workspace')).toHaveValue('harbour');
  await page.getByRole('button', { name: 'Signup' }).click();
  await page.getByRole('button', { name: 'Sign up with GitHub' }).click();
  await page.getByRole('link', { name: 'Authorize' }).click();
  await expect(page.getByRole('heading', { name: 'Home' })).toBeVisible();
  await expect(page).toHaveURL('/app');
  expect(await kept(page)).toContain('"harbour"');

  await page.goto('/logout');
  await expect(page).toHaveURL('/login');
  expect(await kept(page)).toBeNull();
  expect((await page.request.get('/api/session')).status()).toBe(401);
  await page.getByLabel('Workspace').fill('Harbour');
  await page.getByRole('button', { name: 'Signup' }).click();
  await expect(page.getByText('This instance name already exists, please choose another one')).toBeVisible();
});

test('sign-in with the provider leads to the page that was requested (covers: AUTH-01, AUTH-04)', async ({
  page,
  github,
}) => {
  github.become({ login: 'bea', name: 'Bea Quay' });
  await signUp(page, 'quay');
  await page.context().clearCookies();
  await page.evaluate(() => localStorage.clear());
  await page.goto('/app/profile');
  await page.getByLabel('Workspace').fill('quay');
  await page.getByLabel('Workspace').press('Enter');
  await expect(page.getByRole('heading', { name: 'Sign in to your account' })).toBeVisible();
  await page.getByRole('button', { name: 'Sign in with GitHub' }).click();
  await page.getByRole('link', { name: 'Authorize' }).click();
  await expect(page).toHaveURL('/app/profile');
  await expect(page.getByText('Bea Quay').first()).toBeVisible();
});

test('a person who refuses consent or is not a member sees why, and can return to sign-in (covers: AUTH-02, AUTH-04)', async ({
  page,
  browser,
  house,
  github,
}, info) => {
  github.become({ login: 'cleo' });
  await signUp(page, 'cove');
  const stranger = await (await browser.newContext({ baseURL: house.url })).newPage();
  github.become({ login: 'stranger' });
  await stranger.goto('/login?instance=cove');
  await check(stranger, 'sign-in', info);
  await stranger.getByRole('button', { name: 'Sign in with GitHub' }).click();
  await stranger.getByRole('link', { name: 'Cancel' }).click();
  await expect(stranger.getByRole('alert')).toContainText('You did not give your consent at GitHub');
  await stranger.getByRole('link', { name: 'Back to sign-in' }).click();
  await stranger.getByRole('button', { name: 'Sign in with GitHub' }).click();
  await stranger.getByRole('link', { name: 'Authorize' }).click();
  await expect(stranger.getByRole('alert')).toContainText('Access Denied! Wrong access credentials.');
  await expect(stranger.getByRole('alert')).toContainText('does not belong to cove');
  await check(stranger, 'access-denied', info);
  await stranger.reload();
  await expect(stranger.getByRole('alert')).toContainText('Start again');
  await stranger.context().close();
});

test('another session is listed and ended, and its open page is signed out at once (covers: AUTH-07, AUTH-12)', async ({
  page,
  browser,
  house,
  github,
}, info) => {
  github.become({ login: 'dora', name: 'Dora Pier' });
  await signUp(page, 'pier');
  const phone = await browser.newContext({
    baseURL: house.url,
    userAgent:
      'Mozilla/5.0 (iPhone; CPU iPhone OS 18_1 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.1 Mobile/15E148 Safari/604.1',
  });
  const elsewhere = await phone.newPage();
  await signIn(elsewhere, 'pier');

  await page.goto('/app/profile');
  const sessions = page.getByRole('region', { name: 'Sessions' });
  await expect(sessions.getByRole('listitem')).toHaveCount(2);
  await expect(sessions.getByRole('listitem').filter({ hasText: 'This session' })).toContainText(
    /Chrom\w+ on Linux/,
  );
  await check(page, 'profile', info);
  await page.setViewportSize({ width: 1280, height: 800 });
  await sessions.getByRole('button', { name: 'Sign out Safari on iOS' }).click();
  const question = page.getByRole('dialog', { name: 'Sign out Safari on iOS?' });
  await question.getByRole('button', { name: 'Sign out' }).click();
  await expect(sessions.getByRole('listitem')).toHaveCount(1);
  await expect(elsewhere).toHaveURL(/\/login/);
  await expect(elsewhere.getByText('Your session was ended.')).toBeVisible();

  await signIn(elsewhere, 'pier');
  await page.reload();
  await sessions.getByRole('button', { name: 'Sign out everywhere else…' }).click();
  await page.getByRole('button', { name: 'Sign out everywhere else', exact: true }).click();
  await expect(elsewhere).toHaveURL(/\/login/);
  await expect(sessions.getByRole('listitem')).toHaveCount(1);
  await phone.close();
});

test('a sign-in link from the command line leads a superadmin to the superadmin area (covers: AUTH-04, AUTH-11)', async ({
  page,
  house,
}) => {
  await page.goto(await house.signInLink('ops@example.org', 'superadmin'));
  await expect(page).toHaveURL('/superadmin');
});

test('a person who signed in by a link connects an account, and can sign in with it (covers: AUTH-03, AUTH-07)', async ({
  page,
  house,
  github,
}, info) => {
  github.become({ login: 'eve', name: 'Eve Jetty' });
  await page.goto(await house.signInLink('eve@example.net', 'member'));
  await expect(page.getByRole('banner')).toBeVisible();
  const { instance } = (await (await page.request.get('/api/session')).json()) as {
    instance: { name: string };
  };
  await page.goto('/app/profile');
  const accounts = page.getByRole('region', { name: 'Sign-in accounts' });
  await accounts.getByRole('button', { name: 'Connect GitHub' }).click();
  await page.getByRole('link', { name: 'Cancel' }).click();
  await expect(page.getByRole('alert')).toContainText('you did not give your consent at GitHub');
  await check(page, 'not-connected', info);
  await page.getByRole('link', { name: 'Back to the profile' }).click();
  await accounts.getByRole('button', { name: 'Connect GitHub' }).click();
  await page.getByRole('link', { name: 'Authorize' }).click();
  await expect(page).toHaveURL('/app/profile');
  await expect(accounts.getByRole('listitem')).toContainText('GitHub');
  await check(page, 'profile-accounts', info);

  await page.goto('/logout');
  await expect(page).toHaveURL('/login');
  await signIn(page, instance.name);
  await page.goto('/app/profile');
  await expect(page.getByText('eve@example.net', { exact: true })).toBeVisible();
});
