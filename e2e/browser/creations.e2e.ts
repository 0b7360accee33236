// A product is created section by section: one operator begins with the mouse, another one goes on with the keyboard.
// covers: WIZ-01, DOCK-01, CLOUD-02, CLOUD-03
import type { Page } from '@playwright/test';
import { startDigitalOcean, type DigitalOceanPeer } from '../../testing/digitalocean';
import { startGitHub, type GitHubPeer } from '../../testing/github';
import { testAuthority } from '../../testing/test-authority';
import { call } from './domains-house';
import { check } from './every-look';
import { expect, test as base } from './house';
import { addServer } from './servers-page';

const TOKEN = 'ghp_of-ada';
const BO_TOKEN = 'ghp_of-bo';
const PASSWORD = 'canary-of-the-database';

const test = base.extend<object, { github: GitHubPeer; cloud: DigitalOceanPeer }>({
  github: [
    // oxlint-disable-next-line no-empty-pattern -- Playwright reads the fixtures from the pattern
    async ({}, use) => {
      const github = await startGitHub();
      await use(github);
      await github.stop();
    },
    { scope: 'worker' },
  ],
  cloud: [
    // oxlint-disable-next-line no-empty-pattern -- Playwright reads the fixtures from the pattern
    async ({}, use) => {
      const cloud = await startDigitalOcean();
      cloud.account.looks = 0;
      cloud.account.authority = (await testAuthority()).root;
      await use(cloud);
      await cloud.stop();
    },
    { scope: 'worker' },
  ],
  env: [({ github, cloud }, use) => use({ GITHUB_API_URL: github.url, ...cloud.env }), { scope: 'worker' }],
});

test.describe.configure({ mode: 'serial' });

const storeToken = async (page: Page, token: string): Promise<void> => {
  await page.goto('/app/profile/settings?mode=gh-token');
  await page.getByPlaceholder('Add Value here').fill(token);
  await page.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByText('*******')).toBeVisible();
};

const section = (page: Page, name: string) => page.getByRole('region', { name, exact: true });
const isDone = (page: Page, name: string) =>
  expect(section(page, name).getByText('done', { exact: true })).toBeVisible();
/** Fills a field by its label, and leaves it with the keyboard. */
const type = async (page: Page, label: string, text: string): Promise<void> => {
  await page.getByRole('textbox', { name: label, exact: true }).focus();
  await page.keyboard.press('ControlOrMeta+a');
  await page.keyboard.type(text);
  await page.keyboard.press('Tab');
};

