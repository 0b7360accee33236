/** Drafts and instances of workflows where work is disturbed, shared, or done on a phone. covers: WF-01, WF-02 */
import type { Page } from '@playwright/test';
import { check } from './every-look';
import { expect, test } from './house';

const wide = { width: 1440, height: 900 };

const callerOf =
  (page: Page) =>
  async (path: string, data: object): Promise<{ id: string }> => {
    const headers = { 'x-requested-with': 'quarterdeck' };
    const answer = await page.request.post(`/api/workflow/${path}`, { data, headers });
    expect(answer.status(), path).toBe(200);
    return (await answer.json()) as { id: string };
  };

const asking = (role: string) => ({
  name: 'Check',
  does: { is: 'person', role, choices: ['Approve', 'Reject'], question: 'Ship order {{data.order}}?' },
  isStart: true,
  keepAs: '',
  place: null,
});

/** A published workflow whose one node asks. @returns its id */
const published = async (page: Page, name: string, role = 'admin'): Promise<string> => {
  const ask = callerOf(page);
  const { id } = await ask('insert', { data: { name, description: '', product: null } });
  await ask('node/insert', { workflow: { id }, data: asking(role) });
  await ask('publish', { id });
  return id;
};

const openNode = async (page: Page, workflow: string, name: string): Promise<void> => {
  await page.goto(`/app/workflow/${workflow}/edit?tab=editor`);
  await page
    .getByRole('button', { name: new RegExp(`^${name} `) })
    .first()
    .click();
  await expect(page.getByRole('form', { name: `Edit ${name}` })).toBeVisible();
};

const formOf = (page: Page) => page.getByRole('form', { name: /^Edit / });
const nameIn = (page: Page) => formOf(page).getByRole('textbox', { name: 'Name', exact: true });
const save = (page: Page) => formOf(page).getByRole('button', { name: 'Save node' }).click();

/** Calls are refused too, because pages that are slowed down stay online. */
const setOffline = async (page: Page, is: boolean): Promise<void> => {
  await page.context().setOffline(is);
  if (is) await page.route('**/api/**', (route) => route.abort('internetdisconnected'));
  else await page.unroute('**/api/**');
};

test('a node that cannot be saved while the browser is offline keeps what was typed, and is saved later', async ({
  person,
}, info) => {
  const { page } = await person('ada@example.com');
  await openNode(page, await published(page, 'Offline'), 'Check');
  await nameIn(page).fill('Check by hand');
  await setOffline(page, true);
  await save(page);
  await expect(formOf(page).getByText(/cannot reach its server/)).toBeVisible();
  await expect(nameIn(page)).toHaveValue('Check by hand');
  await check(page, 'workflow-offline', info);
  await page.setViewportSize(wide);
  await setOffline(page, false);
  await expect(page.getByRole('banner').getByRole('status')).toContainText('Live');
  await expect(nameIn(page)).toHaveValue('Check by hand');
  await save(page);
  await expect(page.getByText('Check by hand was saved.')).toBeVisible();
  await expect(page.getByText('1 change since version 1 not published')).toBeVisible();
});

test('of two tabs on one draft, the second is told what the first has saved, and chooses', async ({
  person,
}, info) => {
  const { page } = await person('ada@example.com');
  const id = await published(page, 'Shared');
  const other = await page.context().newPage();
  for (const one of [page, other]) {
    await openNode(one, id, 'Check');
    await nameIn(one).fill(one === page ? 'Check first' : 'Check second');
  }
  await save(page);
  await expect(page.getByText('Check first was saved.')).toBeVisible();
  await save(other);
  const conflict = other.getByRole('alert', { name: 'Conflict' });
  await expect(conflict.getByText(/changed this.*Nothing was saved\./)).toBeVisible();
  // Only the name differs.
  await expect(conflict.getByRole('radio', { name: 'Theirs' })).toHaveCount(1);
  await check(other, 'workflow-conflict', info);
  await other.setViewportSize(wide);
  await conflict.getByRole('button', { name: 'Save these choices' }).click();
  await expect(other.getByText('Check second was saved.')).toBeVisible();
  await expect(page.getByRole('form', { name: 'Edit Check second' })).toBeVisible();
});

