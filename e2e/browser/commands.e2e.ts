// The ten fixed commands, on the tab that also shows their output.
import { expect, test } from './house';
import { addServer } from './servers-page';

const looking = [
  ['Memory usage', 'Swap'],
  ['Server info', 'Kernel'],
  ['Static folders', 'folders'],
  ['Docker containers', 'shop:1.4'],
  ['Docker stats', '0.12%'],
  ['Docker images', 'image-1'],
  ['Test nginx', 'The configuration is valid.'],
  ['nginx logs', ''],
] as const;

test('each command runs, and shows its output, its exit code and who requested it (covers: SRV-05)', async ({
  house,
  person,
}) => {
  test.slow();
  const { page, email } = await person('ada@example.com');
  const complaints: string[] = [];
  page.on('console', (message) => message.type() === 'error' && complaints.push(message.text()));
  await addServer(page, house.sshd, { alias: 'commands-1' });
  await page.getByRole('tab', { name: 'Commands' }).click();
  house.standIns.letPruneEnd();

  for (const [label, output] of looking) {
    await page.getByRole('button', { name: new RegExp(`^${label}`) }).click();
    const run = page.getByRole('region', { name: label, exact: true });
    await expect(run.getByText(/exit code \d+, .+ by/)).toContainText(email);
    await expect(run).toContainText(output);
    await page.getByRole('button', { name: 'Back' }).click();
  }

  for (const [label, output] of [
    ['Test and restart nginx', 'nginx runs'],
    ['Docker prune', '212MB'],
  ] as const) {
    const button = page.getByRole('button', { name: new RegExp(`^${label}`) });
    await button.click();
    const question = page.getByRole('dialog', { name: `${label} on commands-1?` });
    await question.getByRole('button', { name: 'Cancel' }).click();
    await expect(question).toBeHidden();
    await expect(button).toBeVisible();
    await button.click();
    await question.getByRole('button', { name: label }).click();
    const run = page.getByRole('region', { name: label, exact: true });
    await expect(run.getByText('exit code 0')).toBeVisible();
    await expect(run).toContainText(output);
    await page.getByRole('button', { name: 'Back' }).click();
  }

  await page.getByRole('button', { name: /^Memory usage/ }).click();
  const memory = page.getByRole('region', { name: 'Memory usage', exact: true });
  await expect(memory.getByText('exit code 0')).toBeVisible();
  const first = page.url();
  await memory.getByRole('button', { name: 'Run again' }).click();
  await expect(page).not.toHaveURL(first);
  await expect(memory.getByText('exit code 0')).toBeVisible();
  // For example, the page must not request a run that is not recorded yet.
  expect(complaints).toEqual([]);
});

test('output streams while a command runs, also after leaving and returning, and for a colleague with the link (covers: SRV-05, SHELL-09)', async ({
  house,
  person,
}) => {
  house.standIns.holdPrune();
  const { page } = await person('ada@example.com');
  await addServer(page, house.sshd, { alias: 'slow-1' });
  await page.getByRole('tab', { name: 'Commands' }).click();
  await page.getByRole('button', { name: /^Docker prune/ }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Docker prune' }).click();
  const log = page.getByRole('log');
  await expect(log).toContainText('Deleted Images:');
  await expect(page.getByRole('region', { name: 'Docker prune' }).getByText('running')).toBeVisible();
  await expect(log).not.toContainText('reclaimed');
  const address = page.url();

  await page.goto('/app/server');
  await expect(page.getByRole('row', { name: /slow-1/ })).toContainText('running');
  await page.goBack();
  await expect(log).toContainText('Deleted Images:');

  const bo = await person('bo@example.com', { at: address });
  await expect(bo.page.getByRole('log')).toContainText('Deleted Images:');
  house.standIns.letPruneEnd();
  for (const each of [page, bo.page]) {
    const run = each.getByRole('region', { name: 'Docker prune' });
    await expect(run.getByText('212MB')).toBeVisible();
    await expect(run.getByText('succeeded')).toBeVisible();
  }
});

test('the output of a run can be searched and linked by line, and renders 100,000 lines on demand', async ({
  house,
  person,
}) => {
  test.slow();
  const { page } = await person('ada@example.com');
  await addServer(page, house.sshd, { alias: 'long-1' });
  await page.getByRole('tab', { name: 'Commands' }).click();
  await page.getByRole('button', { name: /^Docker images/ }).click();
  await expect(page.getByText('exit code 0')).toBeVisible();
  await page.getByRole('link', { name: 'Open run' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Docker images on long-1' })).toBeVisible();
  const log = page.getByRole('log');
  // 100,000 images, an empty line, and one line from `system df`.
  await expect(page.getByText('100,002 lines')).toBeVisible();
  expect(await log.getByRole('link').count()).toBeLessThan(150);

  await page.getByRole('textbox', { name: 'Search in output' }).fill('image-77777');
  await expect(page.getByText('1 of 1', { exact: true })).toBeVisible();
  await expect(log.getByText('image-77777')).toBeInViewport();
  await log.getByRole('link', { name: 'Line 77777' }).click();
  await expect(page).toHaveURL(/#L77777$/);
  await page.reload();
  await expect(page.getByText('100,002 lines')).toBeVisible();
  await expect(log.getByText('image-77777', { exact: true })).toBeInViewport();

  // Only the lines in view are rendered, wherever the log is scrolled to.
  const most = await log.evaluate(async (element) => {
    let count = 0;
    for (let step = 0; step < 100; step += 1) {
      element.scrollTop = (step * element.scrollHeight) / 100;
      await new Promise(requestAnimationFrame);
      count = Math.max(count, element.querySelectorAll('a').length);
    }
    return count;
  });
  expect(most).toBeGreaterThan(0);
  expect(most).toBeLessThan(150);
});

test('output keeps its colours, and its markup is shown as text', async ({ house, person }) => {
  const { page } = await person('ada@example.com');
  await addServer(page, house.sshd, { alias: 'colours-1' });
  await page.getByRole('tab', { name: 'Commands' }).click();
  await page.getByRole('button', { name: /^Docker stats/ }).click();
  const log = page.getByRole('log');
  await expect(log.getByText('<b>not markup</b>')).toBeVisible();
  const green = await log
    .getByText('shop', { exact: true })
    .evaluate((element) => getComputedStyle(element).color);
  const plain = await log.getByText('0.12%').evaluate((element) => getComputedStyle(element).color);
  expect(green).not.toBe(plain);
});

test('a command that cannot sign in to its server says why, and what to do (covers: SRV-13)', async ({
  house,
  person,
}) => {
  const { page } = await person('ada@example.com');
  const stranger = await house.sshd.keyFor('stranger');
  await addServer(page, house.sshd, { alias: 'stranger-1', privateKey: stranger.privateKey });
  await page.getByRole('tab', { name: 'Commands' }).click();
  await page.getByRole('button', { name: /^Memory usage/ }).click();
  await expect(page.getByRole('alert')).toContainText('authorized_keys');
  await page.getByRole('button', { name: 'Back' }).click();
  await expect(page.getByRole('button', { name: /^Memory usage/ })).toBeVisible();
});
