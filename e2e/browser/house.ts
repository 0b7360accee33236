/** Everything real: the built back end with its embedded Postgres, an sshd, and operators who sign in by a link. */
import { rmSync } from 'node:fs';
import {
  test as base,
  expect,
  type Browser,
  type BrowserContextOptions,
  type Cookie,
  type Page,
} from '@playwright/test';
import { buildConsole, runCommand, spawnBackend, type BackendProcess } from '../peers/backend-process';
import { dataDirWithCluster } from '../peers/cluster-template';
import { freePort } from '../peers/free-port';
import { startSshd, type Sshd } from '../peers/sshd';
import { collectComplaints } from './complaints';
import { makeStandIns, type StandIns } from './stand-ins';

export interface House {
  readonly url: string;
  sshd: Sshd;
  /** What its docker and nginx do. */
  standIns: StandIns;
  /** A one-time link for a person of the workspace, printed by the command line. */
  signInLink(email: string, role?: 'admin' | 'superadmin' | 'member'): Promise<string>;
  /** Whoever was here before comes back with the session of then: a link takes the start of a whole program. */
  cookies: Map<string, Cookie[]>;
  /** SIGKILL, and up again at the same address with the same data. */
  restart(): Promise<void>;
}

const openHouse = async (healthChecks: 'on' | 'off', more: Record<string, string>) => {
  await buildConsole();
  const dataDir = await dataDirWithCluster('quarterdeck-browser-');
  const port = await freePort('127.0.0.1');
  const env = { LOG_LEVEL: 'warn', HEALTH_CHECKS: healthChecks, BACKUPS: 'on', ...more };
  const boot = () => spawnBackend({ dataDir, port, env });
  let backend: BackendProcess = await boot();
  const standIns = makeStandIns();
  const sshd = await startSshd({ path: standIns.path });
  const house: House = {
    url: backend.url,
    sshd,
    standIns,
    cookies: new Map(),
    signInLink: async (email, role = 'admin') => {
      const args = ['sign-in-link', '--workspace', 'main', '--email', email, '--role', role];
      const { stdout, stderr } = await runCommand(args, { dataDir, env: { PORT: String(port), ...more } });
      const link = /http\S+/.exec(stdout)?.[0];
      if (!link) throw new Error(`no link in: ${stdout}${stderr}`);
      return link;
    },
    restart: async () => {
      await backend.kill();
      backend = await boot();
    },
  };
  const close = async () => {
    await backend.stop();
    await sshd.stop();
    standIns.remove();
    rmSync(dataDir, { recursive: true, force: true });
  };
  return { house, close };
};

/** Somebody in a browser of his own. */
export interface Person {
  page: Page;
  email: string;
}

interface Fixtures {
  /** Signs somebody in; the context is closed when the test ends. */
  person: (email: string, options?: BrowserContextOptions) => Promise<Person>;
  /** Fails a test whose pages complained. */
  withoutComplaints: undefined;
}

const signedIn = async (
  browser: Browser,
  house: House,
  email: string,
  options: BrowserContextOptions,
): Promise<Person> => {
  const context = await browser.newContext({
    baseURL: house.url,
    viewport: { width: 1440, height: 900 },
    ...options,
  });
  const page = await context.newPage();
  await context.addCookies(house.cookies.get(email) ?? []);
  await page.goto(house.cookies.has(email) ? '/app' : await house.signInLink(email));
  await expect(page.getByRole('banner')).toBeVisible();
  house.cookies.set(email, await context.cookies());
  // An administrator without credentials is told so, on every page until he has read it.
  const told = page.getByRole('status').filter({ hasText: 'source-host credentials are not inserted' });
  await told.getByRole('button', { name: 'Close' }).click();
  return { page, email };
};

interface Houses {
  /** What the pages of this browser complained about. */
  complaints: string[];
  house: House;
  /** Whether servers are probed. Off by default: who counts sessions or events wants none but his own. */
  healthChecks: 'on' | 'off';
  /** What else stands in the environment of the back end. */
  env: Record<string, string>;
}

export const test = base.extend<Fixtures, Houses>({
  complaints: [
    async ({ browser }, use) => {
      const complaints: string[] = [];
      collectComplaints(browser, complaints);
      await use(complaints);
    },
    { scope: 'worker', auto: true },
  ],
  withoutComplaints: [
    async ({ complaints }, use) => {
      await use(undefined);
      expect(complaints.splice(0)).toEqual([]);
    },
    { auto: true },
  ],
  healthChecks: ['off', { option: true, scope: 'worker' }],
  env: [{}, { option: true, scope: 'worker' }],
  house: [
    async ({ healthChecks, env }, use) => {
      const { house, close } = await openHouse(healthChecks, env);
      await use(house);
      await close();
    },
    { scope: 'worker', timeout: 120_000 },
  ],
  person: async ({ browser, house }, use) => {
    const pages: Page[] = [];
    await use(async (email, options = {}) => {
      const person = await signedIn(browser, house, email, options);
      pages.push(person.page);
      return person;
    });
    for (const page of pages) await page.context().close();
  },
});

export { expect };
