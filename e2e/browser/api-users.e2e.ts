// Users of a generated API sign up, and an operator locks one and deletes the instance with all of them. covers: API-04
import { Client } from 'pg';
import { startTestPostgres } from '../../testing/postgres';
import { databaseAt } from '../data-model/database-at';
import { check } from './every-look';
import { expect, test } from './house';

// The database of the product runs on this machine.
test.use({ env: { OUTBOUND_ALLOW: '127.0.0.0/8' } });

test('users who signed up are found, locked, and deleted with their instance', async ({ person }, info) => {
  test.slow();
  const postgres = await startTestPostgres();
  try {
    const { page } = await person('users@example.com');
    const ask = async <T>(path: string, data: object): Promise<T> => {
      const answer = await page.request.post(`/api/${path}`, {
        headers: { 'x-requested-with': 'quarterdeck' },
        data,
      });
      expect(answer.status(), path).toBe(200);
      return (await answer.json()) as T;
    };
    const product = await ask<{ id: string }>('product/insert', {
      data: { name: 'Shop with users', description: '' },
    });
    const { server: _none, ...database } = databaseAt(postgres.url);
    await ask('database/insert', { data: { ...database, encryption: 'none' }, product: { id: product.id } });
    const { uuid } = await ask<{ uuid: string }>('product/backend/init', {
      productId: product.id,
      email: 'grace@example.org',
      github: 'grace',
      firstName: 'Grace',
      lastName: 'Hopper',
      instance: 'shop',
      title: 'Shop API',
    });
    await page.goto(`/app/product/${product.id}/detail`);
    await page.getByRole('tab', { name: 'User management' }).click();
    await page.getByRole('link', { name: 'shop', exact: true }).click();
    await page.getByRole('tab', { name: 'Users', exact: true }).click();
    await expect(page.getByText('No users yet')).toBeVisible();
    await check(page, 'api-users-none', info);

    const { value: token } = await ask<{ value: string }>('product/backend/instance/reveal', {
      id: uuid,
      field: 'token',
    });
    for (const name of ['ada', 'bob']) {
      const made = await page.request.post(`/api/instance/${uuid}/auth/sign-up`, {
        headers: { authorization: `Bearer ${token}` },
        data: { email: `${name}@example.org`, password: 'correct horse battery' },
      });
      expect(made.status()).toBe(201);
    }
    await page.reload();
    const table = page.getByRole('table', { name: 'Users' });
    await expect(table.getByRole('row')).toHaveCount(3);
    await page.getByRole('searchbox', { name: 'Search users' }).fill('bob');
    await expect(table.getByRole('row')).toHaveCount(2);
    await page.getByRole('button', { name: 'Actions for bob@example.org' }).click();
    await page.getByRole('menuitem', { name: 'Lock…' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Lock user' }).click();
    await expect(table.getByRole('row', { name: /bob@example\.org/ })).toContainText('locked');
    await check(page, 'api-users', info);

    await page.getByRole('button', { name: 'Actions', exact: true }).click();
    await page.getByRole('menuitem', { name: 'Delete API instance' }).click();
    const question = page.getByRole('dialog', { name: 'Delete shop?' });
    await expect(question).toContainText('This will delete all associated users irreversibly!');
    await question.getByRole('textbox').fill('shop');
    await question.getByRole('button', { name: 'Delete API instance' }).click();
    await expect(page.getByText('No instances yet')).toBeVisible();
    const shop = new Client({ connectionString: postgres.url });
    await shop.connect();
    const { rows } = await shop.query('select id from quarterdeck_users');
    await shop.end();
    expect(rows).toEqual([]);
  } finally {
    await postgres.stop();
  }
});
