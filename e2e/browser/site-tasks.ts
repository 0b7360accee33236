/** Tasks for a site and its server. They need a throw-away server that can be set up. */
import { expect, type Page } from '@playwright/test';
import { v7 as uuidv7 } from 'uuid';
import type { Bind } from '../../testing/bind';
import type { ThrowawayHost } from '../../testing/throwaway-host';
import { addDomain, call, registerServer } from './domains-house';
import { heading, type Task } from './hands';

interface Ground {
  bind: Bind;
  host: ThrowawayHost;
  /** The site, which has been applied twice. */
  id: string;
  serverName: string;
  /** Prefix of server names. */
  of: string;
}

/** Creates a site with a location that was changed, and applies it with gzip and then without. */
export const makeSite = async (
  page: Page,
  { bind, host, of, upstream }: Pick<Ground, 'bind' | 'host' | 'of'> & { upstream: string },
): Promise<Pick<Ground, 'id' | 'serverName'>> => {
  const server = await registerServer(page, host, `${of}-1`);
  const { id, serverName } = await addDomain(page, { bind, host, server, label: of });
  const data = { location: '/', url: upstream };
  const location = await call<{ id: string }>(page, 'domain/location/insert', { domain: { id }, data });
  const change = { filters: { id: location.id }, data: { ...data, timeout: 30 } };
  await call(page, 'domain/location/update', change);
  for (const gzip of [true, false]) {
    const options = { docker: false, ssl: false, gzip };
    const { runId } = await call<{ runId: string }>(page, 'nginx/exec', { id, options, runId: uuidv7() });
    await expect
      .poll(async () => (await call<{ state: string }>(page, 'run/detail', { id: runId })).state)
      .toBe('succeeded');
  }
  return { id, serverName };
};

export const siteTasks: Task<Ground>[] = [
  {
    name: 'add a server and set it up',
    atMost: 10,
    walk: async ({ page, hand, host, of }) => {
      await hand.go('Server');
      await hand.press('link', 'Add new');
      await hand.write('Alias', `${of}-added`);
      await hand.write('Host', host.host);
      await hand.write('Username', host.username);
      await hand.write('Root', '/root');
      const { privateKey } = await host.keyFor('ed25519');
      await hand.write('Private key', privateKey);
      await hand.press('button', 'Save server');
      await heading(page, `${of}-added`);
      await hand.press('button', 'Initialize Server');
      await hand.press('button', 'Initialize Server', 'question');
      await heading(page, `Initialize Server on ${of}-added`);
      // The other record of this machine waits until the whole run is over.
      await expect(page.getByRole('heading', { level: 1 }).locator('..')).toContainText('succeeded');
    },
  },
  {
    name: 'see who changed a location',
    atMost: 3,
    walk: async ({ page, hand, serverName }) => {
      await hand.go('Domain');
      await hand.press('link', serverName);
      await hand.press('tab', 'History');
      await expect(page.getByRole('listitem').filter({ hasText: 'changed / of ' })).toContainText(
        'ada@example.com',
      );
    },
  },
  {
    name: 'roll a configuration back',
    atMost: 6,
    walk: async ({ page, hand, serverName }) => {
      await hand.go('Domain');
      await hand.press('link', serverName);
      await hand.press('tab', 'Configuration');
      await hand.press('button', /^\d+ \w+ \d{4}, \d\d:/);
      await hand.press('button', 'Restore');
      await hand.press('button', 'Restore', 'question');
      await expect(page.getByRole('region', { name: 'Previous versions' }).getByRole('listitem')).toHaveCount(
        2,
      );
    },
  },
  {
    name: 'find out why a site is down',
    atMost: 2,
    walk: async ({ page, hand, bind, id, serverName }) => {
      bind.change(`delete ${serverName} A`, `add ${serverName} 60 A 127.0.0.9`);
      await call(page, 'domain/dns/check', { id });
      await hand.go('Home');
      await hand.press('link', new RegExp(`^${serverName}.*DNS wrong`));
      const dns = page.getByRole('region', { name: 'DNS' });
      await expect(dns).toContainText('DNS wrong');
      await expect(dns).toContainText('127.0.0.9');
    },
  },
];
