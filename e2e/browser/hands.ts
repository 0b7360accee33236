/** Tasks of an operator, walked with the mouse alone or with the keys alone, and how many clicks or keys each takes. */
import { test, type Page, type TestInfo } from '@playwright/test';
import { expect } from './house';

interface Target {
  role: 'button' | 'link' | 'tab' | 'textbox' | 'combobox' | 'option' | 'checkbox' | 'menuitem';
  name: string | RegExp;
  where?: 'question' | undefined;
}

/** How somebody uses a page. */
export interface Hand {
  /** In a question, if it is open above other things of that name. */
  press(role: Target['role'], name: string | RegExp, where?: 'question'): Promise<void>;
  write(name: string | RegExp, text: string): Promise<void>;
  /** To a page, by the word that it is called. */
  go(to: string): Promise<void>;
  /** Clicks, or keys other than those of texts. */
  count(): number;
}

const find = (page: Page, { role, name, where }: Target) =>
  (where === undefined ? page : page.getByRole('dialog'))
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
    press: async (role, name, where) => {
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
      await reach({ role, name, where });
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

export interface Task<Ground> {
  name: string;
  /** Clicks with the mouse. */
  atMost: number;
  walk(ground: Ground & { page: Page; hand: Hand }): Promise<void>;
}

export const heading = (page: Page, name: string | RegExp) =>
  expect(page.getByRole('heading', { level: 1, name })).toBeVisible();

const hands = { mouse, keys };
export const manners = ['mouse', 'keys'] as const;

/** Each begins on the first page. */
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
