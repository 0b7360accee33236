// Tasks of an operator from the first page on, once with the mouse and once with the keys alone. covers: SHELL-10
import type { Page } from '@playwright/test';
import { v7 as uuidv7 } from 'uuid';
import type { Sshd } from '../peers/sshd';
import { call, registerServer } from './domains-house';
import { expect, test } from './house';

interface Target {
  role: 'button' | 'link' | 'tab' | 'textbox' | 'combobox' | 'option' | 'checkbox' | 'menuitem';
  name: string | RegExp;
}

/** How somebody uses a page. */
interface Hand {
  press(role: Target['role'], name: string | RegExp): Promise<void>;
  write(name: string | RegExp, text: string): Promise<void>;
  /** To a page, by the word that it is called. */
  go(to: string): Promise<void>;
  /** Clicks, or keys other than those of texts. */
  count(): number;
}

const find = (page: Page, { role, name }: Target) =>
  page.getByRole(role, { name, exact: typeof name === 'string' }).first();

const mouse = (page: Page): Hand => {
  let clicks = 0;
  const press: Hand['press'] = async (role, name) => {
    clicks += 1;
    await find(page, { role, name }).click();
  };
  return {
    press,
    write: async (name, text) => {
      await press('textbox', name);
      await page.keyboard.type(text);
    },
    go: async (to) => {
      if (to !== 'Members') return press('link', to);
      await press('button', 'Your account');
      await press('menuitem', to);
    },
    count: () => clicks,
  };
};

const MOST_TABS = 80;

const keys = (page: Page): Hand => {
  let presses = 0;
  const key = async (name: string): Promise<void> => {
    presses += 1;
    await page.keyboard.press(name);
  };
  const reach = async (target: Target): Promise<void> => {
    const wanted = find(page, target);
    await wanted.waitFor();
    const isThere = () => wanted.evaluate((element) => element === document.activeElement);
    for (let tabs = 0; tabs < MOST_TABS; tabs += 1) {
      if (await isThere()) return;
      // Of some tabs, or of some rows, one takes the focus; the arrow keys lead to the others.
      const arrow = await wanted.evaluate((element) => {
        const around = element.closest('[role=tablist], [role=list], ul, ol');
        if (element.tabIndex >= 0 || !around?.contains(document.activeElement)) return undefined;
        return around.getAttribute('role') === 'tablist' ? 'ArrowRight' : 'ArrowDown';
      });
      await key(arrow ?? 'Tab');
    }
    throw new Error(`the keys do not reach the ${target.role} ${String(target.name)}`);
  };
  return {
    press: async (role, name) => {
      if (role === 'option') {
        // The list of a choice is open, and the focus is in its input.
        const option = find(page, { role, name });
        for (let arrows = 0; arrows < MOST_TABS; arrows += 1) {
          if ((await option.getAttribute('data-combobox-selected')) === 'true') break;
          await key('ArrowDown');
        }
        await key('Enter');
        return;
      }
      await reach({ role, name });
      await key(role === 'checkbox' ? 'Space' : 'Enter');
    },
    write: async (name, text) => {
      await reach({ role: 'textbox', name });
      await page.keyboard.type(text);
    },
    go: async (to) => {
      await key('Control+k');
      await page.keyboard.type(to);
      await expect(page.getByRole('option', { selected: true })).toContainText(to);
      await key('Enter');
    },
    count: () => presses,
  };
};

interface Ground {
  page: Page;
  hand: Hand;
  sshd: Sshd;
  /** Two servers, one of which does not answer; and what their names begin with. */
  of: string;
}

interface Task {
  name: string;
  /** Clicks with the mouse. */
  atMost: number;
  walk(ground: Ground): Promise<void>;
}

const heading = (page: Page, name: string | RegExp) =>
  expect(page.getByRole('heading', { level: 1, name })).toBeVisible();

