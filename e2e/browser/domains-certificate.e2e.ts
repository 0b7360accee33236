// The certificate of a domain and the answers of its site, with a real certbot, authority and nginx.
// covers: DOM-03, DOM-07, DOM-08, DOM-12
import { fetchPage } from '../../testing/page';
import { certificateTestsLack, test, UPSTREAM } from './certificates-house';
import { addDomain, call, registerServer } from './domains-house';
import { check } from './every-look';
import { manners, walkAll } from './hands';
import { expect } from './house';
import { scrollTo } from './scroll-to';
import { makeSite, siteTasks } from './site-tasks';

// On machines without throw-away servers, their own test reports that.
if (certificateTestsLack().length === 0) {
  test('a certificate is issued, renewed and removed from its page; changes by hand are adopted; logs stream live', async ({
    bind,
    host,
    acme,
    person,
  }, info) => {
    const [ada, bo] = [await person('ada@example.com'), await person('bo@example.com')];
    const { page } = ada;
    const server = await registerServer(page, host, 'secured-1');
    const { id, serverName } = await addDomain(page, { bind, host, server, label: 'secured' });
    await call(page, 'domain/location/insert', { domain: { id }, data: { location: '/', url: UPSTREAM } });
    const answer = async (path: string): Promise<string> =>
      (await fetchPage({ host: host.host, name: serverName, path })).text;
    const secured = async () =>
      (await fetchPage({ host: host.host, name: serverName, path: '/', ca: await acme.root() })).text;

    await test.step('issued', async () => {
      await bo.page.goto(`/app/domain/${id}/edit?tab=certificate`);
      await page.goto(`/app/domain/${id}/edit?tab=certificate`);
      const issued = page.getByRole('region', { name: 'Issued certificate' });
      await issued.getByRole('button', { name: 'Issue certificate' }).click();
      const question = page.getByRole('dialog');
      await expect(question).toContainText(`server_name ${serverName}`);
      await scrollTo(page, question, 'return 301 "https://');
      await check(page, 'certificate-question', info);
      await question.getByRole('button', { name: 'Issue certificate' }).click();
      await expect(issued.getByRole('button', { name: 'Renew certificate' })).toBeEnabled();
      await expect(issued).toContainText(serverName);
      const served = page.getByRole('region', { name: 'Served certificate' });
      await expect(served).toContainText('Same as issued');
      await expect(served).toContainText('yes');
      await expect(served).toContainText('valid');
      await expect(bo.page.getByRole('region', { name: 'Issued certificate' })).toContainText(serverName);
      const next = page.getByRole('region', { name: 'Next renewal' });
      await expect(next).toContainText('not due yet');
      await expect(next).toContainText('of its lifetime is left');
      await expect(next).toContainText('4 of 5 certificates for exactly');
      await check(page, 'certificate-issued', info);
      expect(await secured()).toBe('upstream saw /');
    });

    await test.step('own alert thresholds', async () => {
      const alerts = page.getByRole('region', { name: 'Alerts' });
      await alerts.getByRole('button', { name: 'Change' }).click();
      await alerts.getByLabel('Thresholds').selectOption('of its own');
      await alerts.getByLabel('Days before expiry').fill('45, 10');
      await check(page, 'certificate-alerts', info);
      await alerts.getByRole('button', { name: 'Save' }).click();
      await expect(bo.page.getByRole('region', { name: 'Alerts' })).toContainText(
        'Of its own: 45 and 10 days',
      );
    });

    await test.step('renewed', async () => {
      const issued = page.getByRole('region', { name: 'Issued certificate' });
      await issued.getByRole('button', { name: 'Renew certificate' }).click();
      const question = page.getByRole('dialog');
      await expect(question).toContainText('is valid for a long time');
      await expect(question).toContainText('does not change');
      await question.getByRole('button', { name: 'Renew certificate' }).click();
      for (const each of [page, bo.page]) {
        const there = each.getByRole('region', { name: 'Issued certificate' });
        await expect(there).toContainText('Renewed');
      }
      await expect(page.getByRole('region', { name: 'Served certificate' })).toContainText('yes');
      await check(page, 'certificate-renewed', info);
      expect(await secured()).toBe('upstream saw /');
    });

    await test.step('removed', async () => {
      const issued = page.getByRole('region', { name: 'Issued certificate' });
      await issued.getByRole('button', { name: 'Remove' }).click();
      const question = page.getByRole('dialog');
      await expect(question).toContainText('over plain HTTP');
      await expect(question).toContainText(/Live → Generated: \d+ lines? added, \d+ removed/);
      await question.getByRole('button', { name: 'Remove certificate' }).click();
      for (const each of [page, bo.page])
        await expect(each.getByText('No certificate issued yet')).toBeVisible();
      await check(page, 'certificate-removed', info);
      expect(await answer('/plain')).toBe('upstream saw /plain');
      await page.getByRole('tab', { name: 'Configuration' }).click();
      const generated = page.getByRole('region', { name: 'Generated configuration' });
      await expect(generated.getByLabel('SSL')).not.toBeChecked();
    });

    await test.step('adopted', async () => {
      const file = `/root/volumes/nginx_config/${serverName}.conf`;
      expect((await host.inside(`printf '# by hand\\n' >> ${file}`)).code).toBe(0);
      await bo.page.goto(`/app/domain/${id}/edit?tab=config`);
      const found = page.getByRole('region', { name: 'On the server' });
      await found.getByRole('button', { name: 'Compare with server' }).click();
      await expect(found).toContainText('changed on the server');
      await found.getByRole('button', { name: 'Adopt' }).click();
      await page.getByRole('dialog').getByRole('button', { name: 'Adopt' }).click();
      for (const each of [page, bo.page]) {
        await expect(each.getByRole('region', { name: 'On the server' })).not.toContainText(
          'changed on the server',
        );
        await expect(each.getByRole('region', { name: 'Generated configuration' })).toContainText(
          'Live → Generated: 0 lines added, 1 removed',
        );
      }
      await check(page, 'site-adopted', info);
      expect((await host.inside(`grep -c '^# by hand' ${file}`)).out.trim()).toBe('1');
    });

    await test.step('location logs and inspection', async () => {
      await page.getByRole('tab', { name: /Locations/ }).click();
      await page.getByRole('button', { name: 'Actions of /' }).click();
      await page.getByRole('menuitem', { name: 'Read its logs' }).click();
      const log = page.getByRole('log');
      await expect(log).toContainText('/plain');
      await answer('/while-they-run');
      await expect(log).toContainText('/while-they-run');
      await check(page, 'location-logs', info);

      await page.getByRole('link', { name: serverName }).click();
      await page.getByRole('tab', { name: /Locations/ }).click();
      await page.getByRole('button', { name: 'Actions of /' }).click();
      await page.getByRole('menuitem', { name: 'Inspect' }).click();
      await expect(page.getByRole('log')).toContainText('It answers with 200');
      await check(page, 'location-inspected', info);
    });

    await test.step('a preset with SSL issues a certificate', async () => {
      await page.goto(`/app/domain/${id}/edit?tab=config`);
      const generated = page.getByRole('region', { name: 'Generated configuration' });
      await generated.getByRole('button', { name: 'Docker apply' }).click();
      await expect(generated.getByLabel('Docker')).toBeChecked();
      await expect(generated.getByLabel('SSL')).not.toBeChecked();
      await expect(generated.getByRole('button', { name: 'Apply', exact: true })).toBeEnabled();
      await generated.getByRole('button', { name: 'New domain' }).click();
      await expect(generated.getByLabel('SSL')).toBeChecked();
      await check(page, 'site-preset', info);
      await generated.getByRole('button', { name: 'Issue certificate and apply' }).click();
      await page.getByRole('dialog').getByRole('button', { name: 'Issue and apply' }).click();
      // The button gets this name once the certificate is recorded, and is enabled once the run has ended.
      await expect(generated.getByRole('button', { name: 'Apply', exact: true })).toBeEnabled();
      await expect(page.getByText('succeeded').first()).toBeVisible();
      expect(await secured()).toBe('upstream saw /');
    });
  });

  for (const by of manners)
    test(`tasks for a site and its server can be done with the ${by} alone`, async ({
      bind,
      host,
      person,
    }, info) => {
      const { page } = await person('ada@example.com');
      const of = by === 'keys' ? 'keyed' : 'clicked';
      const site = await makeSite(page, { bind, host, of, upstream: UPSTREAM });
      await walkAll(siteTasks, by, { page, info, bind, host, ...site, of });
    });
}