test('a product is created by two operators, who see the progress of each other', async ({
  house,
  person,
  github,
}, info) => {
  for (const [token, login] of [
    [TOKEN, 'ada'],
    [BO_TOKEN, 'bo'],
  ] as const)
    github.tokens.set(token, { login, scopes: ['repo', 'workflow', 'read:packages', 'delete_repo'] });
  github.organizations.set('acme', { members: ['ada', 'bo'] });
  const files = { 'package.json': '{\n  "name": "template"\n}\n', 'README.md': '# Template\n' };
  github.add('acme', 'server-template', files, { template: true, branch: 'master' });
  const [{ page: ada }, { page: bo }] = [
    await person('creations-ada@example.com'),
    await person('creations-bo@example.com'),
  ];
  await storeToken(ada, TOKEN);
  await storeToken(bo, BO_TOKEN);
  await ada.goto('/app/profile/settings?section=repositories&mode=repositories');
  await ada.getByRole('textbox', { name: 'Organization' }).fill('acme');
  await ada.getByRole('textbox', { name: 'Template for servers' }).fill('acme/server-template');
  await ada.getByRole('button', { name: 'Save' }).click();
  await expect(ada.getByText('acme/server-template')).toBeVisible();
  await addServer(ada, house.sshd, { alias: 'wizard-1' });

  // The first operator, with the mouse.
  await ada.goto('/app/create');
  await expect(ada.getByRole('heading', { level: 1, name: 'Create', exact: true })).toBeVisible();
  await expect(ada.getByRole('list', { name: 'Sections' }).getByRole('listitem')).toHaveText(
    ['Product', 'Database', 'Github repo', 'Server', 'Service', 'Domain', 'Deploy'].map(
      (one) => new RegExp(one),
    ),
  );
  await expect(section(ada, 'Database')).toHaveCount(0);
  await ada.getByRole('textbox', { name: 'Name', exact: true }).fill('Bookshop');
  await ada.getByRole('button', { name: 'Preview' }).click();
  await expect(ada.getByText('This will create product Bookshop, version 1')).toBeVisible();
  await check(ada, 'create', info);
  await ada.getByRole('button', { name: 'Start Product' }).click();
  await isDone(ada, 'Product');
  await expect(ada).toHaveURL(/\/app\/create\/[\w-]{36}$/);

  // The second one finds it on Home, and sees what the first one does.
  await bo.goto('/app');
  await bo.getByRole('link', { name: 'Bookshop', exact: true }).click();
  await isDone(bo, 'Product');
  await ada.getByRole('textbox', { name: 'Host' }).fill('db.example.org');
  await ada.getByRole('textbox', { name: 'Name', exact: true }).fill('bookshop');
  await ada.getByRole('textbox', { name: 'Username' }).fill('shop');
  await ada.getByRole('textbox', { name: 'Password' }).fill(PASSWORD);
  await ada.getByRole('button', { name: 'Start Database' }).click();
  await isDone(bo, 'Database');
  await expect(section(bo, 'Database')).toContainText('creations-ada@example.com');

  // She goes on with the keyboard.
  await type(bo, 'Repository', 'bookshop');
  await bo.getByRole('textbox', { name: 'Repository', exact: true }).focus();
  await bo.keyboard.press('Enter');
  await isDone(bo, 'Github repo');
  expect(github.repository('acme', 'bookshop')).toBeDefined();
  await check(bo, 'create-carried-on', info);
  await bo.getByRole('combobox', { name: 'Server' }).selectOption({ label: `wizard-1 (${house.sshd.host})` });
  await bo.getByRole('button', { name: 'Start Server' }).press('Enter');
  await isDone(bo, 'Server');
  await type(bo, 'Name', 'bookshop-api');
  await bo.getByRole('textbox', { name: 'Name', exact: true }).press('Enter');
  await isDone(bo, 'Service');

  // A name that points elsewhere fails, and another one is entered.
  await type(bo, 'Domain', 'bookshop.invalid');
  await bo.getByRole('textbox', { name: 'Domain', exact: true }).press('Enter');
  await expect(
    section(ada, 'Domain').getByText(/bookshop\.invalid .*the server wizard-1 is at/),
  ).toBeVisible();
  await check(ada, 'create-failed', info);
  await type(bo, 'Domain', 'bookshop.localhost');
  await bo.getByRole('textbox', { name: 'Domain', exact: true }).press('Enter');
  await isDone(ada, 'Domain');
  await expect(section(ada, 'Deploy')).toBeVisible();

  // What was done last is undone.
  await ada.getByRole('button', { name: 'Undo Domain' }).click();
  await expect(ada.getByRole('dialog')).toContainText('This removes domain bookshop.localhost');
  await ada.getByRole('dialog').getByRole('button', { name: 'Undo Domain' }).click();
  await expect(section(bo, 'Domain').getByText('not done')).toBeVisible();
  await expect(section(bo, 'Deploy')).toHaveCount(0);
  expect(github.undescribed).toEqual([]);
});

test('the birth of a product is replayed: each past state is shown, and nothing can be changed there', async ({
  person,
}, info) => {
  const { page } = await person('creations-ada@example.com');
  await page.goto('/app/create');
  await page.getByRole('link', { name: 'Bookshop', exact: true }).click();
  await expect(page).toHaveURL(/\/app\/create\/[\w-]{36}$/);
  const there = new URL(page.url()).pathname;
  const id = there.split('/').at(-1) ?? '';

  // How it was made: each event of the creation.
  await page.getByRole('link', { name: 'How it was made' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'History' })).toBeVisible();
  const history = page.getByRole('list', { name: 'History' });
  await expect(history).toContainText('undid the section Domain');
  await expect(history).toContainText('completed the section Domain');

  const asked = await page.request.post('/api/history/list', {
    data: { subject: { category: 'creation', id } },
    headers: { 'x-requested-with': 'quarterdeck' },
  });
  const { events } = (await asked.json()) as { events: { type: string; position: string }[] };
  const [began, productDone] = ['CreationStarted', 'CreationSectionDone'].map(
    (type) => events.findLast((one) => one.type === type)?.position ?? '',
  );

  // Its first instant, and then the one in which its first section was done.
  await page.goto(`${there}?at=${began}`);
  await expect(page.getByText('The console as it was on')).toBeVisible();
  await expect(section(page, 'Product').getByText('not done')).toBeVisible();
  await expect(page.locator('[inert] button', { hasText: 'Start Product' })).toBeVisible();
  await expect(section(page, 'Database')).toHaveCount(0);
  await page.goto(`${there}?at=${productDone}`);
  await isDone(page, 'Product');
  await expect(section(page, 'Database').getByText('not done')).toBeVisible();
  await expect(section(page, 'Github repo')).toHaveCount(0);
  await expect(page.locator('[inert] button', { hasText: 'Abandon' })).toBeVisible();
  await check(page, 'create-replayed', info);

  // On by keyboard, one event at a time.
  const later = page.getByRole('region', { name: 'Instant' }).getByRole('button', { name: 'Later' });
  for (let events = 0; events < 60 && (await section(page, 'Github repo').count()) === 0; events += 1) {
    const before = page.url();
    await expect(later).toBeEnabled();
    await later.press('Enter');
    await expect(page).not.toHaveURL(before);
    await expect(section(page, 'Product')).toBeVisible();
  }
  await isDone(page, 'Database');
  await expect(section(page, 'Domain')).toHaveCount(0);
  await page.getByRole('button', { name: 'Back to now' }).press('Enter');
  await expect(section(page, 'Domain').getByText('not done')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Abandon' })).toBeEnabled();
});

