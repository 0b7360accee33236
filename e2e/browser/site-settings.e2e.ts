// The settings of a site and of its locations, in their forms and in what would go live. covers: DOM-03, DOM-07
import { throwawayHostLacks } from '../../testing/throwaway-lacks';
import { addDomain, registerServer, test } from './domains-house';
import { check } from './every-look';
import { expect } from './house';

// On machines without throw-away servers, their own test reports that.
if (throwawayHostLacks().length === 0) {
  test('rare settings are below the others, and a change of HSTS is explained before it is saved', async ({
    bind,
    host,
    person,
  }, info) => {
    const { page } = await person('ada@example.com');
    const server = await registerServer(page, host, 'web-1');
    const { id } = await addDomain(page, { bind, host, server, label: 'settings' });

    await page.goto(`/app/domain/${id}/edit?tab=locations&location=new`);
    const form = page.getByRole('form', { name: 'Add location' });
    await form.getByLabel('Upstream').fill('unix:/run/app.sock');
    await expect(form.getByLabel('Largest upload in MB')).toBeHidden();
    await check(page, 'location-settings-closed', info);
    await form.getByText('More settings').click();
    await form.getByLabel('Largest upload in MB').fill('100');
    await form.getByLabel('Frames').selectOption({ label: 'In no page' });
    await form.getByLabel('Allow requests from other sites (CORS)').check();
    await form.getByLabel('Allowed origins').fill('https://shop.example.org');
    await expect(page.getByRole('region', { name: 'Preview' })).toContainText('map $http_origin');
    await check(page, 'location-settings-open', info);
    await form.getByRole('button', { name: 'Save location' }).click();
    await expect(page.getByRole('row', { name: /CORS with cookies, 100 MB/ })).toBeVisible();

    await page.getByRole('tab', { name: 'Configuration' }).click();
    const settings = page.getByRole('region', { name: 'Site settings' });
    await settings.getByText('Edit', { exact: true }).click();
    await settings
      .getByLabel('HTTPS only (HSTS)')
      .selectOption({ label: 'Off: browsers forget it at their next visit' });
    await settings.getByLabel('Trusted proxies').fill('10.0.0.0/8, proxy.test');
    await settings.getByRole('button', { name: 'Save' }).click();
    await expect(settings.getByText(/^proxy.test: an address or a network is expected/)).toBeVisible();
    await settings.getByLabel('Trusted proxies').fill('10.0.0.0/8');
    await check(page, 'site-settings-edit', info);
    await settings.getByRole('button', { name: 'Save' }).click();
    const dialog = page.getByRole('dialog');
    await expect(dialog).toContainText('until they come by HTTPS once more');
    await dialog.getByRole('button', { name: 'Change HSTS' }).click();
    await expect(settings.getByText('Off: browsers forget it at their next visit')).toBeVisible();
    await expect(page.getByRole('region', { name: 'Generated configuration' })).toContainText(
      'geo $realip_remote_addr',
    );
    await check(page, 'site-settings', info);
  });
}
