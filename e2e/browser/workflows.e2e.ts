/** A workflow of twelve nodes by keyboard alone: drawn, published, started, answered, forked; and started by triggers. covers: WF-01, WF-02 */
import type { Page } from '@playwright/test';
import { check } from './every-look';
import { expect, test } from './house';
import { tabTo } from './tab-to';

const wide = { width: 1440, height: 900 };

const enter = async (page: Page, role: Parameters<typeof tabTo>[1], name: string | RegExp): Promise<void> => {
  await tabTo(page, role, name);
  await page.keyboard.press('Enter');
};

const isThere = (page: Page, name: string) =>
  expect(page.getByRole('region', { name, exact: true })).toBeVisible();

/** Fills in the form of a new node, whose name has the focus, and saves it. */
const addNode = async (page: Page, name: string, more?: () => Promise<void>): Promise<void> => {
  await expect(page.getByRole('textbox', { name: 'Name', exact: true })).toBeFocused();
  await page.keyboard.type(name);
  await more?.();
  await tabTo(page, 'button', 'Save node');
  await page.keyboard.press('Enter');
  await isThere(page, name);
};

/** Opens the form of a node after the one that is open. */
const addAfter = async (page: Page, name: string, more?: () => Promise<void>): Promise<void> => {
  await enter(page, 'button', 'Add after');
  await addNode(page, name, more);
};

const asks = (page: Page) => async (): Promise<void> => {
  await tabTo(page, 'combobox', 'Kind');
  await page.keyboard.type('Ask');
  await tabTo(page, 'textbox', /^Question/);
  await page.keyboard.type('Ship order {{data.order}}?');
  await tabTo(page, 'textbox', 'Choices');
  await page.keyboard.type('Approve');
  await page.keyboard.press('Enter');
  await page.keyboard.type('Reject');
};

const when = (page: Page, condition: string) => async (): Promise<void> => {
  await tabTo(page, 'textbox', /^Condition/);
  await page.keyboard.type(condition);
};

test('a workflow of 12 nodes is drawn, published, run, answered and forked by keyboard alone', async ({
  person,
}, info) => {
  const { page } = await person('ada@example.com', { at: '/app/workflow' });
  await enter(page, 'link', 'Add new');
  await tabTo(page, 'textbox', 'Name');
  await page.keyboard.type('Order');
  await enter(page, 'button', 'Save workflow');
  await expect(page.getByRole('heading', { level: 1, name: 'Order' })).toBeVisible();
  await tabTo(page, 'tab', 'Overview');
  await page.keyboard.press('ArrowRight');

  await enter(page, 'button', 'Add first node');
  await addNode(page, 'Received');
  await addAfter(page, 'Check', asks(page));
  await addAfter(page, 'Rejected', when(page, 'choice == "Reject"'));
  await enter(page, 'button', 'All nodes');
  await enter(page, 'button', /^Check /);
  await addAfter(page, 'Pack', when(page, 'choice == "Approve"'));
  const rest = ['Label', 'Weigh', 'Invoice', 'Load', 'Ship', 'Track', 'Deliver'];
  for (const name of rest) await addAfter(page, name);
  await addAfter(page, 'Settle', async () => {
    await tabTo(page, 'combobox', 'Kind');
    await page.keyboard.type('Wait');
    await tabTo(page, 'textbox', 'Duration');
    await page.keyboard.type('1');
    await tabTo(page, 'combobox', 'Unit');
    await page.keyboard.type('sec');
  });
  await expect(page.getByText('no problems')).toBeVisible();
  await check(page, 'workflow-editor', info);
  await page.setViewportSize(wide);
  await enter(page, 'button', 'Publish version 1');
  await expect(page.getByText('version 1 published', { exact: true })).toBeVisible();

  await tabTo(page, 'tab', 'Editor');
  await page.keyboard.press('ArrowLeft');
  await expect(page.getByRole('table', { name: 'Nodes' }).getByRole('row')).toHaveCount(13);
  await tabTo(page, 'textbox', 'Data');
  await page.keyboard.press('Control+A');
  await page.keyboard.type('{"order": 41}');
  await enter(page, 'button', 'Start instance');
  await enter(page, 'link', 'Open instance');
  await expect(page.getByRole('button', { name: 'Approve: Ship order 41?' })).toBeVisible();
  await check(page, 'workflow-instance', info);
  await page.setViewportSize(wide);
  await enter(page, 'button', 'Approve: Ship order 41?');
  await expect(page.getByText('completed', { exact: true })).toBeVisible();

  const slider = page.getByRole('slider', { name: 'Step' });
  await tabTo(page, 'slider', 'Step');
  await page.keyboard.press('Home');
  await page.keyboard.press('ArrowRight');
  await expect(slider).toHaveAttribute('aria-valuetext', /^2 of \d+: Check$/);
  await isThere(page, 'Step 2 of 11: Check');
  await enter(page, 'button', 'Fork from here');
  await tabTo(page, 'textbox', 'Data of the fork');
  await page.keyboard.press('Control+A');
  await page.keyboard.type('{"order": 42}');
  await check(page, 'workflow-fork', info);
  await page.setViewportSize(wide);
  await enter(page, 'button', 'Fork dry');
  await expect(page.getByText(/, dry$/)).toBeVisible();
  await check(page, 'workflow-dry', info);
  await page.setViewportSize(wide);
  await tabTo(page, 'tab', 'Watch');
  await page.keyboard.press('ArrowRight');
  await expect(page.getByRole('table', { name: 'Steps of both instances' })).toBeVisible();
  await check(page, 'workflow-compare', info);
});