test('the link of a state pre-fills a new creation, without a secret, and an invalid one is ignored', async ({
  person,
}) => {
  const { page } = await person('creations-ada@example.com');
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  await page.goto('/app/create');
  await page.getByRole('link', { name: 'Bookshop', exact: true }).click();
  await page.getByRole('button', { name: 'Copy state to clipboard' }).click();
  await expect(page.getByText('copied', { exact: true })).toBeVisible();
  const link = await page.evaluate(() => navigator.clipboard.readText());
  expect(link).toMatch(/\/app\/create\?q=[\w-]+$/);
  const state = Buffer.from(new URL(link).searchParams.get('q') ?? '', 'base64url').toString();
  expect(JSON.parse(state)).toMatchObject({ name: 'Bookshop', database: { name: 'bookshop', port: 3306 } });
  expect(state).not.toContain(PASSWORD);

  const other = Buffer.from(JSON.stringify({ name: 'Library', database: {}, token: 'x' })).toString('base64');
  await page.goto(`/app/create?q=${encodeURIComponent(other)}`);
  await expect(page.getByRole('textbox', { name: 'Name', exact: true })).toHaveValue('Library');
  await page.goto('/app/create?q=%00nonsense');
  await expect(page.getByRole('textbox', { name: 'Name', exact: true })).toHaveValue('');
});

test('Back and a reload in the middle of a section lose nothing without asking, and start nothing twice', async ({
  person,
}) => {
  const { page } = await person('creations-ada@example.com');
  await page.getByRole('link', { name: 'Bookshop', exact: true }).click();
  const there = page.url();
  const domain = section(page, 'Domain').getByRole('textbox', { name: 'Domain', exact: true });
  // What was entered before it was undone.
  await expect(domain).toHaveValue('bookshop.localhost');
  await domain.fill('other.localhost');
  await page.evaluate(() => setTimeout(() => history.back()));
  await page.getByRole('dialog').getByRole('button', { name: 'Stay' }).click();
  await expect(domain).toHaveValue('other.localhost');
  await expect(page).toHaveURL(there);

  page.once('dialog', (asked) => void asked.accept());
  await page.reload();
  await expect(domain).toHaveValue('bookshop.localhost');
  for (const name of ['Product', 'Database', 'Github repo', 'Server', 'Service']) {
    await isDone(page, name);
    await expect(section(page, name).locator('input, select, textarea')).toHaveCount(0);
  }
  await expect(section(page, 'Deploy')).toHaveCount(0);

  // While its run is in progress.
  await domain.press('Enter');
  await expect(section(page, 'Domain').getByText(/^(in progress|done)$/)).toBeVisible();
  await page.reload();
  await isDone(page, 'Domain');
  await expect(section(page, 'Deploy')).toBeVisible();
  await page.goBack();
  await expect(page.getByRole('link', { name: 'Bookshop', exact: true })).toBeVisible();
  await page.goForward();
  await expect(section(page, 'Deploy')).toBeVisible();
  const { sections } = await call<{ sections: { section: string; attempt: number }[] }>(
    page,
    'creation/detail',
    { id: there.split('/').at(-1) },
  );
  // The first test entered a wrong name, and undid what it did with the right one.
  expect(sections.map(({ attempt }) => attempt)).toEqual([1, 1, 1, 1, 1, 3, 0]);
});

