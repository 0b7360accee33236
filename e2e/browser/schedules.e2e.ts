// A schedule is added while its times are explained, runs by hand, and says when it cannot run. covers: OPS-05
import { fieldsOf as serverFields } from '../../testing/server-fields';
import { postsOf } from './alerts-house';
import { check } from './every-look';
import { expect, test } from './house';

const wide = { width: 1440, height: 900 };

test('a script runs on a schedule', async ({ person, house }, info) => {
  const { page } = await person('ada@example.com');
  const post = postsOf(page);
  const { privateKey, passphrase } = await house.sshd.keyFor('ed25519');
  await post('server/insert', {
    ...serverFields('web-7', house.sshd),
    privateKey,
    ...(passphrase && { passphrase }),
  });
  const script = await post<{ id: string }>('script/insert', {
    name: 'Free space',
    body: 'df -h /\n',
    changes: false,
    timeoutSeconds: 60,
  });

  await page.goto('/app/run');
  await page.getByRole('link', { name: 'Schedules' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Schedules' })).toBeVisible();
  await check(page, 'schedules-empty', info);
  await page.setViewportSize(wide);

  await page.getByRole('link', { name: 'Add new' }).first().click();
  const form = page.getByRole('form');
  await form.getByLabel('Name', { exact: true }).fill('Every morning');
  await form.getByLabel('What it does').selectOption('script');
  await form.getByLabel('Server', { exact: true }).selectOption({ label: 'web-7' });
  await form.getByLabel('Script', { exact: true }).selectOption({ label: 'Free space' });
  const next = page.getByRole('region', { name: 'Next times' });
  await form.getByLabel('Times', { exact: true }).fill('0 26 * * *');
  await expect(next).toContainText('the hour "26" at character 3: a number from 0 to 23 is expected');
  await form.getByLabel('Times', { exact: true }).fill('0 6 * * 1-5');
  await form.getByLabel('Time zone').fill('Pacific/Auckland');
  await expect(next).toContainText('at 06:00, from Monday to Friday on the clocks of Pacific/Auckland');
  await expect(next.getByRole('listitem')).toHaveCount(5);
  await check(page, 'schedules-add', info);
  await page.setViewportSize(wide);
  await form.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Every morning' })).toBeVisible();
  await expect(next.getByRole('listitem')).toHaveCount(5);
  await check(page, 'schedules-detail', info);
  await page.setViewportSize(wide);

  await page.getByRole('button', { name: 'Run now' }).click();
  await expect(page.getByRole('heading', { level: 1 })).toContainText('Free space');
  await page.goto('/app/schedule');
  const row = page.getByRole('row', { name: /Every morning/ });
  await expect(row).toContainText('Free space on web-7');
  await expect(row).toContainText('succeeded');
  await check(page, 'schedules', info);
  await page.setViewportSize(wide);
  await row.getByRole('link', { name: 'Every morning' }).click();
  await page.getByRole('tab', { name: 'Past times' }).click();
  await expect(page.getByRole('row', { name: /started by hand/ })).toContainText('succeeded');
  await check(page, 'schedules-past', info);
  await page.setViewportSize(wide);

  await post('script/delete', { id: script.id, name: 'Free space' });
  await page.getByRole('tab', { name: 'Overview' }).click();
  await expect(page.getByText('It cannot run: its script was removed.')).toBeVisible();
  await page.getByRole('button', { name: 'Run now' }).click();
  await expect(page.getByText('Every morning was not started')).toBeVisible();
  await check(page, 'schedules-broken', info);
});
