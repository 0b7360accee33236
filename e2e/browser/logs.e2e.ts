// Logs of what runs on a server: several in one time line, followed, searched, filtered, downloaded and kept.
// covers: OPS-03
import { appendFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startSshd } from '../../testing/sshd';
import { throwawayHostLacks } from '../../testing/throwaway-lacks';
import { addDomain, call, registerServer, test as onServer } from './domains-house';
import { check } from './every-look';
import { expect, test } from './house';
import { addServer } from './servers-page';

const two = (number: number): string => String(number).padStart(2, '0');
/** As nginx writes it, in UTC. */
const stamp = (at: Date): string =>
  `${two(at.getUTCDate())}/${at.toLocaleString('en', { month: 'short', timeZone: 'UTC' })}/${at.getUTCFullYear()}:` +
  `${two(at.getUTCHours())}:${two(at.getUTCMinutes())}:${two(at.getUTCSeconds())} +0000`;
const request = (path: string, status: number, secondsAgo: number): string =>
  `192.0.2.7 - - [${stamp(new Date(Date.now() - secondsAgo * 1000))}] "GET ${path} HTTP/1.1" ${status} 512 "-" "curl/8"\n`;
const problem = (says: string, secondsAgo: number): string =>
  `${new Date(Date.now() - secondsAgo * 1000).toISOString().slice(0, 19).replaceAll('-', '/').replace('T', ' ')} [error] 7#7: *1 ${says}\n`;

test('logs are chosen, followed through a lost connection, searched, downloaded and kept', async ({
  person,
}, info) => {
  const logs = mkdtempSync(join(tmpdir(), 'nginx-logs-'));
  const [access, error] = [join(logs, 'access.log'), join(logs, 'error.log')];
  writeFileSync(access, request('/first', 200, 50) + request('/gone', 404, 30) + request('/broken', 502, 10));
  writeFileSync(
    error,
    problem('connect() failed (111: Connection refused) while connecting to upstream', 20),
  );
  const sshd = await startSshd({ mounts: { '/var/log/nginx': logs }, config: ['SetEnv TZ=UTC'] });
  try {
    const { page } = await person('ada@example.com');
    await addServer(page, sshd, { alias: 'log-1' });
    await page.getByRole('tab', { name: 'Logs' }).click();
    await expect(page.getByText('Nothing of them is stored unless you save a piece.')).toBeVisible();
    const choice = page.getByRole('combobox', { name: 'Logs' });
    await choice.click();
    await page.getByRole('option', { name: 'nginx access' }).click();
    await page.getByRole('option', { name: 'nginx error' }).click();
    await choice.press('Escape');
    const lines = page.getByRole('log', { name: 'Lines of the log' });
    // One time line: the error stands between the requests around it.
    await expect(lines).toContainText(/first[^]*gone[^]*connect\(\) failed[^]*broken/);
    const states = page.getByRole('status', { name: 'Followed logs' });
    await expect(states).toContainText(/nginx access\s*live/);
    await check(page, 'logs', info);

    appendFileSync(access, request('/new', 200, 0));
    await expect(lines).toContainText('/new');
    sshd.kill('SIGKILL');
    await expect(states).toContainText('waiting');
    appendFileSync(access, request('/while-away', 200, 0));
    await sshd.startAgain();
    await expect(lines).toContainText('/while-away');
    await expect(page.getByText('6 lines', { exact: true })).toBeVisible();

    const levels = page.getByRole('group', { name: 'Levels' });
    await levels.getByText('Info', { exact: true }).click();
    await expect(page.getByText('3 of 6 lines')).toBeVisible();
    await levels.getByText('Info', { exact: true }).click();
    const search = page.getByRole('textbox', { name: 'Search in log' });
    await search.fill('GET /[a-g]');
    await expect(page.getByText('no match')).toBeVisible();
    await page.getByRole('button', { name: 'Regular expression' }).click();
    await expect(page.getByText('1 of 3')).toBeVisible();
    await page.getByRole('button', { name: 'Only matching lines, also from the server' }).click();
    await expect(page.getByText(/^3 of \d+ lines$/)).toBeVisible();
    await check(page, 'logs-matching', info);
    await search.fill('GET /[');
    await expect(page.getByText('Not Regular expression')).toBeVisible();
    await page.getByRole('button', { name: 'Show all lines' }).click();
    await search.fill('');
    await expect(page.getByText('6 lines', { exact: true })).toBeVisible();

    const downloading = page.waitForEvent('download');
    await page.getByRole('button', { name: /^Download the lines shown/ }).click();
    const text = readFileSync(await (await downloading).path(), 'utf8');
    expect(text.split('\n')[1]).toMatch(/^\S+Z nginx access warning 192\.0\.2\.7 .*GET \/gone/);

    await page.getByRole('button', { name: 'Save as a run' }).click();
    await page.getByRole('button', { name: 'Open run' }).click();
    await expect(page.getByRole('heading', { level: 1, name: 'Saved log' })).toBeVisible();
    await expect(page.getByRole('log')).toContainText(/gone[^]*connect\(\) failed[^]*while-away/);
    await page.goBack();

    await page.getByRole('combobox', { name: 'Time' }).selectOption('From … to …');
    await page.getByLabel('To', { exact: true }).fill('2020-01-01T00:00:00');
    await expect(page.getByText('Nothing was logged in this time.')).toBeVisible();
    await page.getByLabel('From', { exact: true }).fill('2020-01-02T00:00:00');
    await expect(page.getByText('This must be after the beginning')).toBeVisible();
    await check(page, 'logs-times', info);

    // A link to these logs opens them again, and the past has none.
    await page.getByRole('combobox', { name: 'Time' }).selectOption('Last hour');
    await page.reload();
    await expect(lines).toContainText('/while-away');
    appendFileSync(access, Array.from({ length: 30_000 }, (_, n) => request(`/many-${n}`, 200, 0)).join(''));
    await expect(lines).toContainText('/many-29999');
    await page.goto(`${page.url()}&at=${new Date().toISOString()}`);
    await expect(page.getByText('Logs can be seen only in the present. Go back to now.')).toBeVisible();
  } finally {
    await sshd.stop();
    rmSync(logs, { recursive: true, force: true });
  }
});