test('boxes are dragged and connected by mouse, and a change that is not published is told', async ({
  person,
}, info) => {
  const { page } = await person('ada@example.com', { at: '/app/workflow/add' });
  await page.getByLabel('Name').fill('Mouse');
  await page.getByRole('button', { name: 'Save workflow' }).click();
  await page.getByRole('tab', { name: 'Editor' }).click();
  await page.getByRole('button', { name: 'Add first node' }).click();
  await addNode(page, 'One');
  await page.getByRole('button', { name: 'All nodes' }).click();
  await page.getByRole('button', { name: 'Add node' }).click();
  await addNode(page, 'Two');
  await page.getByRole('button', { name: 'All nodes' }).click();
  await expect(page.getByText('1 problem keeps it from being published')).toBeVisible();

  const boxOf = (name: string) => page.locator('.react-flow__node', { hasText: name });
  await boxOf('One')
    .locator('.react-flow__handle-bottom')
    .dragTo(boxOf('Two').locator('.react-flow__handle-top'));
  await isThere(page, 'One to Two');
  await expect(page.getByText('no problems')).toBeVisible();
  await page.getByRole('button', { name: 'Publish version 1' }).click();
  await expect(page.getByText('version 1 published', { exact: true })).toBeVisible();

  const before = await boxOf('Two').boundingBox();
  await boxOf('Two').hover({ position: { x: 100, y: 50 } });
  await page.mouse.down();
  await page.mouse.move((before?.x ?? 0) + 250, (before?.y ?? 0) + 80, { steps: 5 });
  await page.mouse.up();
  await expect(page.getByText('1 change since version 1 not published')).toBeVisible();
  await page.getByRole('tab', { name: 'Versions' }).click();
  await expect(page.getByRole('table', { name: 'Differences' })).toContainText('place');
  await check(page, 'workflow-versions', info);
  await page.setViewportSize(wide);
  await page.getByRole('button', { name: 'Restore version 1' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Restore version' }).click();
  await expect(page.getByText('version 1 published', { exact: true })).toBeVisible();
  await page.getByRole('tab', { name: 'Overview' }).click();
  await check(page, 'workflow-overview', info);
  await page.setViewportSize(wide);
  await page.goto('/app/workflow');
  await expect(page.getByRole('link', { name: 'Mouse', exact: true })).toBeVisible();
  await check(page, 'workflows', info);
});

/** A workflow by the calls of its pages: its one node asks a person. */
const published = async (page: Page, name: string): Promise<string> => {
  const ask = async (path: string, data: object): Promise<{ id: string }> => {
    const answer = await page.request.post(`/api/workflow/${path}`, {
      data,
      headers: { 'x-requested-with': 'quarterdeck' },
    });
    expect(answer.status(), path).toBeLessThan(300);
    return (await answer.json()) as { id: string };
  };
  const { id } = await ask('insert', { data: { name, description: '', product: null } });
  const does = { is: 'person', role: 'admin', choices: ['Approve'], question: 'Ship order {{data.order}}?' };
  const node = { name: 'Check', does, isStart: true, keepAs: '', place: null };
  await ask('node/insert', { workflow: { id }, data: node });
  await ask('publish', { id });
  return id;
};

test('a schedule and a webhook are added, a call with the token starts an instance, and Home answers it', async ({
  person,
}, info) => {
  const { page } = await person('ada@example.com', { at: '/app/workflow' });
  const id = await published(page, 'Hooked');
  await page.goto(`/app/workflow/${id}/edit?tab=triggers`);
  await page.getByRole('button', { name: 'Add trigger' }).first().click();
  const form = page.getByRole('form', { name: 'Add trigger' });
  await form.getByLabel('Name').fill('Morning');
  await form.getByLabel('Started by').selectOption('A schedule');
  await form.getByLabel('Schedule').fill('61 6 * * *');
  await form.getByRole('button', { name: 'Save trigger' }).click();
  await expect(form.getByText(/five fields as in crontab is expected/)).toBeVisible();
  await form.getByLabel('Schedule').fill('0 6 * * 1-5');
  await form.getByRole('button', { name: 'Save trigger' }).click();
  await expect(page.getByRole('form', { name: 'Edit Morning' })).toBeVisible();
  await check(page, 'workflow-schedule', info);
  await page.setViewportSize(wide);

  await page.getByRole('button', { name: 'All triggers' }).click();
  await page.getByRole('button', { name: 'Add trigger' }).click();
  await form.getByLabel('Name').fill('Shop');
  await form.getByLabel('Started by').selectOption('A webhook');
  await form.getByLabel('Signature required').uncheck();
  await form.getByRole('button', { name: 'Save trigger' }).click();
  await page.getByRole('button', { name: 'Issue token' }).click();
  const once = page.getByText(/^qd_flow_/);
  await expect(once).toBeVisible();
  const token = await once.innerText();
  await check(page, 'workflow-webhook', info);
  await page.setViewportSize(wide);
  const headers = { authorization: `Bearer ${token}` };
  const call = await page.request.post('/api/public/workflow/start', { data: { order: 7 }, headers });
  expect(call.status()).toBe(200);
  await expect(page.getByRole('table', { name: 'Fired' }).getByText('started')).toBeVisible();
  await page.reload();
  await expect(page.getByRole('table', { name: 'Tokens of the webhook' }).getByRole('row')).toHaveCount(2);
  await expect(page.getByText(/^qd_flow_/)).toBeHidden();
  await page.getByRole('button', { name: 'All triggers' }).click();
  await expect(page.getByRole('table', { name: 'Triggers' }).getByText(/^started/)).toBeVisible();
  await check(page, 'workflow-triggers', info);
  await page.setViewportSize(wide);

  await page.goto('/app/workflow');
  await expect(page.getByRole('row', { name: /^Hooked/ }).getByText('1 waiting')).toBeVisible();
  await page.goto('/app/workflow/waiting');
  await expect(page.getByText('Ship order 7?')).toBeVisible();
  await check(page, 'workflows-waiting', info);
  await page.setViewportSize(wide);
  await page.goto('/app');
  await enter(page, 'button', 'Approve: Ship order 7?');
  await expect(page.getByRole('heading', { name: /^Waits for me/ })).toBeHidden();
  await page.goto(`/app/workflow/${id}/edit`);
  await expect(page.getByRole('table', { name: 'Instances' }).getByText('completed')).toBeVisible();
});
