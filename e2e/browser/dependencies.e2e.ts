// What depends on what: a location leads to a service, and a service uses a database. covers: DOM-03, SVC-01
import { throwawayHostLacks } from '../../testing/throwaway-lacks';
import { addDomain, call, registerServer, test } from './domains-house';
import { check } from './every-look';
import { expect } from './house';

// On machines without throw-away servers, their own test reports that.
if (throwawayHostLacks().length === 0) {
  test('a location is led to a service, which shows it with its databases, and whose deletion names it', async ({
    bind,
    host,
    person,
  }, info) => {
    const { page } = await person('ada@example.com');
    const server = await registerServer(page, host, 'web-1');
    const { id, serverName } = await addDomain(page, { bind, host, server, label: 'linked' });
    const insert = async (path: string, input: object): Promise<{ id: string }> => {
      const { id: added } = await call<{ id: string }>(page, `${path}/insert`, input);
      return { id: added };
    };
    const product = await insert('product', { data: { name: 'Shop', description: '' } });
    const at = { host: '127.0.0.1', port: 5432, username: 'app', password: 'a secret', dbType: 2 };
    const database = { ...at, name: 'shop_prod', env: { id: 3 }, certificate: '', server: null };
    const { id: databaseId } = await insert('database', { data: database, product });
    const code = { organization: 'acme', packageType: 'container', withDb: true, server: { id: server } };
    const service = (name: string, port: number) =>
      insert('service', { data: { ...code, name, repo: name, port }, product });
    const { id: web } = await service('web', 3000);
    await service('api', 3100);

    await test.step('The form of a location takes the target from the chosen service', async () => {
      await page.goto(`/app/domain/${id}/edit?tab=locations&location=new`);
      const form = page.getByRole('form', { name: 'Add location' });
      await form.getByLabel('Service').selectOption({ label: 'api' });
      await expect(form.getByLabel('Upstream')).toHaveAttribute('placeholder', 'http://127.0.0.1:3100');
      await form.getByLabel('Service').selectOption({ label: 'web' });
      const preview = page.getByRole('region', { name: 'Preview' });
      await expect(preview).toContainText('127.0.0.1:3000');
      await check(page, 'location-service', info);
      await form.getByRole('button', { name: 'Save location' }).click();
      const row = page.getByRole('row', { name: /http:\/\/127\.0\.0\.1:3000/ });
      await check(page, 'locations-with-service', info);
      await row.getByRole('link', { name: 'web' }).click();
    });

    await test.step('The service shows its databases, and the locations that lead to it', async () => {
      await expect(page.getByRole('heading', { name: 'web' })).toBeVisible();
      await page.goto(`/app/product/${product.id}/detail/service/${web}/detail?mode=edit`);
      await page.getByLabel('Database of prod').selectOption({ label: 'shop_prod (prod)' });
      await page.getByRole('button', { name: 'Save', exact: true }).click();
      await expect(page.getByRole('link', { name: 'shop_prod' })).toBeVisible();
      await check(page, 'service-with-database', info);
      await page.getByRole('tab', { name: 'Domain locations' }).click();
      await expect(page.getByRole('row', { name: /Its service/ })).toContainText(serverName);
      await check(page, 'service-locations', info);
    });

    await test.step('The database shows its services, and a deletion names what depends on it', async () => {
      await page.goto(`/app/product/${product.id}/detail/database/${databaseId}/detail/services`);
      const users = page.getByRole('table', { name: 'Services that use this database' });
      await expect(users.getByRole('row')).toHaveText([/^Service/, /^web/]);
      await check(page, 'database-users', info);
      const question = page.getByRole('dialog');
      await page.getByRole('button', { name: 'Actions' }).last().click();
      await page.getByRole('menuitem', { name: 'Delete database' }).click();
      await expect(question).toContainText('web would point to nothing.');
      await page.keyboard.press('Escape');
      await page.goto(`/app/product/${product.id}/detail/service/${web}/detail`);
      await expect(page.getByRole('heading', { level: 2, name: 'web' })).toBeVisible();
      await page.getByRole('button', { name: 'Actions' }).last().click();
      await page.getByRole('menuitem', { name: 'Delete service' }).click();
      await expect(question).toContainText(`${serverName}/ would point to nothing.`);
      await check(page, 'service-deletion', info);
    });
  });
}