test('a container is chosen from those of the source host, and refused without a package', async ({
  person,
  github,
}, info) => {
  const { page } = await person('creations-ada@example.com');
  await page.goto('/app/createDocker');
  await expect(page).toHaveURL(/\/app\/create-docker$/);
  await page.getByRole('textbox', { name: 'Repository' }).fill('https://github.com/acme/bookshop');
  await page.getByRole('combobox', { name: 'Product' }).selectOption({ label: 'Bookshop' });
  await page.getByRole('combobox', { name: 'Server' }).selectOption({ index: 1 });
  await page.getByRole('textbox', { name: 'Repository' }).press('Enter');
  await expect(page.getByText(/No versions were found, are you sure a package was published/)).toBeVisible();
  await check(page, 'create-docker', info);
  expect(github.undescribed).toEqual([]);
});

test('a cloud database and a droplet are created, and another operator undoes what failed', async ({
  person,
  github,
  cloud,
}, info) => {
  const [{ page: ada }, { page: bo }] = [
    await person('creations-ada@example.com'),
    await person('creations-bo@example.com'),
  ];
  await ada.goto('/app/do');
  await ada.getByRole('textbox', { name: 'Personal token' }).fill(cloud.token);
  await ada.getByRole('button', { name: 'Use this token' }).click();
  await expect(ada.getByRole('region', { name: 'Account' }).first()).toContainText('Example team');

  await ada.goto('/app/create');
  await ada.getByRole('textbox', { name: 'Name', exact: true }).fill('Library');
  await ada.getByRole('button', { name: 'Start Product' }).click();
  await isDone(ada, 'Product');
  await ada.getByRole('combobox', { name: 'Use' }).selectOption({ label: 'A new cloud database' });
  await ada.getByRole('textbox', { name: 'Name of the cloud database' }).fill('library-db');
  await ada.getByRole('button', { name: 'Preview' }).click();
  await expect(
    ada.getByText(/This will create cloud database library-db \(mysql, db-s-1vcpu-1gb, fra1\)/),
  ).toBeVisible();
  await check(ada, 'create-cloud-database', info);
  await ada.getByRole('button', { name: 'Start Database' }).click();
  await isDone(ada, 'Database');
  expect([...cloud.account.clusters.values()].map(({ name }) => name)).toEqual(['library-db']);

  // The other operator goes on, with the keyboard.
  await bo.goto('/app');
  await bo.getByRole('link', { name: 'Library', exact: true }).press('Enter');
  await type(bo, 'Repository', 'library');
  await bo.getByRole('textbox', { name: 'Repository', exact: true }).press('Enter');
  await isDone(bo, 'Github repo');
  const use = bo.getByRole('combobox', { name: 'Use' });
  await use.focus();
  await bo.keyboard.type('A new d');
  await expect(use).toHaveValue('create');
  await type(bo, 'Name of the droplet', 'library-1');
  await bo.getByRole('button', { name: 'Preview' }).press('Enter');
  await expect(bo.getByText(/debian-12-x64, 6 USD a month/)).toBeVisible();
  await check(bo, 'create-droplet', info);
  cloud.account.errored.add('create');
  await bo.getByRole('button', { name: 'Start Server' }).press('Enter');

  // Whoever opens the page is led to what failed.
  const needs = ada.getByRole('alert', { name: 'Server needs you' });
  await expect(needs).toContainText('It failed halfway');
  cloud.account.errored.delete('create');
  await check(ada, 'create-needs-operator', info);
  await needs.getByRole('button', { name: 'Go to Server' }).click();
  await expect(section(ada, 'Server')).toBeFocused();
  await expect(section(ada, 'Server')).toBeInViewport();
  await ada.getByRole('button', { name: 'Undo Server' }).click();
  const dialog = ada.getByRole('dialog');
  await expect(dialog).toContainText('This removes droplet library-1');
  await dialog.getByRole('textbox').fill('library-1');
  await dialog.getByRole('button', { name: 'Undo Server' }).click();
  await expect(section(bo, 'Server').getByText('not done')).toBeVisible();
  await expect(needs).toHaveCount(0);
  expect([cloud.account.droplets.size, cloud.account.keys.size]).toEqual([0, 0]);
  expect([cloud.undescribed, github.undescribed]).toEqual([[], []]);
});
