// A service is created from templates at the source-code host, although one step fails once. Another service is
// deployed and rolled back. covers: SVC-01, SVC-02, DEP-01
import { startGitHub, type GitHubPeer } from '../peers/github';
import { startNpmRegistry, type NpmRegistry } from '../peers/npm-registry';
import type { ThrowawayHost } from '../peers/throwaway-host';
import { throwawayHostLacks } from '../peers/throwaway-lacks';
import { call, registerServer, startServer } from './domains-house';
import { check } from './every-look';
import { expect, test as base } from './house';
import { addServer } from './servers-page';

interface Ground {
  github: GitHubPeer;
  /** A server with nginx, and an npm registry; undefined on machines where no such server can run. */
  site: { host: ThrowawayHost; registry: NpmRegistry } | undefined;
}

const TOKEN = 'ghp_of-ada';

const test = base.extend<object, Ground>({
  github: [
    // oxlint-disable-next-line no-empty-pattern -- Playwright reads the fixtures from the pattern
    async ({}, use) => {
      const github = await startGitHub();
      await use(github);
      await github.stop();
    },
    { scope: 'worker' },
  ],
  site: [
    // oxlint-disable-next-line no-empty-pattern -- Playwright reads the fixtures from the pattern
    async ({}, use) => {
      if (throwawayHostLacks().length > 0) return use(undefined);
      const host = await startServer(false);
      await use({ host, registry: await startNpmRegistry(host, TOKEN) });
      await host.stop();
    },
    { scope: 'worker', timeout: 600_000 },
  ],
  env: [
    ({ github, site }, use) =>
      use({ GITHUB_API_URL: github.url, ...(site && { NPM_REGISTRY: site.registry.url }) }),
    { scope: 'worker' },
  ],
});

test('a service is created from templates and released, and its workflow is started', async ({
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

if (throwawayHostLacks().length === 0)
  test('a client is deployed and rolled back by one operator while another watches', async ({
    site,
    person,
  }, info) => {
    test.slow();
    if (!site) throw new Error('there is no server');
    for (const version of ['1.0.0', '1.1.0'])
      await site.registry.publish('@acme/shop', version, { 'dist/index.html': `v${version}` });
    const [{ page }, bo] = [
      await person('services-ada@example.com'),
      await person('services-bo@example.com'),
    ];
    await call(page, 'profile/gh-token/update', { value: TOKEN });
    const server = await registerServer(page, site.host, 'harbour-2');
    const product = await call<{ id: string }>(page, 'product/insert', { data: { name: 'Web shop' } });
    const data = {
      ...{ name: 'Storefront', organization: 'acme', repo: 'shop', server: { id: server }, port: 3000 },
      ...{ packageType: 'npm', packageSubfolder: 'dist', withDb: false },
    };
    const service = await call<{ id: string }>(page, 'service/insert', { data, product: { id: product.id } });
    const tab = (name: string) => `/app/product/${product.id}/detail/service/${service.id}/detail/${name}`;
    await bo.page.goto(tab('deploy'));
    await expect(bo.page.getByText('No deploys yet')).toBeVisible();

    const deploy = async (version: string): Promise<void> => {
      await page.goto(tab('version'));
      await page.getByRole('link', { name: 'Add', exact: true }).click();
      await page.getByRole('textbox', { name: 'Version' }).fill(version);
      await page.getByRole('textbox', { name: 'Image or npm package' }).fill(`@acme/shop@${version}`);
      await page.getByRole('button', { name: /^Save/ }).click();
      await page.goto(tab('version'));
      const row = page.getByRole('row', { name: new RegExp(version) });
      await row.getByRole('button', { name: 'Deploy' }).click();
      await page.getByRole('dialog').getByRole('button', { name: 'Deploy' }).click();
      await expect(
        page.getByRole('heading', { level: 1, name: `Deploy ${version}: Storefront` }),
      ).toBeVisible();
      const seen = bo.page.getByRole('row', { name: new RegExp(version) });
      await expect(seen.getByText('serves', { exact: true })).toBeVisible();
    };
    await deploy('1.0.0');
    await deploy('1.1.0');
    await expect(bo.page.getByText('served before')).toBeVisible();

    await page.goto(tab('deploy'));
    await page.getByRole('button', { name: 'Compare' }).click();
    const comparison = page.getByRole('region', { name: 'Comparison' });
    await expect(comparison.getByRole('row', { name: 'Package 1.1.0 1.0.0' })).toBeVisible();
    await check(page, 'client-comparison', info);
    await comparison.getByRole('textbox', { name: 'Why' }).fill('1.1.0 is slow');
    await comparison.getByRole('button', { name: 'Roll back to 1.0.0' }).click();
    const back = bo.page.getByRole('row', { name: /1\.0\.0 \(rollback\)/ });
    await expect(back.getByText('serves', { exact: true })).toBeVisible();
    await expect(back).toContainText('1.1.0 is slow');
    await expect(back).toContainText('services-ada@example.com');
    expect((await site.host.inside('curl -s http://127.0.0.1:3000/')).out).toBe('v1.0.0');
  });
