// One script on many servers, from selecting rows in the list to comparing the results. covers: SRV-15
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from '@playwright/test';
import type { Sshd } from '../../testing/sshd';
import { check } from './every-look';
import { expect, test } from './house';

const post = async <T>(page: Page, path: string, body: object): Promise<T> => {
  const answer = await page.request.post(`/api/${path}`, {
    data: body,
    headers: { 'x-requested-with': 'quarterdeck' },
  });
  expect([path, answer.status()]).toEqual([path, 200]);
  return (await answer.json()) as T;
};

const register = async (page: Page, sshd: Sshd, alias: string, port = sshd.port): Promise<string> => {
  const { privateKey } = await sshd.keyFor('ed25519');
  const { host, username, folder } = sshd;
  const where = { host, port, username, root: folder, path: folder, nginxPath: folder };
  return (await post<{ id: string }>(page, 'server/insert', { alias, ...where, privateKey })).id;
};

const saveScript = (page: Page, name: string, body: string, changes = false) =>
  post<{ id: string }>(page, 'script/insert', { name, body, changes, timeoutSeconds: 120 });

const grid = (page: Page) => page.getByRole('table', { name: 'Servers of this run' });
const row = (page: Page, server: string) => grid(page).getByRole('row', { name: new RegExp(`^${server} `) });