test('a member answers what waits for members, and sees neither drafts nor questions for others', async ({
  person,
  house,
  browser,
}, info) => {
  const { page } = await person('ada@example.com');
  const [theirs, ours] = [
    await published(page, 'For members', 'member'),
    await published(page, 'For admins'),
  ];
  const ask = callerOf(page);
  for (const [workflow, order] of [
    [theirs, 7],
    [ours, 8],
  ] as const)
    await ask('instance/insert', { workflow: { id: workflow }, data: { order } });
  const context = await browser.newContext({ baseURL: house.url, viewport: wide });
  const mia = await context.newPage();
  await mia.goto(await house.signInLink('mia@example.com', 'member'));
  await expect(mia.getByRole('heading', { name: /^Waits for me/ })).toBeVisible();
  await expect(mia.getByText('Ship order 7?')).toBeVisible();
  await expect(mia.getByText('Ship order 8?')).toHaveCount(0);
  await check(mia, 'workflow-member', info);
  await mia.setViewportSize(wide);
  await mia.goto(`/app/workflow/${theirs}/edit`);
  await expect(mia.getByRole('heading', { level: 1 })).toBeVisible();
  await expect(mia.getByRole('table', { name: 'Nodes' })).toHaveCount(0);
  await mia.goto('/app/workflow/waiting');
  await mia.getByRole('button', { name: 'Approve: Ship order 7?' }).click();
  await expect(mia.getByText('Nothing waits for you')).toBeVisible();
  await context.close();
});

test('a workflow of 12 nodes is drawn by mouse alone', async ({ person }, info) => {
  const { page } = await person('ada@example.com', { at: '/app/workflow/add' });
  await page.getByLabel('Name').fill('Twelve');
  await page.getByRole('button', { name: 'Save workflow' }).click();
  await page.getByRole('tab', { name: 'Editor' }).click();
  await page.getByRole('button', { name: 'Add first node' }).click();
  for (let at = 1; at <= 12; at++) {
    if (at > 1) await page.getByRole('button', { name: 'Add after' }).click();
    const form = page.getByRole('form', { name: /^Add / });
    await form.getByRole('textbox', { name: 'Name', exact: true }).fill(`Step ${at}`);
    await form.getByRole('button', { name: 'Save node' }).click();
    await expect(page.getByRole('region', { name: `Step ${at}`, exact: true })).toBeVisible();
  }
  await expect(page.locator('.react-flow__node')).toHaveCount(12);
  await expect(page.getByText('no problems')).toBeVisible();
  await page.getByRole('button', { name: 'Publish version 1' }).click();
  await expect(page.getByText('version 1 published', { exact: true })).toBeVisible();
  await page.getByRole('tab', { name: 'Overview' }).click();
  await page.getByRole('button', { name: 'Start instance' }).click();
  await page.getByRole('link', { name: 'Open instance' }).click();
  await expect(page).toHaveURL(/\/edit\/[^/]+\/edit/);
  await expect(page.getByText('completed', { exact: true })).toBeVisible();

  // On a phone, its steps are gone through by touch.
  await page.setViewportSize({ width: 360, height: 780 });
  const slider = page.getByRole('slider', { name: 'Step' });
  await expect(slider).toHaveAttribute('aria-valuetext', '12 of 12: Step 12');
  const box = await slider.boundingBox();
  if (!box) throw new Error('the slider has no place');
  expect(box.width).toBeGreaterThan(100);
  await slider.click({ position: { x: 4, y: box.height / 2 } });
  await expect(slider).toHaveAttribute('aria-valuetext', '1 of 12: Step 1');
  await page.mouse.move(box.x + 8, box.y + box.height / 2);
  await page.mouse.down();
  await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2, { steps: 12 });
  await page.mouse.up();
  await expect(slider).toHaveAttribute('aria-valuetext', /^[67] of 12: Step [67]$/);
  await expect(page.getByRole('region', { name: /^Step [67] of 12: Step [67]$/ })).toBeVisible();
  await check(page, 'workflow-scrubbed', info);
});
