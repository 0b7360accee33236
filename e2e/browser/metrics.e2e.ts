// What a service uses and what a site was asked: charts, tables, and why there are none. covers: OPS-04
import { throwawayHostLacks } from '../../testing/throwaway-lacks';
import { addDomain, call, registerServer, test } from './domains-house';
import { check } from './every-look';
import { expect } from './house';

test.use({ healthChecks: 'on' });

const SITES = '/root/volumes/nginx_config';
/** Then the page is loaded again. */
const SOON = { timeout: 1000 };
const CONTAINER = 'c0ffee'.repeat(11).slice(0, 64);

const request = (status: number, seconds: string): string =>
  `192.0.2.7 - - [01/Dec/2026:12:00:00 +0000] "GET / HTTP/1.1" ${status} 5120 "-" "curl/8" ${seconds}\n`;

// On machines without throw-away servers, their own test reports that.
if (throwawayHostLacks().length === 0)
  test('a service and a site have their metrics', async ({ bind, host, house, person }, info) => {
    const { page } = await person('ada@example.com');
    await call(page, 'workspace/health-checks', { everySeconds: 5, failures: 2, outOf: 2 });
    const server = await registerServer(page, host, 'metrics-1');
    const product = await call<{ id: string }>(page, 'product/insert', { data: { name: 'Shop' } });
    const data = {
      name: 'basket',
      organization: 'acme',
      repo: 'basket',
      port: 3000,
      packageType: 'container',
      withDb: false,
    };
    const { id } = await call<{ id: string }>(page, 'service/insert', {
      data: { ...data, server: { id: server } },
      product: { id: product.id },
    });
    const run = async (line: string): Promise<void> => {
      const { code, out } = await host.inside(line);
      expect(code, out).toBe(0);
    };
    await page.goto(`/app/product/${product.id}/detail/service/${id}/detail?tab=metrics&range=1h`);
    await expect(
      page.getByRole('heading', { name: /^(No samples yet|Not deployed|No Docker)$/ }),
    ).toBeVisible();
    await check(page, 'metrics-none', info);

    // A docker whose container is a real process of the server, with real counters.
    const inspected = `${id}|${CONTAINER}|running|$pid|$(cat /run/restarts)|$(cat /run/started)|0|false|bridge`;
    await run(`cat > /usr/local/bin/docker <<'END'
#!/bin/sh
pid=$(cat /run/busy.pid)
case "$*" in
  ps*label=*) echo '${id}|running|Up 2 minutes|${CONTAINER}' ;;
  ps*--quiet*) echo c0ffee ;;
  inspect*) echo "${inspected}" ;;
esac
END
chmod 755 /usr/local/bin/docker
echo 0 > /run/restarts; echo 2026-12-01T00:00:00.5Z > /run/started
printf 'listen 127.0.0.1:3000;\\nproxy_pass http://127.0.0.1:9;\\n' > ${SITES}/quarterdeck-service-${id}.conf
systemd-run --quiet --unit=basket sh -c 'while :; do sleep 0.01; done'
systemctl show --property MainPID --value basket > /run/busy.pid`);
    const latest = page.getByRole('region', { name: 'Latest figures' });
    await expect(latest).toContainText(/running.*of one core/);
    await expect(latest).toContainText('none in the last hour');
    const processor = page.getByRole('slider', { name: /^Processor, 100 % is one core: / });
    await expect(processor).toHaveAttribute('aria-label', /\d %/);
    await run('echo 3 > /run/restarts; echo 2026-12-01T00:01:00.5Z > /run/started');
    await expect(latest).toContainText('3 restarts in the last hour');
    await expect(page.getByText(/^Restarts \(dashed red lines\): 3 times before/)).toBeVisible();
    await expect(processor.locator('[data-restart]')).toHaveCount(1);
    await processor.focus();
    await page.keyboard.press('End');
    await expect(processor).toHaveAttribute('aria-valuetext', /:\d\d: /);
    await check(page, 'metrics-charts', info);
    await page.getByText('Table', { exact: true }).click();
    await expect(page.getByRole('table', { name: 'Metrics of basket in the last hour' })).toContainText(
      'KiB',
    );
    await check(page, 'metrics-table', info);

    const domain = await addDomain(page, { bind, host, server, label: 'metered' });
    const log = `/root/.quarterdeck/logs/${domain.serverName}/site.access.log`;
    const traffic = `/app/domain/${domain.id}/edit?tab=traffic&range=1h`;
    /** Each process looks at all sites when it begins. No page may be open before that has ended. */
    const lookAnew = async (): Promise<void> => {
      await page.goto('about:blank');
      await house.restart();
    };
    await lookAnew();
    await expect(async () => {
      await page.goto(traffic);
      await expect(page.getByRole('heading', { name: 'No log yet' })).toBeVisible(SOON);
    }).toPass();
    await check(page, 'traffic-none', info);
    await run(
      `mkdir -p ${log.slice(0, log.lastIndexOf('/'))}; printf %s '${request(200, '0.012').repeat(90) + request(404, '0.001').repeat(20) + request(502, '2.500').repeat(10)}' > ${log}`,
    );
    await lookAnew();
    await expect(async () => {
      await page.goto(traffic);
      await expect(latest).toContainText(
        '120 requests: 8.3 % failed (5xx), 17 % refused (4xx); 614 kB sent',
        SOON,
      );
    }).toPass();
    // Times are known to 5 %.
    await expect(latest).toContainText('half within 13 ms, 95 % within 2.6 s');
    const requests = page.getByRole('slider', { name: /^Requests a second: 2xx / });
    await expect(requests).toBeVisible();
    await check(page, 'traffic-charts', info);
    await page.getByText('Table', { exact: true }).click();
    await expect(page.getByRole('table', { name: /^Traffic of metered/ })).toContainText('5xx');
    await run(`systemctl stop basket; rm -f /usr/local/bin/docker ${SITES}/quarterdeck-service-${id}.conf`);
  });
