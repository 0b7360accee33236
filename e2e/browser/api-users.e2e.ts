// From an empty product to a working API with a signed-in user, in under 20 clicks; then what operators do with users.
// covers: API-01, API-02, API-03, API-04
import type { Locator } from '@playwright/test';
import { Client } from 'pg';
import { startTestPostgres } from '../../testing/postgres';
import { databaseAt } from '../data-model/database-at';
import { check } from './every-look';
import { expect, test } from './house';

// The database of the product runs on this machine.
test.use({ env: { OUTBOUND_ALLOW: '127.0.0.0/8' } });

const ACCOUNT = { email: 'ada@example.org', password: 'correct horse battery' };

test('an empty product gets an API in under 20 clicks, whose users are managed until it is deleted', async ({
  person,
}, info) => {
  test.slow();
  const postgres = await startTestPostgres();
  const shop = new Client({ connectionString: postgres.url });
  await shop.connect();
  try {
    await shop.query('create table customer (id bigserial primary key, name varchar(255) not null)');
    await shop.query(`insert into customer (name) values ('Ada'), ('Bob')`);
    const { page } = await person('users@example.com');
    const made = await page.request.post('/api/product/insert', {
      headers: { 'x-requested-with': 'quarterdeck' },
      data: { data: { name: 'Shop with users', description: '' } },
    });
    const product = ((await made.json()) as { id: string }).id;
    await page.goto(`/app/product/${product}/detail`);

    let clicks = 0;
    const click = async (what: Locator): Promise<void> => {
      clicks += 1;
      await what.click();
    };
    const text = (name: string) => page.getByRole('textbox', { name, exact: true });
    /** One click into the form. The Tab key leads to the other fields. */
    const fill = async (values: Record<string, string>): Promise<void> => {
      await click(text(Object.keys(values)[0] ?? ''));
      for (const [name, value] of Object.entries(values)) await text(name).fill(value);
    };
    const tab = (name: string) => page.getByRole('tab', { name, exact: true });
    const button = (name: string | RegExp) => page.getByRole('button', { name });
    const link = (name: string) => page.getByRole('link', { name, exact: true });

    await click(tab('Databases'));
    await click(link('Add new').first());
    const { name, host, port, username, password } = databaseAt(postgres.url);
    await fill({ Name: name, Host: host, Port: String(port), Username: username });
    await page.getByLabel('Password', { exact: true }).fill(password);
    await page.getByRole('combobox', { name: 'Environment' }).selectOption('dev');
    await page.getByRole('combobox', { name: 'Type' }).selectOption('PostgreSQL');
    await page.getByRole('combobox', { name: 'Encryption' }).selectOption('none');
    await click(button(/^Save(?! and)/));
    await expect(page.getByRole('heading', { level: 2, name })).toBeVisible();

    await click(tab('Data model'));
    await click(link('Import'));
    const from = page.getByRole('combobox', { name: 'From' });
    await click(from);
    clicks += 1;
    await from.selectOption(`Database ${name}`);
    await click(button('Preview'));
    await click(button('Import 1 entity'));
    await expect(page.getByText('1 entity with 2 attributes added.')).toBeVisible();

    await click(tab('User management'));
    await click(link('Add instance'));
    await fill({
      Instance: 'shop',
      Title: 'Shop API',
      GitHub: 'grace',
      'First name': 'Grace',
      'Last name': 'Hopper',
      'E-mail': 'grace@example.org',
    });
    await click(button('Save instance'));
    await click(button('Add five endpoints'));
    await expect(page.getByRole('table', { name: 'All endpoints' }).getByRole('row')).toHaveCount(6);
    const [, instance = ''] = /\/([\da-f-]{36})\/detail\/endpoints/.exec(page.url()) ?? [];

    await click(tab('Overview').last());
    const revealed = page.waitForResponse(/backend\/instance\/reveal$/);
    await click(page.getByRole('button', { name: 'Show', exact: true }));
    const { value: token } = (await (await revealed).json()) as { value: string };
    // The application signs a user up, who then calls an endpoint.
    const api = `/api/instance/${instance}`;
    const signUp = await page.request.post(`${api}/auth/sign-up`, {
      headers: { authorization: `Bearer ${token}` },
      data: ACCOUNT,
    });
    expect(signUp.status()).toBe(201);
    const session = (await signUp.json()) as { token: string };
    const answer = await page.request.get(`${api}/customer`, {
      headers: { authorization: `Bearer ${session.token}` },
    });
    expect([answer.status(), await answer.json()]).toEqual([
      200,
      [
        { id: '1', name: 'Ada' },
        { id: '2', name: 'Bob' },
      ],
    ]);
    await click(tab('Users'));
    const table = page.getByRole('table', { name: 'Users' });
    await expect(table.getByRole('row', { name: /ada@example\.org/ })).toContainText('app');
    expect(clicks).toBeLessThan(20);

    const other = await page.request.post(`${api}/auth/sign-up`, {
      headers: { authorization: `Bearer ${token}` },
      data: { ...ACCOUNT, email: 'bob@example.org' },
    });
    expect(other.status()).toBe(201);
    await page.reload();
    await expect(table.getByRole('row')).toHaveCount(3);
    await check(page, 'api-users', info);
    for (const [name, what] of [
      ['Servers', 'api-servers'],
      ['Sign-in services', 'api-services'],
      ['Changes', 'api-changes'],
      ['Traffic', 'api-traffic'],
    ] as const) {
      await tab(name).click();
      await expect(tab(name)).toHaveAttribute('aria-selected', 'true');
      await check(page, what, info);
    }
    await tab('Sign-in services').click();
    await link('Add new').first().click();
    await expect(text('Client ID')).toBeVisible();
    await check(page, 'api-service-add', info);

    await tab('Endpoints').click();
    await page
      .getByRole('row', { name: /^GET \/customer app/ })
      .getByRole('link')
      .click();
    await tab('Try it').click();
    await button('Send request').click();
    await expect(page.getByRole('heading', { name: /^Answer: 200 in / })).toBeVisible();
    await check(page, 'api-try', info);
    await page.getByRole('link', { name: 'shop', exact: true }).click();

    await tab('Users').click();
    await page.getByRole('searchbox', { name: 'Search users' }).fill('bob');
    await expect(table.getByRole('row')).toHaveCount(2);
    await button('Actions for bob@example.org').click();
    await page.getByRole('menuitem', { name: 'Lock…' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Lock user' }).click();
    await expect(table.getByRole('row', { name: /bob@example\.org/ })).toContainText('locked');

    const bob = table.getByRole('row', { name: /bob@example\.org/ });
    const act = async (item: string, confirm?: string, typed?: string): Promise<void> => {
      await button('Actions for bob@example.org').click();
      await page.getByRole('menuitem', { name: item }).click();
      const dialog = page.getByRole('dialog');
      if (typed !== undefined) await dialog.getByRole('textbox').fill(typed);
      if (confirm !== undefined) await dialog.getByRole('button', { name: confirm }).click();
    };
    const signIn = () =>
      page.request.post(`${api}/auth/sign-in`, { data: { ...ACCOUNT, email: 'bob@example.org' } });
    expect((await signIn()).status()).toBe(403);
    await act('Unlock');
    await expect(bob).toContainText('active');
    const { token: bobs } = (await (await signIn()).json()) as { token: string };
    const asBob = () => page.request.get(`${api}/auth/me`, { headers: { authorization: `Bearer ${bobs}` } });
    expect(((await (await asBob()).json()) as { permission: string }).permission).toBe('app');
    await act('Give the permission admin…', 'Give admin');
    await expect(bob).toContainText('admin');
    expect(((await (await asBob()).json()) as { permission: string }).permission).toBe('admin');
    // The list was read before the session began.
    await page.reload();
    await act('Sign out everywhere…', 'Sign out everywhere');
    await expect(page.getByText('bob@example.org was signed out everywhere.')).toBeVisible();
    expect((await asBob()).status()).toBe(401);
    await act('Delete…', 'Delete user', 'bob@example.org');
    await expect(page.getByText('No rows found')).toBeVisible();
    expect((await signIn()).status()).toBe(401);
    const users = async () => (await shop.query('select email from quarterdeck_users')).rows;
    expect(await users()).toEqual([{ email: 'ada@example.org' }]);

    await tab('Overview').last().click();
    await button('Actions').last().click();
    await page.getByRole('menuitem', { name: 'Delete API instance' }).click();
    const deletion = page.getByRole('dialog', { name: 'Delete shop?' });
    await expect(deletion).toContainText(
      'Are you sure you would like to delete the user management. This will delete all associated users irreversibly!',
    );
    await check(page, 'api-instance-delete', info);
    await deletion.getByRole('textbox').fill('shop');
    await deletion.getByRole('button', { name: 'Delete API instance' }).click();
    await expect(page.getByText('shop was deleted.')).toBeVisible();
    await expect(page.getByText('No instances yet')).toBeVisible();
    expect(await users()).toEqual([]);
    expect((await shop.query('select name from customer order by id')).rows).toEqual([
      { name: 'Ada' },
      { name: 'Bob' },
    ]);
    expect((await page.request.get(`${api}/customer`)).status()).toBe(404);
  } finally {
    await shop.end();
    await postgres.stop();
  }
});
