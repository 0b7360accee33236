// Operator tasks starting on the first page, once with the mouse alone and once by keyboard alone. covers: SHELL-10
import type { Page } from '@playwright/test';
import { v7 as uuidv7 } from 'uuid';
import { call, registerServer } from './domains-house';
import { heading, manners, walkAll, type Task } from './hands';
import { expect, test } from './house';

interface Ground {
  /** Part of the server's and the script's names. */
  of: string;
}

const tasks: Task<Ground>[] = [
  {
    name: 'see how much memory a server has left',
    atMost: 4,
    walk: async ({ page, hand, of }) => {
      await hand.go('Server');
      await hand.press('link', `${of}-up`);
      await hand.press('tab', 'Commands');
      await hand.press('button', /^Memory usage/);
      await expect(page.getByText(/exit code 0/)).toBeVisible();
    },
  },
  {
    name: 'find out why a run failed',
    atMost: 2,
    walk: async ({ page, hand, of }) => {
      await hand.go('Home');
      await hand.press(
        'link',
        new RegExp(`Which release.*failed|failed.*Which release|Which release on ${of}`),
      );
      await expect(page.getByText('no release here').first()).toBeVisible();
    },
  },
  {
    name: 'see who changed a server',
    atMost: 3,
    walk: async ({ page, hand, of }) => {
      await hand.go('Server');
      await hand.press('link', `${of}-up`);
      await hand.press('tab', 'History');
      await expect(page.getByRole('button', { name: `renamed the server to ${of}-up` })).toBeVisible();
      await expect(page.getByText('ada@example.com').first()).toBeVisible();
    },
  },
  {
    name: 'undo that change',
    atMost: 6,
    walk: async ({ page, hand, of }) => {
      await hand.go('Server');
      await hand.press('link', `${of}-up`);
      await hand.press('tab', 'History');
      await hand.press('button', `renamed the server to ${of}-up`);
      await hand.press('button', 'Undo…');
      await hand.press('button', 'Restore');
      await heading(page, `${of}-before`);
    },
  },
  {
    name: 'find the failed runs',
    atMost: 4,
    walk: async ({ page, hand }) => {
      await hand.go('Runs');
      await hand.press('button', 'Filter');
      await hand.press('combobox', 'State');
      await hand.press('option', 'Failed');
      await expect(page).toHaveURL(/state=failed/);
      await expect(page.getByRole('row', { name: /Which release/ }).first()).toBeVisible();
    },
  },
  {
    name: 'run a script on all servers',
    atMost: 5,
    walk: async ({ page, hand, of }) => {
      await hand.go('Script');
      await hand.press('link', `Run Which release on ${of} on servers`);
      await hand.press('checkbox', /^Select all/);
      await hand.press('button', /^Run Which release/);
      await hand.press('button', /^Run on /);
      await expect(page.getByText(/\d of \d done, \d did not succeed/)).toBeVisible();
    },
  },
  {
    name: 'run it again where it failed',
    atMost: 3,
    walk: async ({ page, hand, of }) => {
      await hand.go('Runs');
      await hand.press('link', `Which release on ${of}`);
      await hand.press('button', /^Run again on the/);
      await expect(page.getByRole('link', { name: 'Re-run of failures' })).toBeVisible();
    },
  },
  {
    name: 'invite somebody',
    atMost: 4,
    walk: async ({ page, hand }) => {
      await hand.go('Members');
      await hand.press('link', 'Invite');
      await hand.press('button', 'Invite');
      await expect(page.getByText(/\/invite#/)).toBeVisible();
    },
  },
  {
    name: 'find when a certificate expires',
    atMost: 2,
    walk: async ({ page, hand }) => {
      await hand.go('Domain');
      await hand.press('link', 'Calendar');
      await heading(page, 'Expiry calendar');
    },
  },
  {
    name: 'see what changed in a product',
    atMost: 2,
    walk: async ({ page, hand, of }) => {
      await hand.go('Product');
      await hand.press('link', 'History', { linksOf: `Shop ${of}` });
      await expect(
        page.getByRole('button', { name: `added the service web to Shop ${of}` }).first(),
      ).toBeVisible();
      await expect(
        page.getByRole('button', { name: `added the database shop_prod to Shop ${of}` }).first(),
      ).toBeVisible();
    },
  },
  {
    name: 'compare a product at two instants',
    atMost: 4,
    walk: async ({ page, hand, of }) => {
      await hand.go('Product');
      await hand.press('link', `Shop ${of}`);
      await hand.press('tab', 'History');
      await hand.press('button', 'Compare two instants');
      // The last change is that of a variable.
      const changes = page.getByRole('dialog', { name: /^Changes to Shop/ });
      await expect(
        changes.getByRole('heading', { name: 'Changed environment variables of web' }),
      ).toBeVisible();
      await expect(changes.getByText('https://prod.example')).toBeVisible();
    },
  },
  {
    name: 'see which services use a database',
    atMost: 5,
    walk: async ({ page, hand, of }) => {
      await hand.go('Product');
      await hand.press('link', `Shop ${of}`);
      await hand.press('tab', 'Databases');
      await hand.press('link', 'shop_prod');
      await hand.press('tab', 'Used by');
      const users = page.getByRole('table', { name: 'Services that use this database' });
      await expect(users.getByRole('link', { name: 'web' })).toBeVisible();
    },
  },
  {
    name: 'see how the variables of two environments differ',
    atMost: 6,
    walk: async ({ page, hand, of }) => {
      await hand.go('Product');
      await hand.press('link', `Shop ${of}`);
      await hand.press('tab', 'Services');
      await hand.press('link', 'web');
      await hand.press('tab', 'Environment variables');
      await hand.press('link', 'Compare environments');
      await expect(page.getByRole('heading', { name: /^Different/ })).toBeVisible();
      await expect(page.getByText('https://prod.example')).toBeVisible();
    },
  },
];

/** A product with a service that uses a database, and has a variable that differs between dev and prod. */
const makeProduct = async (page: Page, name: string, server: string): Promise<void> => {
  const insert = async (path: string, input: object): Promise<{ id: string }> => {
    const { id } = await call<{ id: string }>(page, `${path}/insert`, input);
    return { id };
  };
  const product = await insert('product', { data: { name, description: '' } });
  const at = { host: '127.0.0.1', port: 5432, username: 'app', password: 'a secret', dbType: 2 };
  const data = { ...at, name: 'shop_prod', env: { id: 3 }, certificate: '', server: null };
  const databaseProd = await insert('database', { data, product });
  const code = { organization: 'acme', repo: 'web', packageType: 'container', withDb: true };
  const fields = { ...code, name: 'web', server: { id: server }, port: 3000, databaseProd };
  const service = await insert('service', { data: fields, product });
  for (const [index, value] of ['https://dev.example', 'https://prod.example'].entries())
    await insert('env-var', {
      data: { key: 'API', value, env: 2 * index + 1, secret: false },
      serviceDeploy: service,
    });
};

for (const by of manners)
  test(`operator tasks can be done with the ${by} alone`, async ({ house, person }, info) => {
    const { page } = await person('ada@example.com');
    page.setDefaultTimeout(30_000);
    const of = by === 'keys' ? 'keyed' : 'clicked';
    const { sshd } = house;
    const up = await registerServer(page, sshd, `${of}-before`);
    const { host, username, folder } = sshd;
    const where = { host, port: sshd.port, username, root: folder, path: folder, nginxPath: folder };
    await call(page, 'server/update', { id: up, data: { alias: `${of}-up`, ...where } });
    const body = 'echo "no release here" >&2\nexit 4\n';
    const script = await call<{ id: string }>(page, 'script/insert', {
      name: `Which release on ${of}`,
      body,
      changes: false,
      timeoutSeconds: 60,
    });
    await call(page, 'fleet/start', { servers: [up], script: script.id, runId: uuidv7() });
    await makeProduct(page, `Shop ${of}`, up);
    await walkAll(tasks, by, { page, info, of });
  });
