// The site of a domain: locations with their preview, and the configuration compared with the server.
// covers: DOM-03, DOM-07, DOM-12, SRV-07, SRV-09
import { throwawayHostLacks } from '../../testing/throwaway-lacks';
import { addDomain, letDnsBeWritten, registerServer, test } from './domains-house';
import { check } from './every-look';
import { scrollTo } from './scroll-to';
import { expect } from './house';

// On machines without throw-away servers, their own test reports that.
if (throwawayHostLacks().length === 0) {
  test('a location is previewed while it is typed, and its form shows only the fields of the chosen action', async ({
    bind,
    host,
    person,
  }, info) => {
    const [ada, bo] = [await person('ada@example.com'), await person('bo@example.com')];
    const { page } = ada;
    const server = await registerServer(page, host, 'places-1');
    const { id } = await addDomain(page, { bind, host, server, label: 'places' });
    await bo.page.goto(`/app/domain/${id}/edit?tab=locations`);
    await expect(bo.page.getByText('No locations yet')).toBeVisible();
    await page.goto(`/app/domain/${id}/edit?tab=locations`);
    await expect(page.getByText('No locations yet')).toBeVisible();
    await page.keyboard.press('n');
    const editor = page.getByRole('dialog', { name: /New location/ });
    await editor.getByLabel('Location', { exact: true }).fill('/api/');
    await editor.getByLabel('Upstream').fill('http://app:3000');
    await editor.getByLabel('Allow WebSockets').check();
    const preview = editor.getByRole('region', { name: 'Preview' });
    await expect(preview.getByRole('textbox')).toContainText('location "/api/"');
    await scrollTo(page, preview.getByRole('textbox'), 'http://app:3000');
    await check(page, 'location-new', info);

    await editor.getByLabel('Action').selectOption('Redirect');
    await expect(editor.getByLabel('Allow WebSockets')).toBeHidden();
    await editor.getByLabel('Redirect to').fill('nowhere at all');
    await editor.getByRole('button', { name: 'Save location' }).click();
    await expect(editor.getByText('an address or a path is expected')).toBeVisible();
    await editor.getByLabel('Action').selectOption('Static files');
    await editor.getByLabel('Folder').fill('/srv/static');
    await scrollTo(page, preview.getByRole('textbox'), '/srv/static');
    await editor.getByLabel('Action').selectOption('Proxy');
    await editor.getByLabel('Upstream').fill('http://app:3000');
    await page.keyboard.press('Enter');
    await expect(editor).toBeHidden();
    await expect(page.getByRole('row', { name: /\/api\// })).toContainText('WebSockets');
    await expect(bo.page.getByRole('row', { name: /\/api\// })).toContainText('http://app:3000');

    // Another operator changes the location while its editor is open.
    const mine = page.getByRole('dialog', { name: /\/api\/ of/ });
    await page.getByRole('row', { name: /\/api\// }).click();
    await mine.getByLabel('Timeout in seconds').fill('30');
    await bo.page.getByRole('row', { name: /\/api\// }).click();
    const theirs = bo.page.getByRole('dialog', { name: /\/api\/ of/ });
    await theirs.getByLabel('Upstream').fill('http://app:4000');
    await theirs.getByRole('button', { name: 'Save' }).click();
    await expect(theirs).toBeHidden();
    await mine.getByRole('button', { name: 'Save' }).click();
    const conflict = mine.getByRole('alert', { name: 'Conflict' });
    await expect(conflict).toContainText('http://app:4000');
    await check(page, 'location-conflict', info);
    await conflict.getByRole('button', { name: 'Save both changes' }).click();
    await expect(mine).toBeHidden();
    await expect(page.getByRole('row', { name: /\/api\// })).toContainText('http://app:4000');
    await expect(page.getByRole('row', { name: /\/api\// })).toContainText('30 s');

    // Leaving with unsaved changes asks first; the open editor is part of the address.
    await page.getByRole('button', { name: 'Add location' }).click();
    await expect(page).toHaveURL(/location=new/);
    await editor.getByLabel('Location', { exact: true }).fill('/gone/');
    await page.keyboard.press('Escape');
    const question = page.getByRole('dialog', { name: 'Leave without saving?' });
    await question.getByRole('button', { name: 'Leave' }).click();
    await expect(editor).toBeHidden();
    await check(page, 'locations', info);

    // Another operator deletes the location while its editor is open: the input stays, and can be added as a new one.
    await page.getByRole('row', { name: /\/api\// }).click();
    await mine.getByLabel('Timeout in seconds').fill('45');
    await bo.page.getByRole('button', { name: 'Actions of /api/' }).click();
    await bo.page.getByRole('menuitem', { name: 'Delete location' }).click();
    await bo.page.getByRole('dialog').getByRole('button', { name: 'Delete location' }).click();
    await expect(mine.getByRole('alert')).toContainText('/api/ was deleted meanwhile');
    await check(page, 'location-lost', info);
    await mine.getByRole('button', { name: 'Save as a new location' }).click();
    await expect(bo.page.getByRole('row', { name: /\/api\// })).toContainText('45 s');
  });

  test('a configuration is applied, found changed on the server, overwritten, and restored', async ({
    bind,
    host,
    person,
  }, info) => {
    const [ada, bo] = [await person('ada@example.com'), await person('bo@example.com')];
    const { page } = ada;
    await letDnsBeWritten(page, bind);
    const server = await registerServer(page, host, 'site-1');
    const { id, serverName } = await addDomain(page, { bind, host, server, label: 'site' });
    const file = `/root/volumes/nginx_config/${serverName}.conf`;
    await bo.page.goto(`/app/domain/${id}/edit?tab=config`);
    await page.goto(`/app/domain/${id}/edit?tab=config`);
    const generated = page.getByRole('region', { name: 'Generated configuration' });
    await expect(generated.getByRole('textbox', { name: 'Generated' })).toContainText(
      `server_name ${serverName}`,
    );
    await check(page, 'site-never-applied', info);

    const apply = async (): Promise<void> => {
      await generated.getByRole('button', { name: 'Apply', exact: true }).click();
      await page.getByRole('dialog').getByRole('button', { name: 'Apply' }).click();
    };
    const run = page
      .getByRole('region', { name: /configuration/i })
      .filter({ hasText: 'Open run' })
      .first();
    await apply();
    await expect(run).toContainText('succeeded');
    await expect(bo.page.getByText('Nothing has been applied from here yet.')).toBeHidden();
    await expect(bo.page.getByRole('region', { name: 'On the server' })).toContainText(
      'No changes detected on the server',
    );
    expect((await host.inside(`grep -c server_name ${file}`)).out.trim()).not.toBe('0');

    // The options are kept in the address, which changes a moment after the click.
    await generated.getByLabel('gzip').click();
    await expect(generated.getByLabel('gzip')).toBeChecked();
    await expect(generated).toContainText(/Live → Generated: \d+ lines? added/);
    await check(page, 'site-difference', info);
    await apply();
    const before = page.getByRole('region', { name: 'Previous versions' });
    await expect(before.getByRole('listitem')).toHaveCount(1);

    await host.inside(`printf '# by hand\\n' >> ${file}`);
    const found = page.getByRole('region', { name: 'On the server' });
    await found.getByRole('button', { name: 'Compare with server' }).click();
    await expect(found).toContainText('changed on the server');
    await expect(found).toContainText('Applied → Found: 1 line added');
    await expect(bo.page.getByRole('region', { name: 'On the server' })).toContainText(
      'changed on the server',
    );
    await expect(generated.getByRole('button', { name: 'Apply', exact: true })).toBeDisabled();
    await check(page, 'site-drifted', info);
    await found.getByRole('button', { name: 'Overwrite' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Overwrite' }).click();
    await expect(found).not.toContainText('changed on the server');
    expect((await host.inside(`grep -c '^# by hand' ${file}`)).out.trim()).toBe('0');

    await before.getByRole('listitem').last().getByRole('button').click();
    await expect(before).toContainText('Live → Then');
    await check(page, 'site-before', info);
    await before.getByRole('button', { name: 'Restore' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Restore' }).click();
    await expect(before.getByRole('listitem').first()).toBeVisible();
    await expect(generated).toContainText('gzip');
    await expect(before.getByRole('listitem')).toHaveCount(3);
    expect((await host.inside(`grep -c 'gzip on' ${file}`)).out.trim()).toBe('0');

    await page.getByRole('tab', { name: 'Certificate' }).click();
    await expect(page.getByText('No certificate issued yet')).toBeVisible();
    await page.getByRole('button', { name: 'Check now' }).click();
    await expect(page.getByText(/checked just now/)).toBeVisible();
    await check(page, 'certificate-none', info);
    await page.getByRole('tab', { name: 'Runs' }).click();
    await expect(page.getByRole('row')).not.toHaveCount(1);

    // Deleting the domain removes its configuration from the server unless it is kept.
    await page.getByRole('button', { name: 'Actions', exact: true }).click();
    await page.getByRole('menuitem', { name: 'Delete domain' }).click();
    const question = page.getByRole('dialog', { name: `Delete ${serverName}?` });
    await expect(question.getByLabel(/Keep the configuration/)).not.toBeChecked();
    await check(page, 'site-delete', info);
    await question.getByRole('textbox').fill(serverName);
    await question.getByRole('button', { name: 'Delete domain' }).click();
    await expect(page.getByText('succeeded').first()).toBeVisible();
    await expect(bo.page.getByRole('heading', { name: `${serverName} was removed` })).toBeVisible();
    expect((await host.inside(`ls ${file}`)).code).not.toBe(0);
  });

  test('the page of a server lists its domains, checks their certificates and generates its compose file', async ({
    bind,
    host,
    person,
  }, info) => {
    const { page } = await person('ada@example.com');
    const server = await registerServer(page, host, 'listed-1');
    for (const label of ['one', 'two']) await addDomain(page, { bind, host, server, label });
    await page.goto(`/app/server/${server}/detail`);
    await page.getByRole('tab', { name: 'Domains' }).click();
    await expect(page.getByRole('row', { name: /two\./ })).toBeVisible();
    await page.getByRole('button', { name: 'Check expiry' }).click();
    await expect(page.getByText(/^Checked 2:/)).toBeVisible();
    await page
      .getByRole('region', { name: 'Compose file' })
      .getByRole('button', { name: 'Generate' })
      .click();
    await expect(page.getByRole('textbox', { name: 'docker-compose.yml' })).toContainText('services:');
    await expect(page.getByRole('textbox', { name: 'Web server configuration' })).toContainText(
      `server_name one.${bind.zone}`,
    );
    await check(page, 'server-domains', info);
  });
}
