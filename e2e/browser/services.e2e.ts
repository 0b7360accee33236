// A service is created from templates at the source-code host; one step fails once, and the creation goes on. Its variables
// are imported, and it is deployed and rolled back while somebody watches. covers: SVC-01, SVC-02, ENV-01, DEP-01
import {
  packages,
  REGISTRY,
  SHOP,
  startContainerServer,
  type ContainerServer,
} from '../deploys/container-server';
import { packagesLack } from '../../testing/debian-packages';
import { startGitHub, type GitHubPeer } from '../../testing/github';
import { throwawayHostLacks } from '../../testing/throwaway-lacks';
import { registerServer } from './domains-house';
import { check } from './every-look';
import { expect, test as base } from './house';
import { addServer } from './servers-page';

interface Ground {
  github: GitHubPeer;
  /** A server with docker, nginx and a registry; absent where no such server can run. */
  site: ContainerServer | undefined;
}

const TOKEN = 'ghp_of-ada';
const lacking = [...throwawayHostLacks(), ...packagesLack(packages)];

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
      if (lacking.length > 0) return use(undefined);
      const site = await startContainerServer(TOKEN);
      await use(site);
      await site.host.stop();
    },
    { scope: 'worker', timeout: 600_000 },
  ],
  env: [
    ({ github }, use) => use({ GITHUB_API_URL: github.url, CONTAINER_REGISTRY: REGISTRY }),
    { scope: 'worker' },
  ],
});

test.describe.configure({ mode: 'serial' });
/** The service of the first test, with which the second one goes on. */
let created = '';

