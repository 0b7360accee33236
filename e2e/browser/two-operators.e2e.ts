// One operator works, another sees it live, and the history shows both who did what.
import { expect, test } from './house';
import { addServer, hostKeyCard, openServer } from './servers-page';

test('another operator sees a server added and used without a reload, and both find it in the history (covers: SRV-01, SRV-02, SHELL-09, AUD-01)', async ({
  house,
  person,
}) => {
  const [ada, bo] = [
    await person('ada@example.com'),
    await person('bo@example.com', { at: '/app/server?q=shared-1' }),
  ];
  await expect(bo.page.getByRole('heading', { name: 'Servers', exact: true })).toBeVisible();
  await expect(bo.page.getByRole('link', { name: 'shared-1', exact: true })).toHaveCount(0);

  await addServer(ada.page, house.sshd, { alias: 'shared-1' });
  await expect(hostKeyCard(ada.page)).toContainText(house.sshd.hostKey.fingerprint);
  const row = bo.page.getByRole('row', { name: /shared-1/ });
  await expect(row).toContainText(house.sshd.host);
  await expect(row).toContainText('/root/volumes/nginx_config');

  await row.getByRole('link', { name: 'shared-1', exact: true }).click();
  await expect(hostKeyCard(bo.page)).toContainText(house.sshd.hostKey.fingerprint);
  await bo.page.getByRole('tab', { name: 'Runs' }).click();
  await expect(bo.page.getByText('No runs yet')).toBeVisible();
  await ada.page.getByRole('tab', { name: 'Commands' }).click();
  await ada.page.getByRole('button', { name: /^Memory usage/ }).click();
  await ada.page.getByRole('button', { name: 'Show raw output' }).click();
  await expect(ada.page.getByRole('log')).toContainText('memory');

  const run = bo.page.getByRole('row', { name: /Memory usage/ });
  await expect(run).toContainText('succeeded');
  await expect(run).toContainText(ada.email);
  await run.getByRole('link', { name: 'Memory usage' }).click();
  await expect(bo.page.getByRole('heading', { level: 1, name: 'Memory usage on shared-1' })).toBeVisible();
  await expect(bo.page.getByRole('log')).toHaveText(await ada.page.getByRole('log').innerText(), {
    useInnerText: true,
  });

  for (const { page } of [ada, bo]) {
    await page.goto('/app/history');
    await page.getByRole('searchbox', { name: 'Search history' }).fill('shared-1');
    const events = page.getByRole('list', { name: 'History' });
    const registered = events.getByRole('listitem').filter({ hasText: 'registered shared-1' });
    await expect(registered).toContainText(ada.email);
    await expect(events.getByRole('button', { name: 'requested Memory usage on shared-1' })).toBeVisible();
    await expect(page).toHaveURL(/text=shared-1/);
  }

  // The chain of causes lists all events that the request led to.
  await bo.page.getByRole('button', { name: 'requested Memory usage on shared-1' }).click();
  const drawer = bo.page.getByRole('dialog', { name: 'Event' });
  const chain = drawer.getByRole('list', { name: 'Chain of causes' }).getByRole('listitem');
  await expect(chain).toHaveCount(4);
  await expect(chain.first()).toContainText('requested Memory usage');
  await expect(chain.last()).toContainText('succeeded after');
  await drawer.getByRole('button', { name: 'Close event' }).click();
  await expect(drawer).toBeHidden();
});

test('the history is live, announces new events to someone reading further down, and keeps its filters in the address (covers: AUD-01, SHELL-11)', async ({
  house,
  person,
}) => {
  const [ada, bo] = [await person('ada@example.com'), await person('bo@example.com')];
  await addServer(ada.page, house.sshd, { alias: 'told-1' });
  await bo.page.goto('/app/history');
  const events = bo.page.getByRole('list', { name: 'History' });
  await expect(events.getByRole('button', { name: /registered told-1/ })).toBeVisible();

  await ada.page.goto('/app/server');
  await openServer(ada.page, 'told-1');
  await ada.page.getByRole('tab', { name: 'Commands' }).click();
  await ada.page.getByRole('button', { name: /^Server info/ }).click();
  await expect(events.getByRole('button', { name: /requested Server info on told-1/ })).toBeVisible();

  await bo.page.setViewportSize({ width: 1440, height: 500 });
  await events.getByRole('listitem').first().hover();
  await bo.page.mouse.wheel(0, 120);
  await expect(ada.page.getByText('exit code 0')).toBeVisible();
  await ada.page.getByRole('button', { name: 'Back' }).click();
  await ada.page.getByRole('button', { name: /^Memory usage/ }).click();
  const pill = bo.page.getByRole('button', { name: /new events?$/ });
  await expect(pill).toBeVisible();
  await pill.click();
  await expect(events.getByRole('button', { name: /requested Memory usage on told-1/ })).toBeVisible();
  await expect(pill).toBeHidden();

  await bo.page.getByRole('button', { name: 'Filter' }).click();
  await bo.page.getByLabel('Event type').first().click();
  await bo.page.getByRole('option', { name: 'Server host key pinned' }).click();
  await expect(events.getByRole('button', { name: /registered/ })).toHaveCount(0);
  await expect(events.getByRole('button', { name: /pinned the host key/ }).first()).toBeVisible();
  await expect(bo.page).toHaveURL(/type=ServerHostKeyPinned/);
  await bo.page.reload();
  await expect(events.getByRole('button', { name: /pinned the host key/ }).first()).toBeVisible();
  await expect(events.getByRole('button', { name: /registered/ })).toHaveCount(0);
  await bo.page.getByRole('button', { name: 'Remove filter: Server host key pinned' }).click();
  await expect(events.getByRole('button', { name: /registered told-1/ })).toBeVisible();
});
