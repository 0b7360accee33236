// A domain with a stale IPv6 address, which then leaves its server, and whose files are removed there.
// covers: DOM-01, DOM-04
import { throwawayHostLacks } from '../../testing/throwaway-lacks';
import { call, registerServer, test } from './domains-house';
import { check } from './every-look';
import { expect } from './house';
import { makeSite } from './site-tasks';

// On machines without throw-away servers, their own test reports that.
if (throwawayHostLacks().length === 0) {
  test('a stale IPv6 address is named before an order, and a domain leaves what it has on its server', async ({
    bind,
    host,
    person,
  }, info) => {
    const { page } = await person('ada@example.com');
    const of = 'leaving';
    const { id, serverName } = await makeSite(page, { bind, host, of, upstream: 'http://127.0.0.1:9/' });
    await registerServer(page, host, 'arriving-1');

    await test.step('a stale IPv6 address', async () => {
      const { server } = await call<{ server: { id: string } }>(page, 'domain/detail', { id });
      await call(page, 'server/contact', { id: server.id });
      bind.change(`add ${serverName} 60 AAAA 2001:db8::9`);
      await page.goto(`/app/domain/${id}/edit`);
      await page.getByRole('region', { name: 'DNS' }).getByRole('button', { name: 'Check now' }).click();
      const wrong = 'DNS wrong: IPv6 2001:db8::9';
      await expect(page.getByRole('region', { name: 'DNS' })).toContainText(wrong);
      await check(page, 'domain-stale-address', info);
      await page.goto('/app/domain');
      await expect(page.getByRole('row', { name: new RegExp(serverName) })).toContainText(wrong);
      await check(page, 'domains-stale-address', info);
      await page.goto('/app');
      await expect(page.getByRole('main')).toContainText(wrong);
      await page.goto(`/app/domain/${id}/edit?tab=certificate`);
      await page.getByRole('button', { name: 'Issue certificate' }).click();
      await expect(page.getByRole('dialog')).toContainText('The order may fail');
      await check(page, 'certificate-doubtful', info);
      await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click();
    });

    await test.step('leaving', async () => {
      await page.goto(`/app/domain/${id}/edit`);
      const details = page.getByRole('region', { name: 'Details' });
      await details.getByText('Edit', { exact: true }).click();
      const leave = details.getByLabel('Leave its configuration on leaving-1');
      await expect(leave).toBeHidden();
      await details
        .getByLabel('Server', { exact: true })
        .selectOption({ label: `arriving-1 (${host.host})` });
      await leave.check();
      await check(page, 'domain-leaving', info);
      await details.getByRole('button', { name: 'Save' }).click();
      const left = page.getByRole('region', { name: 'Left behind', exact: true });
      await expect(left).toContainText(`${serverName} on leaving-1: configuration`);
      await check(page, 'domain-left', info);
      await left.getByRole('button', { name: 'Remove from leaving-1' }).click();
      await page.getByRole('dialog').getByRole('button', { name: 'Remove files' }).click();
      await expect(left).toBeHidden();
    });
  });
}