const tasks: Task[] = [
  {
    name: 'add a server',
    atMost: 8,
    walk: async ({ page, hand, sshd, of }) => {
      await hand.go('Server');
      await hand.press('link', 'Add new');
      await hand.write('Alias', `${of}-added`);
      await hand.write('Host', sshd.host);
      await hand.write('Username', sshd.username);
      await hand.write('Root', sshd.folder);
      const { privateKey } = await sshd.keyFor('ed25519');
      await hand.write('Private key', privateKey);
      await hand.press('button', 'Add server');
      await heading(page, `${of}-added`);
    },
  },
  {
    name: 'see how much memory a server has left',
    atMost: 4,
    walk: async ({ page, hand, of }) => {
      await hand.go('Server');
      await hand.press('link', `${of}-up`);
      await hand.press('tab', 'Commands');
      await hand.press('button', /^Memory usage/);
      await expect(page.getByText(/exit code 0/)).toBeVisible();
    },
  },
  {
    name: 'find out why a run failed',
    atMost: 2,
    walk: async ({ page, hand, of }) => {
      await hand.go('Home');
      await hand.press(
        'link',
        new RegExp(`Which release.*failed|failed.*Which release|Which release on ${of}`),
      );
      await expect(page.getByText('no release here').first()).toBeVisible();
    },
  },
  {
    name: 'see who changed a server',
    atMost: 3,
    walk: async ({ page, hand, of }) => {
      await hand.go('Server');
      await hand.press('link', `${of}-up`);
      await hand.press('tab', 'History');
      await expect(page.getByRole('button', { name: `renamed to ${of}-up` })).toBeVisible();
      await expect(page.getByText('ada@example.com').first()).toBeVisible();
    },
  },
  {
    name: 'undo that change',
    atMost: 6,
    walk: async ({ page, hand, of }) => {
      await hand.go('Server');
      await hand.press('link', `${of}-up`);
      await hand.press('tab', 'History');
      await hand.press('button', `renamed to ${of}-up`);
      await hand.press('button', 'Undo…');
      await hand.press('button', 'Restore');
      await heading(page, `${of}-before`);
    },
  },
  {
    name: 'find the failed runs',
    atMost: 4,
    walk: async ({ page, hand }) => {
      await hand.go('Runs');
      await hand.press('button', 'Filter');
      await hand.press('combobox', 'State');
      await hand.press('option', 'Failed');
      await expect(page).toHaveURL(/state=failed/);
      await expect(page.getByRole('row', { name: /Which release/ }).first()).toBeVisible();
    },
  },
  {
    name: 'run a script on all servers',
    atMost: 5,
    walk: async ({ page, hand, of }) => {
      await hand.go('Script');
      await hand.press('link', `Run Which release on ${of} on servers`);
      await hand.press('checkbox', /^Select all/);
      await hand.press('button', /^Run Which release/);
      await hand.press('button', /^Run on /);
      await expect(page.getByText(/\d of \d done, \d did not succeed/)).toBeVisible();
    },
  },
  {
    name: 'run it again where it failed',
    atMost: 3,
    walk: async ({ page, hand, of }) => {
      await hand.go('Runs');
      await hand.press('link', `Which release on ${of}`);
      await hand.press('button', /^Run again on the/);
      await expect(page.getByRole('link', { name: 'Re-run of failures' })).toBeVisible();
    },
  },
  {
    name: 'invite somebody',
    atMost: 4,
    walk: async ({ page, hand }) => {
      await hand.go('Members');
      await hand.press('link', 'Invite');
      await hand.press('button', 'Invite');
      await expect(page.getByText(/\/invite#/)).toBeVisible();
    },
  },
  {
    name: 'find when a certificate expires',
    atMost: 2,
    walk: async ({ page, hand }) => {
      await hand.go('Domain');
      await hand.press('link', 'Calendar');
      await heading(page, 'Expiry calendar');
    },
  },
];

for (const [by, handOf] of [
  ['the mouse', mouse],
  ['the keys', keys],
] as const)
  test(`tasks of an operator are done with ${by} alone`, async ({ house, person }, info) => {
    const { page } = await person('ada@example.com');
    page.setDefaultTimeout(30_000);
    const of = by === 'the keys' ? 'keyed' : 'clicked';
    const { sshd } = house;
    const up = await registerServer(page, sshd, `${of}-before`);
    const { host, username, folder } = sshd;
    const where = { host, port: sshd.port, username, root: folder, path: folder, nginxPath: folder };
    await call(page, 'server/update', { id: up, data: { alias: `${of}-up`, ...where } });
    const body = 'echo "no release here" >&2\nexit 4\n';
    const script = await call<{ id: string }>(page, 'script/insert', {
      ...{ name: `Which release on ${of}`, body, changes: false, timeoutSeconds: 60 },
    });
    await call(page, 'fleet/start', { servers: [up], script: script.id, runId: uuidv7() });
    const counts: [string, number][] = [];
    for (const task of tasks) {
      await page.goto('/app');
      await expect(page.getByRole('banner')).toBeVisible();
      const hand = handOf(page);
      await test.step(task.name, () => task.walk({ page, hand, sshd, of }));
      counts.push([task.name, hand.count()]);
      if (by === 'the mouse') expect.soft(hand.count(), task.name).toBeLessThanOrEqual(task.atMost);
    }
    const words = counts.map(([name, count]) => `${name}: ${count}`).join(', ');
    info.annotations.push({ type: by === 'the keys' ? 'keys' : 'clicks', description: words });
    console.log(words);
  });
