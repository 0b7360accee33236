// The whole console at a past instant, read-only and unaffected by new events. covers: AUD-03
import { check, shiftOf } from './every-look';
import type { Page } from '@playwright/test';
import { expect, test } from './house';

const script = (name: string) => ({ name, body: 'df -h\n', changes: false, timeoutSeconds: 30 });

const callerOn = (page: Page) => async (path: string, body: object) => {
  const answer = await page.request.post(`/api/${path}`, {
    data: body,
    headers: { 'x-requested-with': 'quarterdeck' },
  });
  expect(answer.status()).toBe(200);
  return { body: (await answer.json()) as { id: string }, position: answer.headers()['x-position'] ?? '' };
};

test('a chosen instant is kept by links and is read-only, and “Back to now” leaves it', async ({
  person,
}, info) => {
  const { page } = await person('ada@example.com');
  const call = callerOn(page);
  // A page before the first script, or one mark of the timeline contains both the workspace's beginning and the script.
  await page.goto('/app/script');
  await expect(page.getByText('No scripts yet')).toBeVisible();
  const added = await call('script/insert', script('Before'));
  const { id } = added.body;
  await call('script/update', { id, data: script('After') });
  await page.goto('/app/script');
  await expect(page.getByRole('cell', { name: 'After', exact: true })).toBeVisible();

  // One event back, with the control in the top bar.
  await page.getByRole('button', { name: 'Instant: now' }).click();
  await expect(page.getByRole('slider', { name: 'Instant' })).toHaveAttribute('aria-valuetext', 'Now');
  await page.getByRole('button', { name: 'Earlier' }).click();
  await expect(page).toHaveURL(new RegExp(`[?&]at=${added.position}$`));
  await expect(page.getByRole('cell', { name: 'Before', exact: true })).toBeVisible();
  await expect(page.getByText('The console as it was on')).toBeVisible();
  await expect(page.getByText('Last event: ada@example.com added the script Before.')).toBeVisible();
  await check(page, 'past-scripts', info);
  // The bar of the past takes its place before it has loaded.
  for (const width of [360, 1440]) {
    await page.setViewportSize({ width, height: 900 });
    await page.reload();
    await expect(page.getByRole('slider', { name: 'Instant' })).toBeVisible();
    await expect(page.getByText('Last event: ada@example.com added the script Before.')).toBeVisible();
    expect.soft(await shiftOf(page), `the past at ${width} px: layout shift`).toBeLessThan(0.05);
  }

  // New events do not change the view of the past.
  await call('script/insert', script('Meanwhile'));
  await page.reload();
  await expect(page.getByRole('cell', { name: 'Before', exact: true })).toBeVisible();
  await expect(page.getByRole('cell', { name: 'Meanwhile', exact: true })).toBeHidden();

  // Links keep the instant, and actions that change something are disabled.
  await expect(page.getByRole('link', { name: 'Server', exact: true })).toHaveAttribute(
    'href',
    `/app/server?at=${added.position}`,
  );
  await page.getByRole('cell', { name: 'Before', exact: true }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Before' })).toBeVisible();
  await expect(page).toHaveURL(new RegExp(`${id}/detail\\?at=${added.position}$`));
  await page.getByRole('tab', { name: 'History' }).click();
  await expect(page).toHaveURL(/at=\d+/);
  await page.getByRole('button', { name: 'Actions' }).click();
  await expect(page.getByRole('menuitem', { name: /Delete/ })).toBeDisabled();
  await expect(page.getByRole('menuitem', { name: /Delete/ })).toContainText('The past is read-only');
  await page.keyboard.press('Escape');
  await check(page, 'past-script', info);
  await page.setViewportSize({ width: 1440, height: 900 });

  // By keyboard to the beginning, when there was no script yet.
  await page.getByRole('link', { name: 'Script', exact: true }).click();
  // A new page takes the focus.
  await expect(page.locator('main')).toBeFocused();
  await page.getByRole('slider', { name: 'Instant' }).focus();
  await page.keyboard.press('Home');
  await expect(page).not.toHaveURL(new RegExp(`at=${added.position}$`));
  await expect(page.getByRole('cell', { name: 'Before', exact: true })).toBeHidden();
  await page.goBack();
  await expect(page.getByRole('cell', { name: 'Before', exact: true })).toBeVisible();

  await page.getByRole('button', { name: 'Back to now' }).click();
  await expect(page).not.toHaveURL(/at=/);
  await expect(page.getByRole('cell', { name: 'After', exact: true })).toBeVisible();
  await expect(page.getByRole('cell', { name: 'Meanwhile', exact: true })).toBeVisible();
  // Live updates work again.
  await call('script/insert', script('Afterwards'));
  await expect(page.getByRole('cell', { name: 'Afterwards', exact: true })).toBeVisible();
});

test('an instant before the workspace existed says so, and offers to return to now', async ({
  person,
}, info) => {
  const { page } = await person('ada@example.com', { at: '/app/server?at=2001-01-01T00:00:00Z' });
  await expect(page.getByRole('region', { name: 'Instant' }).getByRole('status')).toContainText(
    'This is before the workspace existed: its history begins on',
  );
  await expect(page.getByRole('heading', { name: 'Nothing to show at this instant' })).toBeVisible();
  await expect(page.getByRole('button', { name: 'Try again' })).toHaveCount(0);
  await check(page, 'past-too-early', info);
  await page.getByRole('button', { name: 'Later' }).click();
  await expect(page.getByText('The console as it was on')).toBeVisible();
  await page.goBack();
  await page.getByRole('button', { name: 'Back to now' }).click();
  await expect(page).toHaveURL(/\/app\/server$/);
});

test('two instants of a script are compared by keyboard, and the comparison can be shared as a link', async ({
  person,
}, info) => {
  const { page } = await person('ada@example.com');
  const call = callerOn(page);
  const added = await call('script/insert', script('Compared'));
  const { id } = added.body;
  const renamed = await call('script/update', { id, data: script('Renamed') });
  await call('script/update', { id, data: { ...script('Renamed'), body: 'df -i\n' } });
  const row = (name: string) => page.getByRole('dialog').getByRole('row', { name });

  // Compare from an entry to now.
  await page.goto(`/app/script/${id}/detail?tab=history`);
  await page.getByRole('list', { name: 'History of Renamed' }).getByRole('button').last().focus();
  await page.keyboard.press('Enter');
  const since = page.getByRole('button', { name: 'Changes since' });
  await since.focus();
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(new RegExp(`compare=${added.position}\\.\\.$`));
  await expect(page.getByText('2 events between the two.')).toBeVisible();
  await expect(row('Name')).toContainText('ComparedRenamed');
  await expect(row('Versions 2: body')).toContainText('df -i');
  await check(page, 'difference', info);

  // Compare to another entry, and open the same comparison by its link.
  await page.getByLabel('To', { exact: true }).selectOption(renamed.position);
  await expect(page).toHaveURL(new RegExp(`compare=${added.position}\\.\\.${renamed.position}$`));
  await expect(page.getByText('1 event between the two.')).toBeVisible();
  await page.reload();
  await expect(row('Name')).toContainText('ComparedRenamed');
  await expect(row('Versions 2: body')).toBeHidden();

  await page.keyboard.press('Escape');
  await expect(page).not.toHaveURL(/compare=/);
  await page.getByRole('button', { name: 'Compare two instants' }).click();
  await expect(page.getByText('1 event between the two.')).toBeVisible();
  await expect(row('Versions 2: body')).toContainText('df -i');
  await check(page, 'difference-last', info);
});