// On machines without throw-away servers, their own test reports that.
if (throwawayHostLacks().length === 0)
  onServer('a site and a service have their logs beside them', async ({ bind, host, person }, info) => {
    const { page } = await person('ada@example.com');
    const server = await registerServer(page, host, 'log-2');
    const domain = await addDomain(page, { bind, host, server, label: 'logged' });
    const folder = `/root/.quarterdeck/logs/${domain.serverName}`;
    const write = (log: string, text: string): Promise<unknown> =>
      host.inside(`mkdir -p ${folder} && printf %s '${text}' >> ${folder}/root.${log}.log`);
    await write('access', request('/basket', 200, 20) + request('/pay', 500, 5));
    await write('error', problem('upstream timed out', 10));
    await page.goto(`/app/domain/${domain.id}/edit`);
    await page.getByRole('tab', { name: 'Logs' }).click();
    const lines = page.getByRole('log', { name: 'Lines of the log' });
    await expect(lines).toContainText(/basket[^]*upstream timed out[^]*pay/);
    await write('access', request('/later', 200, 0));
    await expect(lines).toContainText('/later');
    await expect(page.getByRole('status', { name: 'Followed logs' })).toContainText(
      /access\s*live\s*error\s*live/,
    );
    await check(page, 'logs-of-a-site', info);

    const product = await call<{ id: string }>(page, 'product/insert', { data: { name: 'Shop' } });
    const data = {
      name: 'basket',
      organization: 'acme',
      repo: 'basket',
      port: 3000,
      packageType: 'container',
    };
    const service = await call<{ id: string }>(page, 'service/insert', {
      product: { id: product.id },
      data: { ...data, withDb: false, server: { id: server } },
    });
    await page.goto(`/app/product/${product.id}/detail/service/${service.id}/detail`);
    await page.getByRole('tab', { name: 'Logs' }).click();
    await expect(page.getByRole('status', { name: 'Followed logs' })).toContainText(/docker/i);
    await check(page, 'logs-of-a-service', info);
  });
