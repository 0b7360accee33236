// The history of a person and of the settings: read on their own pages, compared, and viewed at a past instant.
// covers: AUD-03, AUTH-12
import type { Page } from '@playwright/test';
import { check } from './every-look';
import { expect, test } from './house';

const callerOf = (page: Page) => async (path: string, data: object) => {
  const answer = await page.request.post(`/api/${path}`, {
    data,
    headers: { 'x-requested-with': 'quarterdeck' },
  });
  expect(answer.status()).toBe(200);
  return { body: (await answer.json()) as unknown, position: answer.headers()['x-position'] ?? '' };
};

const difference = (page: Page, of: string) => page.getByRole('dialog', { name: `Changes to ${of}` });

test('a person and their credentials have a history, and two instants can be compared', async ({
  person,
  house,
  browser,
}, info) => {
  test.setTimeout(400_000);
  const { page } = await person('ada@example.com');
  const call = callerOf(page);
  const theirs = await browser.newContext({ baseURL: house.url });
  const mia = await theirs.newPage();
  await mia.goto(await house.signInLink('mia@example.com', 'member'));
  await expect(mia.getByRole('banner')).toBeVisible();
  await callerOf(mia)('profile/gh-username/update', { value: 'mia' });
  await callerOf(mia)('profile/gh-username/update', { value: 'mia-n' });
  await theirs.close();

  await page.goto('/app/members');
  await page.getByRole('link', { name: 'mia@example.com' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'mia@example.com' })).toBeVisible();
  const list = page.getByRole('list', { name: 'History of mia@example.com' });
  await expect(list.getByText(/added mia@example.com as a member/)).toBeVisible();
  const id = new URL(page.url()).pathname.split('/').at(-1) ?? '';
  // New events appear without a reload.
  await call('person/role', { id, role: 'admin' });
  await expect(list.getByText(/made mia@example.com an admin/)).toBeVisible();
  await check(page, 'person', info);
  const wide = page.viewportSize();
  await page.setViewportSize({ width: 360, height: 800 });
  await expect(list.getByRole('link', { name: 'mia@example.com' }).first()).toBeVisible();
  if (wide) await page.setViewportSize(wide);

  await page.getByRole('button', { name: 'Compare two instants' }).click();
  const person1 = difference(page, 'mia@example.com');
  await expect(person1.getByRole('row', { name: 'Role member admin' })).toBeVisible();
  await check(page, 'person-difference', info);
  await page.keyboard.press('Escape');

  await page.getByRole('tab', { name: 'Credentials' }).click();
  await page.getByRole('button', { name: 'Compare two instants' }).click();
  const stored = difference(page, 'the credentials of mia@example.com');
  await expect(stored.getByText('1 event between the two.')).toBeVisible();
  await expect(stored.getByRole('row').nth(1)).toBeVisible();
  await check(page, 'person-credentials', info);

  // An event links to the person it is about.
  await page.goto('/app/history?category=person&text=became');
  await page.getByRole('list', { name: 'History' }).getByRole('link', { name: 'mia@example.com' }).click();
  await expect(page).toHaveURL(new RegExp(`/app/members/${id}$`));
});

test('settings have a history, links open a comparison, and a past instant shows their former values', async ({
  person,
  house,
}, info) => {
  test.setTimeout(400_000);
  const { page } = await person('ada@example.com');
  const call = callerOf(page);
  const before = await call('workspace/retention', { runOutputDays: 30, revision: 1 });
  const after = await call('workspace/retention', { runOutputDays: 60, revision: 2 });

  await page.goto('/app/profile/settings?section=run-output');
  await expect(page.getByText('60 days after the end of a run')).toBeVisible();
  await page.getByRole('navigation', { name: 'Settings' }).getByRole('link', { name: 'Changes' }).click();
  const list = page.getByRole('list', { name: `History of ${house.workspace}` });
  await expect(list.getByText(/to be removed after 60 days/)).toBeVisible();
  await list.scrollIntoViewIfNeeded();
  await check(page, 'settings-history', info);

  await page.goto(`/app/profile/settings?compare=${before.position}..${after.position}`);
  await expect(
    difference(page, house.workspace).getByRole('row', { name: 'Retention run output days 30 60' }),
  ).toBeVisible();
  await check(page, 'settings-difference', info);

  await page.goto(`/app/profile/settings?section=run-output&at=${before.position}`);
  await expect(page.getByText('30 days after the end of a run')).toBeVisible();
  await check(page, 'past-settings', info);
  for (const [address, name] of [
    ['/app/members', 'Members'],
    ['/app/profile', 'Profile'],
  ] as const) {
    await page.goto(`${address}?at=${before.position}`);
    await expect(page.getByRole('heading', { level: 1, name })).toBeVisible();
    await check(page, `past-${name.toLowerCase()}`, info);
  }
  await page.goto(`/app/members?at=${before.position}`);
  await page.getByRole('link', { name: /ada@example\.com/ }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'ada@example.com' })).toBeVisible();
  await check(page, 'past-person', info);
});
