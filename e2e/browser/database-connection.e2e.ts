// A database of a product that is reached through a registered server.
// covers: DB-01
import { startTestPostgres } from '../../testing/postgres';
import { testAuthority } from '../../testing/test-authority';
import { check } from './every-look';
import { expect, test } from './house';
import { addServer } from './servers-page';

// The products' databases run on this machine.
test.use({ env: { OUTBOUND_ALLOW: '127.0.0.0/8' } });

test('a connection through a server is tested before saving; then the database is created and tested', async ({
  person,
  house,
}, info) => {
  test.slow();
  const postgres = await startTestPostgres();
  try {
    const { port, username, password } = new URL(postgres.url);
    const { page } = await person('modeller@example.com');
    await addServer(page, house.sshd, { alias: 'bastion' });
    await page.goto('/app/product/add');
    await page.getByRole('textbox', { name: 'Name', exact: true }).fill('Warehouse');
    await page.getByRole('button', { name: /^Save(?! and)/ }).click();
    await page.getByRole('tab', { name: 'Databases' }).click();
    await page.getByRole('link', { name: 'Add new' }).first().click();
    const name = `stock_${port}`;
    const written: Record<string, string> = {
      Host: '127.0.0.1',
      Port: port,
      Username: name,
      Password: 'battery staple',
    };
    await page.getByRole('textbox', { name: 'Name', exact: true }).fill(name);
    for (const [label, value] of Object.entries(written))
      await page.getByRole('textbox', { name: label }).fill(value);
    await page.getByRole('combobox', { name: 'Environment' }).selectOption('dev');
    await page.getByRole('combobox', { name: 'Type' }).selectOption('PostgreSQL');
    await page.getByRole('combobox', { name: 'SSH tunnel through' }).selectOption('bastion');
    await page.getByRole('button', { name: 'Test connection' }).click();
    await expect(page.getByText(`Password: The server refused the user ${name}`)).toBeVisible();
    await check(page, 'database-try', info);
    await page.getByRole('button', { name: /^Save(?! and)/ }).click();

    await page.getByRole('tab', { name: 'Connection' }).click();
    await page.getByRole('button', { name: 'Create database and user' }).click();
    const form = page.getByRole('form', { name: 'Create database and user' });
    await form.getByLabel('Administrator', { exact: true }).fill(username);
    await form.getByLabel('Password of the administrator').fill(decodeURIComponent(password));
    await check(page, 'database-create', info);
    await form.getByRole('button', { name: 'Create', exact: true }).click();
    await expect(page.getByText(`Created the database ${name}.`)).toBeVisible();
    await page.goBack();
    await page.getByRole('button', { name: 'Test connection' }).click();
    const found = page.locator('dl[aria-label="Last test"]');
    await expect(found).toContainText('PostgreSQL');
    await expect(found).toContainText('none');
    await expect(page.getByRole('table').getByRole('row', { name: /Test connection/ })).toBeVisible();
    await check(page, 'database-connection', info);

    const lasting = { notBefore: new Date(0), notAfter: new Date(Date.now() + 86_400_000), isClient: true };
    const own = await (await testAuthority()).leaf({ names: ['stock'], ...lasting });
    await page.getByRole('tabpanel').getByRole('tab', { name: 'Overview' }).click();
    const facts = page.getByRole('region', { name });
    await page.getByText('Edit', { exact: true }).click();
    const pem = page.getByRole('textbox', { name: 'Client certificate' });
    await pem.fill(own.cert);
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await expect(page.getByText(/private key is missing/)).toBeVisible();
    await pem.fill(`${own.cert}\n${own.key}`);
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await expect(page.getByText(`${name} was saved.`)).toBeVisible();
    const fact = facts.getByRole('definition').filter({ has: page.getByRole('button', { name: 'Remove' }) });
    await fact.getByRole('button', { name: 'Show' }).click();
    await expect(fact).toContainText('BEGIN PRIVATE KEY');
    await check(page, 'database-client-certificate', info);
    await fact.getByRole('button', { name: 'Remove' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click();
    await expect(page.getByText('Client certificate removed.')).toBeVisible();
    await expect(fact).toHaveCount(0);
  } finally {
    await postgres.stop();
  }
});