test('a service is created from templates, released, and its workflow is started', async ({
  house,
  person,
  github,
  site,
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

  if (site) await registerServer(page, site.host, 'harbour-1');
  else await addServer(page, house.sshd, { alias: 'harbour-1' });
  await page.goto('/app/product/add');
  await page.getByRole('textbox', { name: 'Name', exact: true }).fill('Shop');
  await page.getByRole('button', { name: /^Save(?! and)/ }).click();
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
  await expect(creation.getByText(/failed with status 503.*Created so far/)).toBeVisible();
  await check(page, 'service-creation', info);
  await creation.getByRole('button', { name: 'Continue' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Retry' }).click();
  await expect(creation.getByText('Initialize, attempt 2')).toBeVisible();
  await expect(creation.getByRole('button', { name: 'Continue' })).toHaveCount(0);
  await expect(creation.getByText(/variables/)).toBeVisible();

  created = /^.*\/service\/[\w-]+\/detail/.exec(new URL(page.url()).pathname)?.[0] ?? '';
  expect(created).not.toBe('');

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
  await page.getByText('Register only').click();
  await page.getByRole('textbox', { name: 'Name', exact: true }).fill('Ledger');
  await page.getByRole('textbox', { name: 'Repository', exact: true }).fill('ledger');
  await page.getByRole('combobox', { name: 'Server' }).selectOption({ label: 'harbour-1' });
  await expect(page.getByRole('combobox', { name: 'Package' })).toHaveValue('container');
  await page.getByRole('button', { name: 'Save service' }).click();
  await expect(page.getByText(/already has this port/)).toBeVisible();
  await page.getByRole('textbox', { name: 'Port' }).fill('3001');
  await page.getByRole('button', { name: 'Save service' }).click();
  await expect(page.getByRole('heading', { level: 2, name: 'Ledger' })).toBeVisible();
  expect(github.calls.length).toBe(before);
});

if (lacking.length === 0)
  test('its variables are imported, and it is deployed and rolled back by one operator while another one watches', async ({
    site,
    person,
  }, info) => {
    test.slow();
    if (!site) throw new Error('there is no server');
    for (const tag of ['v1', 'v2']) await site.push(tag);
    const [{ page }, bo] = [
      await person('services-ada@example.com'),
      await person('services-bo@example.com'),
    ];
    const tab = (name: string) => `${created}/${name}`;
    await bo.page.goto(tab('deploy'));
    await expect(bo.page.getByText('No deploys yet')).toBeVisible();

    const importLines = async (lines: string, found: string): Promise<void> => {
      await page.goto(tab('env-var'));
      await page.getByRole('link', { name: 'Import' }).click();
      await page.getByRole('combobox', { name: 'Environment' }).selectOption({ label: 'prod' });
      await page.getByLabel('Content').fill(lines);
      await page.getByRole('button', { name: 'Preview' }).click();
      const preview = page.getByRole('region', { name: 'Preview' });
      await expect(preview.getByRole('heading', { name: found })).toBeVisible();
      await preview.getByRole('button', { name: 'Import' }).click();
      await expect(page.getByText('Env vars were imported successfully.')).toBeVisible();
    };
    const deploy = async (version: string): Promise<void> => {
      await page.goto(tab('version'));
      await page.getByRole('link', { name: 'Add new' }).click();
      await page.getByRole('textbox', { name: 'Version' }).fill(version);
      const image = page.getByRole('textbox', { name: 'Image or npm package' });
      if (version === 'v1') {
        await image.fill(`docker run ${SHOP}:${version} --privileged`);
        await page.getByRole('button', { name: /^Save(?! and)/ }).click();
        await expect(page.getByText(/the image alone is expected, without spaces or options/)).toBeVisible();
        await check(page, 'package-refused', info);
      }
      await image.fill(`${SHOP}:${version}`);
      await page.getByRole('button', { name: /^Save(?! and)/ }).click();
      await page.goto(tab('version'));
      const row = page.getByRole('row', { name: new RegExp(version) });
      await row.getByRole('button', { name: 'Deploy' }).click();
      const question = page.getByRole('dialog');
      // The first deploy does not choose prod by itself.
      const env = question.getByRole('combobox', { name: 'Environment' });
      await expect(env.locator('option:checked')).toHaveText(version === 'v1' ? 'dev' : 'prod');
      await env.selectOption({ label: 'prod' });
      await question.getByRole('button', { name: 'Deploy' }).click();
      await expect(
        page.getByRole('heading', { level: 1, name: `Deploy ${version}: Checkout` }),
      ).toBeVisible();
      const seen = bo.page.getByRole('row', { name: new RegExp(version) });
      await expect(seen.getByText('serves', { exact: true })).toBeVisible();
    };
    /** Of the newest container: the one before it answers its last requests. */
    const greetings = async () =>
      (
        await site.inside(
          'docker exec "$(docker ps --quiet --filter label=quarterdeck.service | head -n 1)" env',
        )
      )
        .split('\n')
        .filter((line) => /^(GREETING|API_KEY)=/.test(line))
        .toSorted();

    await importLines('GREETING=hello\nAPI_KEY=leaked', 'Added: 2');
    await deploy('v1');
    expect(await greetings()).toEqual(['API_KEY=leaked', 'GREETING=hello']);
    await importLines('GREETING=welcome', 'Changed: 1');
    await deploy('v2');
    // The key leaked, so what the deploys keep of it is destroyed.
    const id = /\/service\/([\w-]+)\//.exec(created)?.[1];
    const which = { service: { id }, env: 3, key: 'API_KEY' };
    const headers = { 'x-requested-with': 'quarterdeck' };
    // Refused until the run has removed the old container.
    await expect
      .poll(async () =>
        (await page.request.post('/api/deploy/release/value/destroy', { data: which, headers })).json(),
      )
      .toMatchObject({ count: 2 });
    await expect(bo.page.getByText('served before')).toBeVisible();
    await check(bo.page, 'service-deploys', info);
    await page.goto(created.replace(/\/service\/.*$/, ''));
    const line = page
      .getByRole('region', { name: 'Services' })
      .getByRole('listitem')
      .filter({ hasText: 'Checkout' });
    await expect(line).toContainText(/v2.*serves.*prod.*harbour-1/);
    await check(page, 'product-running', info);

    await page.goto(tab('deploy'));
    await page.getByRole('row', { name: /v1/ }).getByRole('link', { name: 'Compare' }).click();
    const comparison = page.getByRole('region', { name: 'Comparison' });
    await expect(comparison.getByRole('row', { name: 'Package v2 v1' })).toBeVisible();
    await expect(comparison.getByRole('row', { name: /^Variable GREETING/ })).toBeVisible();
    // The address shows others the same comparison.
    const other = await bo.page.context().newPage();
    await other.goto(page.url());
    await expect(other.getByRole('row', { name: 'Package v2 v1' })).toBeVisible();
    await other.close();
    await check(page, 'service-comparison', info);
    await comparison.getByRole('textbox', { name: 'Why' }).fill('v2 is slow');
    await comparison.getByRole('button', { name: 'Roll back to v1' }).click();
    await expect(comparison.getByText('Choose what it has instead')).toBeVisible();
    await check(page, 'service-rollback', info);
    await comparison.getByRole('combobox', { name: 'API_KEY' }).selectOption({ label: 'Go without it' });
    await comparison.getByRole('button', { name: 'Roll back to v1' }).click();
    await expect(page.getByText('API_KEY is left out: the value that the earlier deploy kept')).toBeVisible();
    const back = bo.page.getByRole('row', { name: /v1 \(rollback\)/ });
    await expect(back.getByText('serves', { exact: true })).toBeVisible();
    await expect(back).toContainText('v2 is slow');
    await expect(back).toContainText('services-ada@example.com');
    expect(await site.inside('curl -s http://127.0.0.1:3000/')).toBe('v1\n');
    expect(await greetings()).toEqual(['GREETING=hello']);
    await check(page, 'run-rollback', info);
    await bo.page.getByRole('link', { name: 'v1' }).first().click();
    await expect(bo.page.getByRole('row', { name: /^API_KEY left out/ })).toBeVisible();
    await check(bo.page, 'service-rolled-back', info);
  });

if (lacking.length === 0)
  test('a deploy that the registry refuses says what is missing, and where to give it', async ({
    person,
  }) => {
    test.slow();
    const { page } = await person('services-ada@example.com');
    const deployed = async (version: string, image: string) => {
      await page.goto(`${created}/version/add`);
      await page.getByRole('textbox', { name: 'Version' }).fill(version);
      await page.getByRole('textbox', { name: 'Image or npm package' }).fill(image);
      await page.getByRole('button', { name: /^Save(?! and)/ }).click();
      await expect(page.getByRole('heading', { name: version, exact: true })).toBeVisible();
      await page.goto(`${created}/version`);
      const row = page.getByRole('row', { name: new RegExp(`^${version}`) });
      await row.getByRole('button', { name: 'Deploy' }).click();
      await page.getByRole('dialog').getByRole('button', { name: 'Deploy' }).click();
      return page.getByRole('alert').filter({ hasText: 'Any previous version keeps serving.' });
    };
    const unknown = await deployed('v404', `${SHOP}:v404`);
    await expect(unknown).toContainText('The registry has no such image.');
    await expect(unknown).toContainText('Retry when the image is published.');
    // The same registry by another name, for which no login is stored.
    const locked = await deployed('locked', `${SHOP.replace('127.0.0.1', 'localhost')}:v1`);
    await expect(locked).toContainText('The registry wants a login');
    await locked.getByRole('link', { name: 'Container registries' }).click();
    await expect(page.getByRole('link', { name: 'Open the container registries' })).toBeVisible();
  });