test('a script runs on selected servers, is watched by two operators, compared, and run again where it failed', async ({
  house,
  person,
}, info) => {
  const { page } = await person('ada@example.com');
  const { sshd } = house;
  for (const name of ['fleet-a', 'fleet-b', 'fleet-c', 'fleet-d']) await register(page, sshd, name);
  await register(page, sshd, 'fleet-gone', 9);
  const go = join(sshd.folder, 'fleet-go');
  // The first server to get there prints another version, and fails.
  const body = [
    'echo "checking the release"',
    `until [ -e ${go} ]; do sleep 0.1; done`,
    'echo "release 7"',
    `if mkdir ${sshd.folder}/first 2>/dev/null; then echo "shop 1.3"; echo "behind by one"; exit 4; fi`,
    'echo "shop 1.4"',
  ].join('\n');
  await saveScript(page, 'Which release', `${body}\n`, true);

  await page.goto('/app/server');
  await page.getByRole('searchbox').fill('fleet-');
  await page.getByRole('checkbox', { name: 'Select all 5 shown' }).click();
  await expect(page.getByRole('checkbox', { name: 'Select all 5 shown' })).toBeChecked();
  await expect(page.getByText('5 selected')).toBeVisible();
  await check(page, 'servers-selected', info);
  await page.setViewportSize({ width: 1440, height: 900 });
  await page.getByRole('button', { name: 'Run on selected…' }).click();

  await expect(page.getByRole('heading', { level: 1, name: 'Fleet runs' })).toBeVisible();
  await expect(page.getByText('5 selected')).toBeVisible();
  await page.getByText('Saved script', { exact: true }).click();
  await page.getByLabel('Script', { exact: true }).selectOption({ label: 'Which release' });
  await page.getByLabel('Concurrency').fill('1');
  await check(page, 'fleet-new', info);
  await page.setViewportSize({ width: 1440, height: 900 });
  await page.getByRole('button', { name: 'Run Which release on 5 servers' }).click();
  const question = page.getByRole('dialog', { name: 'Which release on 5 servers?' });
  await expect(question).toContainText('fleet-a, fleet-b, fleet-c, fleet-d, fleet-gone');
  await question.getByRole('button', { name: 'Run on 5 servers' }).click();

  await expect(page.getByRole('heading', { level: 1 })).toContainText('Which release');
  await expect(row(page, 'fleet-a')).toContainText('running');
  await expect(row(page, 'fleet-a')).toContainText('checking the release');
  await expect(row(page, 'fleet-b')).toContainText('waiting');
  await expect(page.getByText('0 of 5 done, 1 running, 4 waiting')).toBeVisible();
  await check(page, 'fleet-live', info);
  await page.setViewportSize({ width: 1440, height: 900 });

  const bo = await person('bo@example.com', { at: page.url() });
  await expect(row(bo.page, 'fleet-a')).toContainText('running');
  writeFileSync(go, '');
  for (const each of [page, bo.page]) {
    await expect(each.getByText('5 of 5 done, 2 did not succeed')).toBeVisible();
    await expect(row(each, 'fleet-a')).toContainText('behind by one');
    await expect(row(each, 'fleet-b')).toContainText('shop 1.4');
    await expect(row(each, 'fleet-gone')).toContainText('Nothing listens at');
  }
  await expect(row(page, 'fleet-a').getByRole('cell').nth(3)).toHaveText('4');

  // The switch is kept in the address, so it changes only after the click.
  await page.getByRole('switch', { name: 'Failures first' }).click();
  await expect(page.getByRole('switch', { name: 'Failures first' })).toBeChecked();
  await expect(grid(page).getByRole('row').nth(1)).toContainText('fleet-a');
  await expect(grid(page).getByRole('row').nth(2)).toContainText('fleet-gone');
  await check(page, 'fleet-ended', info);
  await page.setViewportSize({ width: 1440, height: 900 });

  await page.getByRole('tab', { name: 'Results' }).click();
  await expect(page.getByText('Same output on 3 servers, 1 differs, no output from 1 server')).toBeVisible();
  const differs = page.getByRole('article', { name: 'Different result: fleet-a' });
  await expect(differs).toContainText('2 lines added, 1 removed');
  await expect(differs).toContainText('behind by one');
  await expect(page.getByRole('article', { name: 'No output: fleet-gone' })).toContainText('Nothing listens');
  await check(page, 'fleet-answers', info);
  await page.setViewportSize({ width: 1440, height: 900 });

  const earlier = page.url();
  await page.getByRole('button', { name: 'Run again on the 2 that failed' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Run on 2 servers' }).click();
  await expect(page.getByText('2 of 2 done, 1 did not succeed')).toBeVisible();
  await expect(row(page, 'fleet-a')).toContainText('succeeded');
  await expect(row(page, 'fleet-gone')).toContainText('failed');
  await page.getByRole('link', { name: 'Re-run of failures' }).click();
  await expect(page).toHaveURL(earlier.split('?')[0] ?? earlier);
  await page.getByRole('link', { name: 'fleet-b', exact: true }).click();
  await expect(page.getByRole('log')).toContainText('shop 1.4');
});

test('a run on a server is cancelled, and shows it on its own page', async ({ house, person }, info) => {
  const { page } = await person('cy@example.com');
  const over = join(house.sshd.folder, 'over');
  const server = await register(page, house.sshd, 'stop-1');
  const { id } = await saveScript(page, 'Sleep', `echo begun\nsleep 600\necho over > ${over}\n`);
  const { runId } = await post<{ runId: string }>(page, 'fleet/start', { servers: [server], script: id });
  await page.goto(`/app/fleet/${runId}`);
  await expect(row(page, 'stop-1')).toContainText('begun');
  await page.getByRole('button', { name: 'Cancel' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Cancel the run' }).click();
  await expect(row(page, 'stop-1')).toContainText('cancelled');
  await expect(page.getByText('1 of 1 done, 1 cancelled')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Run again…' })).toBeVisible();
  await check(page, 'cancelled', info);
  expect(existsSync(over)).toBe(false);
});

test('a run on a hundred servers shows the last line of each, live', async ({ house, person }, info) => {
  const { page } = await person('di@example.com');
  const servers: string[] = [];
  for (let at = 0; at < 100; at += 1) servers.push(await register(page, house.sshd, `row-${at}`));
  const { id } = await saveScript(page, 'Say a line', 'echo one\nsleep 0.3\necho "two of two"\n');
  // The longest task is only reported: on a busy machine, no limit would be reliable.
  await page.addInitScript(() => {
    new PerformanceObserver((list) => {
      const longest = Math.max(...list.getEntries().map(({ duration }) => duration));
      document.documentElement.dataset.longTask = String(
        Math.max(longest, Number(document.documentElement.dataset.longTask ?? 0)),
      );
    }).observe({ type: 'longtask' });
  });
  const { runId } = await post<{ runId: string }>(page, 'fleet/start', {
    servers,
    script: id,
    concurrency: 25,
  });
  await page.goto(`/app/fleet/${runId}`);
  await expect(page.getByText('100 of 100 done')).toBeVisible();
  await expect(grid(page).getByRole('row')).toHaveCount(101);
  await expect(grid(page).getByText('two of two')).toHaveCount(100);
  const longest = await page.locator('html').getAttribute('data-long-task');
  info.annotations.push({ type: 'longest task', description: `${longest ?? 'less than 50'} ms` });
  await page.getByRole('tab', { name: 'Results' }).click();
  await expect(page.getByText('Same output on 100 servers')).toBeVisible();
  await page.screenshot({ path: info.outputPath('fleet-hundred.png') });
});
