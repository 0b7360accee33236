/** Performs operator tasks with the mouse alone or the keyboard alone, and counts the clicks or key presses. */
import { test, type Page, type TestInfo } from '@playwright/test';
import { expect } from './house';

interface Target {
  role: 'button' | 'link' | 'tab' | 'textbox' | 'combobox' | 'option' | 'checkbox' | 'menuitem';
  name: string | RegExp;
  where?: Scope | undefined;
}

/** The open dialog, or the links of something. */
type Scope = 'question' | { linksOf: string };

/** Uses a page by mouse or by keyboard. */
export interface Hand {
  press(role: Target['role'], name: string | RegExp, where?: Scope): Promise<void>;
  write(name: string | RegExp, text: string): Promise<void>;
  /** Chooses in a field that opens a list of the browser. */
  choose(name: string | RegExp, label: string): Promise<void>;
  /** Opens a page by its name. */
  go(to: string): Promise<void>;
  /** Number of clicks, or of key presses other than typed text. */
  count(): number;
}

const placeOn = (page: Page, where: Scope) =>
  where === 'question'
    ? page.getByRole('dialog')
    : page.getByRole('navigation', { name: where.linksOf, exact: true });

const find = (page: Page, { role, name, where }: Target) =>
  (where === undefined ? page : placeOn(page, where))
    .getByRole(role, { name, exact: typeof name === 'string' })
    .first();

const mouse = (page: Page): Hand => {
  let clicks = 0;
  const press: Hand['press'] = async (role, name, where) => {
    clicks += 1;
    await find(page, { role, name, where }).click();
  };
  return {
    press,
    write: async (name, text) => {
      await press('textbox', name);
      await page.keyboard.type(text);
    },
    choose: async (name, label) => {
      clicks += 2;
      await find(page, { role: 'combobox', name }).selectOption({ label });
    },
    go: async (to) => {
      if (to !== 'Members') return press('link', to);
      await press('button', 'Your account');
      await press('menuitem', to);
    },
    count: () => clicks,
  };
};

const MAX_TABS = 80;

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
    for (let tabs = 0; tabs < MAX_TABS; tabs += 1) {
      if (await isThere()) return;
      // In a group of tabs or rows only one takes the focus by Tab; the arrow keys reach the others.
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
    press: async (role, name, where) => {
      if (role === 'option') {
        // The list of options is open, and its input has the focus.
        const option = find(page, { role, name });
        await option.waitFor();
        // A list that opens selects nothing a moment later, by a timer that runs before this one.
        await page.evaluate(() => new Promise((resolve) => void setTimeout(resolve)));
        for (let arrows = 0; arrows < MAX_TABS; arrows += 1) {
          if ((await option.getAttribute('data-combobox-selected')) === 'true') break;
          await key('ArrowDown');
        }
        await key('Enter');
        return;
      }
      if (role === 'menuitem') {
        // The menu is open, and one of its items has the focus.
        const item = find(page, { role, name });
        await item.waitFor();
        for (let arrows = 0; arrows < MAX_TABS; arrows += 1) {
          if (await item.evaluate((element) => element === document.activeElement)) break;
          await key('ArrowDown');
        }
        await key('Enter');
        return;
      }
      await reach({ role, name, where });
      await key(role === 'checkbox' ? 'Space' : 'Enter');
    },
    write: async (name, text) => {
      await reach({ role: 'textbox', name });
      await page.keyboard.type(text);
    },
    choose: async (name, label) => {
      await reach({ role: 'combobox', name });
      await page.keyboard.type(label);
      await expect(find(page, { role: 'combobox', name }).locator('option:checked')).toHaveText(label);
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

export interface Task<Ground> {
  name: string;
  /** Limit for clicks with the mouse. */
  atMost: number;
  walk(ground: Ground & { page: Page; hand: Hand }): Promise<void>;
}

export const heading = (page: Page, name: string | RegExp) =>
  expect(page.getByRole('heading', { level: 1, name })).toBeVisible();

const hands = { mouse, keys };
export const manners = ['mouse', 'keys'] as const;

/** Performs the tasks, each starting on the first page. */
export const walkAll = async <Ground extends object>(
  tasks: readonly Task<Ground>[],
  by: (typeof manners)[number],
  { page, info, ...ground }: Ground & { page: Page; info: TestInfo },
): Promise<void> => {
  const counts: string[] = [];
  for (const task of tasks) {
    await page.goto('/app');
    await expect(page.getByRole('banner')).toBeVisible();
    const hand = hands[by](page);
    await test.step(task.name, () => task.walk({ ...(ground as unknown as Ground), page, hand }));
    counts.push(`${task.name}: ${hand.count()}`);
    if (by === 'mouse') expect.soft(hand.count(), task.name).toBeLessThanOrEqual(task.atMost);
  }
  const words = counts.join(', ');
  info.annotations.push({ type: by === 'keys' ? 'keys' : 'clicks', description: words });
  console.log(words);
};
