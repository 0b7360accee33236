/**
 * The `house` fixture: the real built back end with its embedded Postgres, an sshd, and operators signing in by link.
 * Test files that need no special environment share one installation, each in its own workspace.
 */
import { rmSync } from 'node:fs';
import {
  test as base,
  expect,
  type APIRequestContext,
  type APIResponse,
  type Browser,
  type BrowserContextOptions,
  type Cookie,
  type Download,
  type Page,
} from '@playwright/test';
import { buildConsole, loadCommands, spawnBackend, type BackendProcess } from '../../testing/backend-process';
import { dataDirWithCluster } from '../../testing/cluster-template';
import { freePort } from '../../testing/free-port';
import { startSshd, type Sshd } from '../../testing/sshd';
import { collectComplaints } from './complaints';
import { slowPages } from './slow-pages';
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
  person: (email: string, entry?: Entry) => Promise<Person>;
  /** Fails a test whose pages logged or threw errors. */
  withoutComplaints: undefined;
}

/** How a person comes in. */
interface Entry extends BrowserContextOptions {
  /** The page that they open. Default: the first one. */
  at?: string;
}

/** Signs in without a page. An administrator without credentials would see a notice on each one, so it is dismissed. */
const signInBy = async (request: APIRequestContext, link: string): Promise<void> => {
  const headers = { 'x-requested-with': 'quarterdeck' };
  const good = (answer: APIResponse) => expect(answer.status(), answer.url()).toBe(200);
  good(
    await request.post('/api/auth/link', { data: { code: new URL(link).searchParams.get('code') }, headers }),
  );
  const validity = await request.get('/api/profile/token/validity');
  good(validity);
  const { warnings } = (await validity.json()) as { warnings: string[] };
  const notices = [{ id: 'credentials', mark: warnings.join(' ') }];
  good(await request.post('/api/notice/remember', { data: { notices, state: 'dismissed' }, headers }));
};

const signedIn = async (
  browser: Browser,
  house: House,
  email: string,
  { at = '/app', ...options }: Entry,
): Promise<Person & { downloads: Download[] }> => {
  const context = await browser.newContext({
    baseURL: house.url,
    viewport: { width: 1440, height: 900 },
    ...options,
  });
  const key = `${house.workspace} ${email}`;
  const known = house.cookies.get(key);
  if (known) await context.addCookies(known);
  else await signInBy(context.request, await house.signInLink(email));
  house.cookies.set(key, await context.cookies());
  const downloads: Download[] = [];
  context.on('page', (opened) => opened.on('download', (download) => downloads.push(download)));
  const page = await context.newPage();
  await page.goto(at);
  await expect(page.getByRole('banner')).toBeVisible();
  return { page, email, downloads };
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
      slowPages(browser);
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
  person: [
    async ({ browser, house }, use) => {
      const people: Awaited<ReturnType<typeof signedIn>>[] = [];
      await use(async (email, entry = {}) => {
        const person = await signedIn(browser, house, email, entry);
        people.push(person);
        return person;
      });
      for (const { page, downloads } of people) {
        // A page is closed only once its downloads are over, and a browser may not say so.
        for (const download of downloads) await download.cancel();
        await page.context().close();
      }
    },
    // Of what it does before and after the test.
    { timeout: 120_000 },
  ],
});

export { expect };
