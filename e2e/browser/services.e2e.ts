// A service is created from templates at the source-code host; one step fails once, and the creation goes on.
// covers: SVC-01, SVC-02
import { startGitHub, type GitHubPeer } from '../peers/github';
import { check } from './every-look';
import { expect, test as base } from './house';
import { addServer } from './servers-page';

const test = base.extend<object, { github: GitHubPeer }>({
  github: [
    // oxlint-disable-next-line no-empty-pattern -- Playwright reads the fixtures from the pattern
    async ({}, use) => {
      const github = await startGitHub();
      await use(github);
      await github.stop();
    },
    { scope: 'worker' },
  ],
  env: [({ github }, use) => use({ GITHUB_API_URL: github.url }), { scope: 'worker' }],
});

const TOKEN = 'ghp_of-ada';

test('a service is created from templates, released, and its workflow is started', async ({
  house,
  person,
  github,
}, info) => {
  github.tokens.set(TOKEN, { login: 'ada', scopes: ['repo', 'workflow', 'read:packages'] });
  github.organizations.set('acme', { members: ['ada'] });
  const files = {
    'package.json': '{\n  "name": "template"\n}\n',
    'README.md': '# Template\n',
    '.github/workflows/ci.yml': 'name: CI\non: [push, workflow_dispatch]\n',
  };
  github.add('acme', 'server-template', files, { template: true, branch: 'master' });
  const { page } = await person('services-ada@example.com');
  await page.goto('/app/profile/settings?mode=gh-token');
  await page.getByPlaceholder('Add Value here').fill(TOKEN);
  await page.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByText('*******')).toBeVisible();

  await page.goto('/app/profile/settings?section=repositories&mode=repositories');
  await page.getByRole('textbox', { name: 'Organization' }).fill('acme');
  await page.getByRole('textbox', { name: 'Template for servers' }).fill('acme/server-template');
  await page.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByText('acme/server-template')).toBeVisible();
  await check(page, 'settings-repositories', info);

  await addServer(page, house.sshd, { alias: 'harbour-1' });
  await page.goto('/app/product/add');
  await page.getByRole('textbox', { name: 'Name', exact: true }).fill('Shop');
  await page.getByRole('button', { name: /^Save/ }).click();
  await page.getByRole('tab', { name: 'Services' }).click();
  await page.getByRole('link', { name: 'Add new' }).first().click();
  await page.getByText('Server from template').click();
  await page.getByRole('textbox', { name: 'Name', exact: true }).fill('Checkout');
  await page.getByRole('textbox', { name: 'Repository', exact: true }).fill('checkout');
  await page.getByRole('combobox', { name: 'Server' }).selectOption({ label: 'harbour-1' });
  await page.getByRole('combobox', { name: 'Package' }).selectOption('container');
  await check(page, 'service-add', info);

  github.feel({ is: 'failing', status: 503 }, /PATCH .*\/git\/refs/, 1);
  await page.getByRole('button', { name: 'Create service' }).click();
  const creation = page.getByRole('region', { name: 'Creation' });
  await expect(creation.getByText(/failed with status 503.*What exists already/)).toBeVisible();
  await check(page, 'service-creation', info);
  await creation.getByRole('button', { name: 'Go on' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Retry' }).click();
  await expect(creation.getByText('Initialize, attempt 2')).toBeVisible();
  await expect(creation.getByRole('button', { name: 'Go on' })).toHaveCount(0);
  await expect(creation.getByText(/variables/)).toBeVisible();

  await page.getByRole('tab', { name: 'Published' }).click();
  await expect(page.getByText(/No versions were found, are you sure/)).toBeVisible();
  await page.getByRole('button', { name: 'New release' }).click();
  await expect(page.getByRole('link', { name: 'v1.0.0' })).toBeVisible();
  await check(page, 'service-published', info);

  await page.getByRole('tab', { name: 'Workflows' }).click();
  await page.getByRole('button', { name: 'Start CI' }).click();
  await expect(page.getByRole('link', { name: 'queued' })).toBeVisible();
  await check(page, 'service-workflows', info);
  expect(github.undescribed).toEqual([]);

  const before = github.calls.length;
  await page.getByRole('link', { name: 'Services' }).click();
  await page.getByRole('link', { name: 'Add new' }).first().click();
  await page.getByText('Only add it').click();
  await page.getByRole('textbox', { name: 'Name', exact: true }).fill('Ledger');
  await page.getByRole('textbox', { name: 'Repository', exact: true }).fill('ledger');
  await page.getByRole('combobox', { name: 'Server' }).selectOption({ label: 'harbour-1' });
  await page.getByRole('combobox', { name: 'Package' }).selectOption('container');
  await page.getByRole('button', { name: 'Add service' }).click();
  await expect(page.getByRole('heading', { level: 2, name: 'Ledger' })).toBeVisible();
  expect(github.calls.length).toBe(before);
});
