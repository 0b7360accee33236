// Domains: searched, added with a DNS check, edited by two at once, deleted. covers: DOM-01, DOM-02, DOM-04, DOM-05
import { throwawayHostLacks } from '../../testing/throwaway-lacks';
import { addDomain, call, letDnsBeWritten, registerServer, test } from './domains-house';
import { check, expectTableToFit } from './every-look';
import { expect } from './house';

// On machines without throw-away servers, their own test reports that.
if (throwawayHostLacks().length === 0) {
  test('a domain is added by keyboard together with its missing DNS record, and appears for another operator', async ({
    bind,
    host,
    person,
  }, info) => {
    const [ada, bo] = [await person('ada@example.com'), await person('bo@example.com')];
    const { page } = ada;
    await registerServer(page, host, 'web-1');
    await letDnsBeWritten(page, bind);
    await bo.page.goto('/app/domain');
    await expect(bo.page.getByRole('heading', { level: 1, name: 'Domains' })).toBeVisible();

    await page.keyboard.press('g');
    await page.keyboard.press('d');
    await expect(page.getByRole('heading', { level: 1, name: 'Domains' })).toBeVisible();
    await page.keyboard.press('n');
    await expect(page.getByRole('heading', { level: 1, name: 'Add domain' })).toBeVisible();

    const name = page.getByLabel('Domain name');
    const dns = page.getByRole('region', { name: 'DNS' });
    const chooseServer = () =>
      page.getByLabel('Server', { exact: true }).selectOption({ label: `web-1 (${host.host})` });
    await chooseServer();
    await name.fill(`www.shop.${bind.zone}`);
    await expect(dns).toContainText(`is deeper below ${bind.zone}`);
    await name.fill(`shop.${bind.zone}`);
    await expect(dns).toContainText('no address yet');
    await expect(dns).toContainText(host.host);
    await check(page, 'domain-add-no-dns', info);
    await dns.getByRole('button', { name: 'add DNS' }).click();
    await expect(dns).toContainText('DNS added');
    await expect(dns).toContainText('points to web-1');
    await name.focus();
    await page.keyboard.press('Enter');
    await expect(page.getByRole('heading', { level: 1, name: `shop.${bind.zone}` })).toBeVisible();
    await expect(page.getByText('DNS correct').first()).toBeVisible();

    const row = bo.page.getByRole('row', { name: new RegExp(`shop.${bind.zone}`) });
    await expect(row).toContainText('web-1');
    await expect(row).toContainText('DNS correct');
    await expect(row).toContainText('never applied');

    bind.change(`add away.${bind.zone} 60 A 127.0.0.9`);
    await page.goto('/app/domain/add');
    await chooseServer();
    await name.fill(`away.${bind.zone}`);
    await expect(dns).toContainText('differs from web-1');
    await page.getByRole('button', { name: 'Save domain' }).click();
    await expect(
      page.getByText(`away.${bind.zone} points to 127.0.0.9, and the server web-1 is at ${host.host}`),
    ).toBeVisible();
    await dns.getByRole('button', { name: 'add DNS' }).click();
    await expect(dns.getByRole('alert')).toContainText('127.0.0.9');
    await check(page, 'domain-add-refused', info);
    await dns.getByRole('button', { name: 'Replace the record' }).click();
    const replacing = page.getByRole('dialog');
    await expect(replacing).toContainText(`Now: away.${bind.zone} → 127.0.0.9.`);
    await expect(replacing).toContainText(`Then: away.${bind.zone} → ${host.host} (web-1).`);
    await replacing.getByRole('button', { name: 'Replace record' }).click();
    await expect(dns).toContainText('points to web-1');
    await page.getByRole('button', { name: 'Save domain' }).click();
    await expect(page.getByRole('heading', { level: 1, name: `away.${bind.zone}` })).toBeVisible();

    bind.change(`add xn--bcher-kva.${bind.zone} 60 A ${host.host}`);
    await page.goto('/app/domain/add');
    await chooseServer();
    await name.fill(`Bücher.${bind.zone}`);
    await expect(dns).toContainText('points to web-1');
    await page.getByRole('button', { name: 'Save domain' }).click();
    await expect(page.getByRole('heading', { level: 1, name: `xn--bcher-kva.${bind.zone}` })).toBeVisible();
    await expect(page.getByText(`bücher.${bind.zone}`).first()).toBeVisible();
    await page.getByRole('button', { name: 'Close' }).first().click();
    await check(page, 'domain', info);

    await page.goto('/app/domain');
    await expect(page.getByText(`bücher.${bind.zone}`)).toBeVisible();
    await check(page, 'domains', info);
    await expectTableToFit(page, 'Domains');
    await page.getByRole('searchbox', { name: 'Search domains' }).fill('bücher');
    await expect(page).toHaveURL(/q=b/);
    await expect(page.getByRole('row')).toHaveCount(2);
  });

  test('renaming a domain at once with another operator shows a conflict; a DNS change is noticed', async ({
    bind,
    host,
    person,
  }, info) => {
    const [ada, bo] = [await person('ada@example.com'), await person('bo@example.com')];
    const { page } = ada;
    const server = await registerServer(page, host, 'web-2');
    const { id, serverName } = await addDomain(page, { bind, host, server, label: 'contested' });
    for (const label of ['hers', 'his']) bind.change(`add ${label}.${bind.zone} 60 A ${host.host}`);

    await page.goto(`/app/domain/${id}/edit`);
    await expect(page.getByRole('heading', { level: 1, name: serverName })).toBeVisible();
    await page.keyboard.press('e');
    await page.getByLabel('Domain name').fill(`hers.${bind.zone}`);
    await bo.page.goto(`/app/domain/${id}/edit?mode=edit`);
    await bo.page.getByLabel('Domain name').fill(`his.${bind.zone}`);
    await bo.page.getByRole('button', { name: 'Save' }).click();
    await expect(bo.page.getByRole('heading', { level: 1, name: `his.${bind.zone}` })).toBeVisible();
    await expect(page.getByRole('heading', { level: 1, name: `his.${bind.zone}` })).toBeVisible();
    await page.getByRole('button', { name: 'Save' }).click();
    const conflict = page.getByRole('alert', { name: 'Conflict' });
    await expect(conflict).toContainText(`his.${bind.zone}`);
    await check(page, 'domain-conflict', info);
    await conflict.getByRole('button', { name: 'Save these choices' }).click();
    await expect(page.getByRole('heading', { level: 1, name: `hers.${bind.zone}` })).toBeVisible();
    await expect(bo.page.getByRole('heading', { level: 1, name: `hers.${bind.zone}` })).toBeVisible();

    bind.change(`delete hers.${bind.zone} A`, `add hers.${bind.zone} 60 A 127.0.0.9`);
    const dns = page.getByRole('region', { name: 'DNS' });
    await dns.getByRole('button', { name: 'Check now' }).click();
    await expect(dns).toContainText('Checked just now: 127.0.0.9');
    await expect(dns).toContainText('DNS wrong');
    await expect(dns.getByRole('listitem').first()).toContainText(host.host);
    await expect(bo.page.getByText('DNS wrong').first()).toBeVisible();
    await check(page, 'domain-elsewhere', info);
    await page.getByRole('tab', { name: 'History' }).click();
    await expect(page.getByText(ada.email).first()).toBeVisible();
  });

  test('deleting a domain asks for its name, and removes it for both operators', async ({
    bind,
    host,
    person,
  }, info) => {
    const [ada, bo] = [await person('ada@example.com'), await person('bo@example.com')];
    const { page } = ada;
    const server = await registerServer(page, host, 'web-3');
    const { id, serverName } = await addDomain(page, { bind, host, server, label: 'doomed' });
    await bo.page.goto(`/app/server/${server}/detail?tab=domains`);
    await expect(bo.page.getByRole('link', { name: serverName })).toBeVisible();
    await page.goto(`/app/domain/${id}/edit`);
    await page.getByRole('button', { name: 'Actions' }).click();
    await page.getByRole('menuitem', { name: 'Delete domain' }).click();
    const question = page.getByRole('dialog', { name: `Delete ${serverName}?` });
    await check(page, 'domain-delete', info);
    await expect(question.getByRole('button', { name: 'Delete domain' })).toBeDisabled();
    await question.getByRole('textbox').fill(serverName);
    await question.getByRole('button', { name: 'Delete domain' }).click();
    await expect(page.getByRole('heading', { level: 1, name: 'Domains' })).toBeVisible();
    await expect(bo.page.getByText('No domains on this server yet')).toBeVisible();
  });

  test('a long reason ends in an ellipsis in the list, and wraps on the page of the domain', async ({
    bind,
    host,
    person,
  }) => {
    const { page } = await person('ada@example.com');
    const server = await registerServer(page, host, 'web-4');
    const { id, serverName } = await addDomain(page, { bind, host, server, label: 'stale' });
    // Only a server that was asked for its addresses is known to have no IPv6.
    await call(page, 'server/contact', { id: server });
    bind.change(`add ${serverName} 60 AAAA 2001:db8:1234:5678:9abc:def0:1234:5678`);
    await call(page, 'domain/dns/check', { id });
    await page.setViewportSize({ width: 1440, height: 900 });
    await page.goto('/app/domain');
    const words = page.getByRole('row', { name: serverName }).getByText('Needs attention: DNS wrong: IPv6');
    await expect(words).toBeVisible();
    const cut = await words.evaluate((one) => ({
      isCut: one.scrollWidth > one.clientWidth,
      textOverflow: getComputedStyle(one).textOverflow,
    }));
    expect(cut).toEqual({ isCut: true, textOverflow: 'ellipsis' });
    await words.hover();
    await expect(page.getByRole('tooltip')).toContainText('2001:db8:1234:5678:9abc:def0:1234:5678');
    await page.setViewportSize({ width: 1024, height: 900 });
    await page.goto(`/app/domain/${id}/edit`);
    await expect(page.getByText('Needs attention: DNS wrong: IPv6')).toBeVisible();
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(1024);
  });
}
