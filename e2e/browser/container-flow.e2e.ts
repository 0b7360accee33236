// A container gets its name, its site and its certificate by keyboard alone, with a real docker, nginx, DNS server and
// authority. covers: DOCK-01
import type { Locator, Page } from '@playwright/test';
import { acmeLacks, startAcme, type Acme } from '../../testing/acme';
import { startBind, type Bind } from '../../testing/bind';
import { packagesLack, unpackLine } from '../../testing/debian-packages';
import { startGitHub, type GitHubPeer } from '../../testing/github';
import { fetchPage } from '../../testing/page';
import { throwawayHostLacks } from '../../testing/throwaway-lacks';
import { packages, REGISTRY, startContainerServer, type ContainerServer } from '../deploys/container-server';
import { call, letDnsBeWritten, registerServer } from './domains-house';
import { check } from './every-look';
import { walkAll, type Task } from './hands';
import { expect, test as base } from './house';

interface Ground {
  github: GitHubPeer;
  bind: Bind;
  /** A server with docker, nginx, certbot and a registry. */
  site: ContainerServer;
  acme: Acme;
}

const TOKEN = 'ghp_of-ada';
const PACKAGES = ['certbot', 'curl'];

const test = base.extend<object, Ground>({
  github: [
    // oxlint-disable-next-line no-empty-pattern -- Playwright reads the fixtures from the pattern
    async ({}, use) => {
      const github = await startGitHub();
      github.tokens.set(TOKEN, { login: 'ada', scopes: ['repo', 'workflow', 'read:packages'] });
      github.organizations.set('acme', { members: ['ada'] });
      await use(github);
      await github.stop();
    },
    { scope: 'worker' },
  ],
  bind: [
    // oxlint-disable-next-line no-empty-pattern -- Playwright reads the fixtures from the pattern
    async ({}, use) => {
      const bind = await startBind();
      await use(bind);
      await bind.stop();
    },
    { scope: 'worker' },
  ],
  site: [
    // oxlint-disable-next-line no-empty-pattern -- Playwright reads the fixtures from the pattern
    async ({}, use) => {
      const site = await startContainerServer(TOKEN, { address: true });
      await site.push('v1.0');
      await use(site);
      await site.host.stop();
    },
    { scope: 'worker', timeout: 600_000 },
  ],
  acme: [
    async ({ site }, use) => {
      const acme = await startAcme(site.host);
      await acme.trust();
      await site.inside(`set -e\n${unpackLine(...PACKAGES)}`);
      await use(acme);
    },
    { scope: 'worker', timeout: 600_000 },
  ],
  env: [
    ({ github, bind, acme }, use) =>
      use({
        GITHUB_API_URL: github.url,
        CONTAINER_REGISTRY: REGISTRY,
        DNS_SERVERS: bind.server,
        OUTBOUND_ALLOW: '127.0.0.0/8',
        ACME_DIRECTORY_URL: acme.directoryUrl,
      }),
    { scope: 'worker' },
  ],
});

const MAX_TABS = 80;

/** Presses Tab until the focus is on it. Two links of a page may have the same name. */
const tabInto = async (page: Page, target: Locator): Promise<void> => {
  for (let tabs = 0; tabs < MAX_TABS; tabs += 1) {
    if (await target.evaluate((element) => element === document.activeElement)) return;
    await page.keyboard.press('Tab');
  }
  throw new Error(`the Tab key does not reach ${String(target)}`);
};

const flow: Task<Ground> = {
  name: 'deploys a container, follows its three links, and gets its certificate',
  atMost: 0,
  async walk({ page, hand, bind, site, acme }) {
    const name = `box.${bind.zone}`;
    const served = async (ca?: string): Promise<string> =>
      (await fetchPage({ host: site.host.host, name, path: '/', ...(ca !== undefined && { ca }) })).text;
    await hand.go('Deploy a container');
    await hand.write('Repository', 'https://gitlab.com/acme/shop');
    await page.keyboard.press('Enter');
    await expect(page.getByText(/^gitlab\.com is not the source host of this console/)).toBeVisible();
    await page.keyboard.press('ControlOrMeta+a');
    await page.keyboard.type('https://github.com/acme/shop');
    await page.keyboard.press('Enter');
    await hand.press('button', 'Use v1.0');
    await expect(page).toHaveURL(/\/app\/create-docker\/[\w-]{36}$/);
    await hand.write('Subdomain', 'box');
    await page.keyboard.press('Enter');
    const success = page.getByRole('status', { name: 'Success' });
    await expect(success).toBeVisible({ timeout: 300_000 });
    expect(await served()).toBe('v1.0\n');

    const there = page.url();
    for (const [link, heading] of [
      ['Product', 'Box'],
      ['Service', 'box'],
      ['Domain', name],
    ] as const) {
      await tabInto(page, success.getByRole('link', { name: link, exact: true }));
      await page.keyboard.press('Enter');
      await expect(page.getByRole('heading', { level: 1, name: heading })).toBeVisible();
      await page.goBack();
      await expect(page).toHaveURL(there);
      await expect(success).toBeVisible();
    }

    // One more press.
    await hand.press('button', 'Start Certificate');
    const certificate = page.getByRole('region', { name: 'Certificate', exact: true });
    await expect(certificate.getByText('done', { exact: true })).toBeVisible({ timeout: 300_000 });
    expect(await served(await acme.root())).toBe('v1.0\n');
  },
};

// On machines without throw-away servers, their own test reports that.
if ([...throwawayHostLacks(), ...packagesLack([...packages, ...PACKAGES]), ...acmeLacks()].length === 0) {
  test('a container is deployed under its name and gets its certificate, by keyboard alone', async ({
    person,
    github,
    bind,
    site,
    acme,
  }, info) => {
    const { page } = await person('container-ada@example.com');
    await call(page, 'profile/gh-token/update', { value: TOKEN });
    await letDnsBeWritten(page, bind);
    const server = { id: await registerServer(page, site.host, 'box-1') };
    const { id } = await call<{ id: string }>(page, 'product/insert', { data: { name: 'Box' } });
    await call(page, 'workspace/container-flow', { server, product: { id } });
    // The back end finds the digest by the tag.
    github.packages.set('acme/shop', [{ id: 1, digest: '', tags: ['v1.0'] }]);
    await walkAll([flow], 'keys', { page, info, github, bind, site, acme });
    await check(page, 'container-flow', info);
    expect(github.undescribed).toEqual([]);
  });
}
