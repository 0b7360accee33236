// Pages catch up without a reload after the browser was offline or the back end was down.
import { expect, test } from './house';
import { addServer } from './servers-page';

test('a page that was offline catches up by itself (covers: SHELL-09)', async ({ house, person }) => {
  test.slow();
  const [ada, bo] = [await person('ada@example.com'), await person('bo@example.com', { at: '/app/server' })];
  const connection = bo.page.getByRole('banner').getByRole('status');
  await expect(connection).toContainText('Live');
  await bo.page.context().setOffline(true);
  await addServer(ada.page, house.sshd, { alias: 'meanwhile-1' });
  await expect(connection).not.toContainText('Live');
  await expect(bo.page.getByRole('row', { name: /meanwhile-1/ })).toHaveCount(0);
  await bo.page.context().setOffline(false);
  await expect(bo.page.getByRole('row', { name: /meanwhile-1/ })).toBeVisible();
  await expect(connection).toContainText('Live');
});

test('open pages keep working after the back end is killed and restarted (covers: SHELL-09)', async ({
  house,
  person,
}) => {
  test.slow();
  const [ada, bo] = [await person('ada@example.com'), await person('bo@example.com')];
  await addServer(ada.page, house.sshd, { alias: 'before-1' });
  await bo.page.goto('/app/history');
  await expect(bo.page.getByRole('button', { name: /registered before-1/ })).toBeVisible();
  await house.restart();
  for (const { page } of [ada, bo])
    await expect(page.getByRole('banner').getByRole('status')).toContainText('Live');
  await ada.page.getByRole('tab', { name: 'Commands' }).click();
  await ada.page.getByRole('button', { name: /^Memory usage/ }).click();
  await expect(ada.page.getByText(/exit code 0/)).toBeVisible();
  await expect(bo.page.getByRole('button', { name: /requested Memory usage on before-1/ })).toBeVisible();
});
