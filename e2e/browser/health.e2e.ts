// Server health: live in the list and on the page, over time as charts and as a table, with a configurable rule.
import { startSshd } from '../../testing/sshd';
import { check, expectTableToFit } from './every-look';
import { expect, test } from './house';
import { addServer, hostKeyCard, openServer } from './servers-page';

test.use({ healthChecks: 'on' });

test('a server that stops and restarts changes its badge in every open browser (covers: SRV-16)', async ({
  person,
}, info) => {
  const sshd = await startSshd();
  try {
    const [ada, bo] = [
      await person('ada@example.com', { at: '/app/profile/settings?section=health-checks' }),
      await person('bo@example.com'),
    ];
    await expect(ada.page.getByText('after 3 of the last 4 checks failed')).toBeVisible();
    const checks = ada.page.getByRole('region', { name: 'Health checks', exact: true });
    await checks.getByRole('radiogroup').getByText('Edit', { exact: true }).click();
    await ada.page.getByLabel('Seconds between two checks').fill('5');
    await ada.page.getByLabel('Failed checks').fill('2');
    await ada.page.getByLabel('Of the last').fill('2');
    await ada.page.getByRole('button', { name: 'Save' }).click();
    await expect(ada.page.getByText('after 2 of the last 2 checks failed')).toBeVisible();
    await ada.page.getByRole('button', { name: 'Close' }).click();
    await check(ada.page, 'settings', info);

    await addServer(ada.page, sshd, { alias: 'pulse-1' });
    await expect(hostKeyCard(ada.page)).toContainText(sshd.hostKey.fingerprint);
    await bo.page.goto('/app/server');
    // A reload would remove this mark.
    await bo.page.evaluate(() => document.body.setAttribute('data-mark', 'same page'));
    const row = bo.page.getByRole('row', { name: /pulse-1/ });
    // The disk of this machine may be almost full.
    await expect(row).toContainText(/healthy|overloaded|almost full/);
    await expect(row).toContainText(/Load\s*\d+\.\d+.*Memory\s*\d+ %.*Disk\s*\d+ %/);
    const card = ada.page.getByRole('region', { name: 'Health', exact: true });
    await expect(card).toContainText(/GiB of [\d.]+ GiB/);
    await expect(card).toContainText('Up for');

    sshd.kill('SIGKILL');
    await expect(row).toContainText('unreachable');
    await expect(row).toContainText(/unreachable for (less than a minute|\d+ min)/);
    await expect(row).not.toContainText('Memory');
    await expect(card).toContainText('unreachable');
    await expect(card).toContainText('Nothing listens at');
    await check(ada.page, 'unreachable', info);

    await sshd.restart();
    await expect(row).toContainText(/(healthy|overloaded|almost full).*Memory/);
    await expect(row).not.toContainText('unreachable');
    await expect(card).not.toContainText('Nothing listens at');
    await expect(bo.page.locator('body')).toHaveAttribute('data-mark', 'same page');
    await check(bo.page, 'health-list', info);
    await expectTableToFit(bo.page, 'Servers');

    await openServer(bo.page, 'pulse-1');
    await bo.page.getByRole('tab', { name: 'History' }).click();
    const events = bo.page.getByRole('list', { name: 'History' });
    await expect(
      events.getByRole('button', { name: /^found the server unreachable: Nothing listens/ }),
    ).toHaveCount(1);
    await expect(events.getByRole('button', { name: /^found the server reachable$/ })).toHaveCount(2);
    await expect(
      events.getByRole('listitem').filter({ hasText: 'found the server unreachable' }),
    ).toContainText('Quarterdeck');

    await bo.page.getByRole('tab', { name: 'Health' }).click();
    await bo.page.getByText('1 h', { exact: true }).click();
    await expect(bo.page).toHaveURL(/range=1h/);
    const load = bo.page.getByRole('slider', { name: /^Load: / });
    await expect(load.locator('[data-unreachable]')).toHaveCount(1);
    await load.focus();
    await bo.page.keyboard.press('End');
    await expect(load).toHaveAttribute('aria-valuetext', /:\d\d: \d+\.\d/);
    await check(bo.page, 'health-charts', info);
    await bo.page.getByText('Table', { exact: true }).click();
    const table = bo.page.getByRole('table', { name: 'Health of pulse-1 in the last hour' });
    await expect(table).toContainText(/failed/);
    const rows = await table.getByRole('row').count();
    await expect(async () => expect(await table.getByRole('row').count()).toBeGreaterThan(rows)).toPass({
      timeout: 120_000,
    });
    await check(bo.page, 'health-table', info);
    await bo.page.reload();
    await expect(table).toBeVisible();
  } finally {
    await sshd.stop();
  }
});
