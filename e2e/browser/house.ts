/**
 * The `house` fixture: the real built back end with its embedded Postgres, an sshd, and operators signing in by link.
 * Test files that need no special environment share one installation, each in its own workspace.
 */
import { rmSync } from 'node:fs';
import {
  test as base,
  expect,
  type Browser,
  type BrowserContextOptions,
  type Cookie,
  type Page,
} from '@playwright/test';
import { buildConsole, loadCommands, spawnBackend, type BackendProcess } from '../peers/backend-process';
import { dataDirWithCluster } from '../peers/cluster-template';
import { freePort } from '../peers/free-port';
import { startSshd, type Sshd } from '../peers/sshd';
import { collectComplaints } from './complaints';
import { makeStandIns, type StandIns } from './stand-ins';

type Role = 'admin' | 'superadmin' | 'member';

/** Shared by the test files of one worker. */
interface Installation {
  readonly url: string;
  sshd: Sshd;
  /** Controls the fake docker and nginx of the sshd. */
  standIns: StandIns;
  /** Pages show this name, so it must not contain any text that a test looks for. */
  workspaceOf(file: string): string;
  signInLink(workspace: string, email: string, role: Role): Promise<string>;
  /** Sessions of people who have signed in before. Reusing one is faster than a link, which the command line prints. */
  cookies: Map<string, Cookie[]>;
  /** Kills the back end with SIGKILL, and starts it at the same address with the same data. */
  restart(): Promise<void>;
}

export interface House extends Omit<Installation, 'signInLink' | 'workspaceOf'> {
  /** The workspace of this test file. It contains only data that the file itself created. */
  workspace: string;
  /** A one-time link for a person of the workspace, printed by the command line. */
  signInLink(email: string, role?: Role): Promise<string>;
}

const openInstallation = async (healthChecks: 'on' | 'off', more: Record<string, string>) => {
  await buildConsole();
  const dataDir = await dataDirWithCluster('quarterdeck-browser-');
  const port = await freePort('127.0.0.1');
  const env = { LOG_LEVEL: 'warn', HEALTH_CHECKS: healthChecks, BACKUPS: 'on', ...more };
  const boot = () => spawnBackend({ dataDir, port, env });
  let backend: BackendProcess = await boot();
  const commands = await loadCommands({ dataDir, env: { PORT: String(port), ...more } });
  const standIns = makeStandIns();
  const sshd = await startSshd({ path: standIns.path });
  const workspaces = new Map<string, string>();
  const installation: Installation = {
    url: backend.url,
    sshd,
    standIns,
    cookies: new Map(),
    workspaceOf: (file) => {
      const name = workspaces.get(file) ?? `quay-${workspaces.size + 1}`;
      workspaces.set(file, name);
      return name;
    },
    signInLink: async (workspace, email, role) => {
      const args = ['sign-in-link', '--workspace', workspace, '--email', email, '--role', role];
      const { printed } = await commands.run(args);
      const link = /http\S+/.exec(printed)?.[0];
      if (!link) throw new Error(`no link in: ${printed}`);
      return link;
    },
    restart: async () => {
      await backend.kill();
      backend = await boot();
    },
  };
  const close = async () => {
    commands.close();
    await backend.stop();
    await sshd.stop();
    standIns.remove();
    rmSync(dataDir, { recursive: true, force: true });
  };
  return { installation, close };
};

/** A person with their own browser context. */
export interface Person {
  page: Page;
  email: string;
}

interface Fixtures {
  house: House;
  /** Signs a person in; the browser context is closed when the test ends. */
  person: (email: string, options?: BrowserContextOptions) => Promise<Person>;
  /** Fails a test whose pages logged or threw errors. */
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
  const key = `${house.workspace} ${email}`;
  await context.addCookies(house.cookies.get(key) ?? []);
  const known = house.cookies.has(key);
  await page.goto(known ? '/app' : await house.signInLink(email));
  await expect(page.getByRole('banner')).toBeVisible();
  house.cookies.set(key, await context.cookies());
  if (known) return { page, email };
  // An administrator without credentials sees a notice until it is closed once.
  const told = page.getByRole('status').filter({ hasText: 'source-host credentials are not inserted' });
  await Promise.all([
    page.waitForResponse((answer) => /dismissed/.test(answer.request().postData() ?? '')),
    told.getByRole('button', { name: 'Close' }).click(),
  ]);
  return { page, email };
};

interface Installations {
  /** Errors that pages of this browser logged or threw. */
  complaints: string[];
  installation: Installation;
  /** Whether servers are checked. Off by default, because tests that count sessions or events expect only their own. */
  healthChecks: 'on' | 'off';
  /** Additional environment variables of the back end. */
  env: Record<string, string>;
}

export const test = base.extend<Fixtures, Installations>({
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
  installation: [
    async ({ healthChecks, env }, use) => {
      const { installation, close } = await openInstallation(healthChecks, env);
      await use(installation);
      await close();
    },
    { scope: 'worker', timeout: 600_000 },
  ],
  house: async ({ installation }, use, { file }) => {
    const workspace = installation.workspaceOf(file);
    const signInLink: House['signInLink'] = (email, role = 'admin') =>
      installation.signInLink(workspace, email, role);
    await use({ ...installation, workspace, signInLink });
  },
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
