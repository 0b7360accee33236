// Live and past runs: watched, reloaded, cancelled, retried, replayed, exported and filtered.
import { randomUUID } from 'node:crypto';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { RunView } from '@quarterdeck/projections';
import type { Page } from '@playwright/test';
import { call } from './domains-house';
import { check } from './every-look';
import { expect, test } from './house';
import { addServer } from './servers-page';

/** Saves a script and starts it on the server whose page is open. @returns the address of the run */
const start = async (page: Page, name: string, body: string): Promise<string> => {
  const server = /server\/([0-9a-f-]+)/.exec(page.url())?.[1] ?? '';
  const script = { name: `${name} ${randomUUID().slice(0, 8)}`, body, changes: false, timeoutSeconds: 1800 };
  const { id } = await call<{ id: string }>(page, 'script/insert', script);
  const runId = randomUUID();
  await call(page, 'fleet/start', { servers: [server], script: id, runId });
  for (;;) {
    const { runs } = await call<{ runs: RunView[] }>(page, 'run/list', { parent: runId });
    if (runs[0]) return `/app/run/${runs[0].id}`;
    await page.waitForTimeout(50);
  }
};

const output = (page: Page) => page.getByRole('log');
const steps = (page: Page) => page.getByRole('region', { name: 'Steps' });
const slider = (page: Page) => page.getByRole('slider', { name: 'Position in the run' });
const numbers = (page: Page) => page.getByRole('link', { name: /^Line \d+$/ });

/** Prints ten lines, pauses for 20 seconds, and prints ten more. A busy machine takes its time before the first. */
const WITH_A_PAUSE = `
for i in 1 2 3 4 5 6 7 8 9 10; do echo "before $i"; sleep 0.05; done
sleep 20
for i in 1 2 3 4 5 6 7 8 9 10; do printf '\\033[32mafter\\033[0m %s\\n' "$i"; sleep 0.05; done
`;

test('two people watch a run, one reloads halfway, and no line is lost or repeated (covers: AUD-02)', async ({
  house,
  person,
}) => {
  test.slow();
  const { page } = await person('ada@example.com');
  await addServer(page, house.sshd, { alias: `watched-${randomUUID().slice(0, 8)}` });
  // The script runs until both have seen output.
  const go = join(house.sshd.folder, 'both-watch');
  const body = `i=0; until [ -e ${go} ] && [ $i -ge 100 ]; do i=$((i+1)); echo "line $i"; sleep 0.03; done`;
  const address = await start(page, 'Count', body);
  const bo = await person('bo@example.com');
  await Promise.all([page.goto(address), bo.page.goto(address)]);
  await expect(numbers(page).first()).toBeVisible();
  await expect(page.getByRole('progressbar', { name: 'In progress' })).toBeVisible();
  await page.reload();
  for (const each of [page, bo.page]) await expect(numbers(each).first()).toBeVisible();
  writeFileSync(go, '');
  for (const each of [page, bo.page]) {
    await expect(each.getByText('succeeded').first()).toBeVisible();
    await expect(each.getByText('Integrity verified')).toBeVisible();
    const downloading = each.waitForEvent('download');
    await each.getByRole('button', { name: 'Download output' }).click();
    const text = readFileSync(await (await downloading).path(), 'utf8');
    const count = text.split('\n').length - 1;
    expect(count).toBeGreaterThanOrEqual(100);
    expect(text).toBe(Array.from({ length: count }, (_, i) => `line ${i + 1}\n`).join(''));
    await expect(each.getByText(`${count.toLocaleString('en')} lines`)).toBeVisible();
  }
});

test('a running script is cancelled, and continues with a retry (covers: AUD-02, SRV-14)', async ({
  house,
  person,
}, info) => {
  test.slow();
  const { page } = await person('ada@example.com');
  await addServer(page, house.sshd, { alias: `cancelled-${randomUUID().slice(0, 8)}` });
  const go = join(house.sshd.folder, 'go-on');
  const address = await start(page, 'Wait', `echo waiting; [ -e ${go} ] || sleep 1000; echo 'went on'`);
  try {
    await page.goto(address);
    await expect(output(page)).toContainText('waiting');
    await page.getByRole('button', { name: 'Cancel run' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Cancel the run' }).click();
    await expect(page.getByText('cancelled', { exact: true }).first()).toBeVisible();
    writeFileSync(go, '');
    await page.getByRole('button', { name: 'Retry' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Retry' }).click();
    await expect(output(page)).toContainText('went on');
    await expect(steps(page).getByRole('button', { name: 'Script, attempt 2' })).toBeVisible();
    await expect(output(page).getByRole('heading', { name: 'Script, attempt 2' })).toBeVisible();
    await expect(page.getByText('Integrity verified')).toBeVisible();
    await steps(page).getByRole('button', { name: 'Script, attempt 2' }).click();
    await expect(page).toHaveURL(/#L2$/);
    await check(page, 'run-retried', info);
  } finally {
    rmSync(go, { force: true });
  }
});

test('a past run replays in its original timing, with seeking, speed, idle skipping and links to a second (covers: AUD-02)', async ({
  house,
  person,
}, info) => {
  test.slow();
  const { page } = await person('ada@example.com');
  await addServer(page, house.sshd, { alias: `played-${randomUUID().slice(0, 8)}` });
  const address = await start(page, 'Pause', WITH_A_PAUSE);
  await page.goto(address);
  await expect(page.getByText('20 lines')).toBeVisible();

  // By keyboard: to the start, then 15 seconds on.
  await slider(page).focus();
  await page.keyboard.press('Home');
  await expect(output(page)).toBeHidden();
  await expect(page).toHaveURL(/\?t=0$/);
  await page.getByRole('checkbox', { name: 'Skip idle' }).click();
  await expect(page.getByRole('checkbox', { name: 'Skip idle' })).not.toBeChecked();
  // Move the mouse off the checkbox, so that its tooltip closes.
  await page.mouse.move(0, 0);
  await slider(page).focus();
  for (let press = 0; press < 3; press += 1) await page.keyboard.press('ArrowRight');
  await expect(page.getByText('10 lines')).toBeVisible();
  await expect(steps(page).getByText('running')).toBeVisible();
  await check(page, 'run-replayed', info);
  await page.setViewportSize({ width: 1440, height: 900 });

  // The link to this second shows another operator the same output.
  await expect(page).toHaveURL(/\?t=15$/);
  const bo = await person('bo@example.com', { at: page.url() });
  await expect(bo.page.getByText('10 lines')).toBeVisible();
  await expect(slider(bo.page)).toHaveAttribute('aria-valuetext', /^0:15\.0 of /);
  await expect(output(bo.page)).not.toContainText('after');

  // A background tab gets no animation frames; playback works without them.
  await page.evaluate(() => {
    window.requestAnimationFrame = () => 0;
  });
  await page.getByRole('combobox', { name: 'Speed' }).selectOption('16×');
  await slider(page).focus();
  await page.keyboard.press('Space');
  await expect(page.getByText('20 lines')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Play' })).toBeVisible();
  await expect(page).not.toHaveURL(/\?t=/);

  // By pointer: at 60 %, within the pause, before the last ten lines.
  await page.reload();
  await expect(page.getByText('20 lines')).toBeVisible();
  const box = await slider(page).boundingBox();
  if (!box) throw new Error('the timeline is not to be seen');
  await page.mouse.click(box.x + box.width * 0.6, box.y + box.height / 2);
  await expect(page.getByText('10 lines')).toBeVisible();
  await expect(output(page)).toContainText('before 10');
});

test('100,000 lines can be seeked by time with only those in view rendered, and downloaded as a recording (covers: AUD-02)', async ({
  house,
  person,
}) => {
  test.slow();
  const { page } = await person('ada@example.com');
  await addServer(page, house.sshd, { alias: `long-${randomUUID().slice(0, 8)}` });
  const go = join(house.sshd.folder, 'second-half');
  const body = `seq -f "line %.0f" 1 50000; until [ -e ${go} ]; do sleep 0.1; done; seq -f "line %.0f" 50001 100000`;
  const address = await start(page, 'Long', body);
  await page.goto(address);
  await expect(page.getByText('50,000 lines')).toBeVisible();
  // A second of the run between its halves, however long the first one took.
  const { startedAt = '' } = await call<RunView>(page, 'run/detail', { id: address.split('/').at(-1) });
  const sinceStart = () => (Date.now() - Date.parse(startedAt)) / 1000;
  const between = Math.ceil(sinceStart());
  await expect.poll(sinceStart).toBeGreaterThan(between + 1);
  writeFileSync(go, '');
  await expect(page.getByText('100,000 lines')).toBeVisible();
  await expect(slider(page)).toBeVisible();
  await slider(page).focus();
  await page.keyboard.press('Home');
  await page.keyboard.press('ArrowRight');
  await page.keyboard.press('End');
  await expect(page.getByText('100,000 lines')).toBeVisible();
  await page.goto(`${address}?t=${between}`);
  await expect(page.getByText('50,000 lines')).toBeVisible();
  await expect(output(page)).toContainText('line 50000');
  expect(await numbers(page).count()).toBeLessThan(150);

  const downloading = page.waitForEvent('download');
  await page.getByRole('link', { name: 'Download recording (asciicast)' }).click();
  const download = await downloading;
  expect(download.suggestedFilename()).toMatch(/^long-.+\.cast$/);
  const [header = '', ...events] = readFileSync(await download.path(), 'utf8')
    .trimEnd()
    .split('\n');
  expect(header).toMatch(/"version":2,.*"title":"Long .+ on long-/);
  const printed = events.map((line) => JSON.parse(line) as [number, string, string]);
  expect(
    printed
      .filter(([, code]) => code === 'o')
      .map(([, , text]) => text)
      .join('')
      .split('\r\n'),
  ).toHaveLength(100_001);
});

test('runs are filtered by state, kind and server, and the address keeps the filters (covers: AUD-02)', async ({
  house,
  person,
}, info) => {
  const { page } = await person('ada@example.com');
  const alias = `listed-${randomUUID().slice(0, 8)}`;
  await addServer(page, house.sshd, { alias });
  await start(page, 'Fail', 'echo no; exit 4');
  await page.goto('/app/run?state=failed');
  const row = page.getByRole('row', { name: new RegExp(`Fail .+ ${alias} failed`) });
  // Without a server filter, a run on many servers is listed as one row; its parts are listed on its own page.
  await expect(row).toContainText('Fleet run');
  await page.getByRole('button', { name: 'Filter', exact: true }).click();
  await page.getByRole('combobox', { name: 'Server' }).click();
  await page.getByRole('option', { name: alias }).click();
  await expect(page).toHaveURL(/state=failed&server=/);
  await page.keyboard.press('Escape');
  await expect(page.getByRole('button', { name: `Remove filter: Server: ${alias}` })).toBeVisible();
  await expect(row).toContainText('Script');
  await check(page, 'runs-filtered', info);
  await page.setViewportSize({ width: 1440, height: 900 });
  await page.getByRole('button', { name: 'Filter', exact: true }).click();
  await page.getByRole('combobox', { name: 'Kind' }).click();
  // The specification asks for 14rem (covers: TBL-01).
  await expect(page.getByRole('listbox', { name: 'Kind' })).toHaveCSS('max-height', '224px');
  await page.getByRole('option', { name: 'Command' }).click();
  await expect(page.getByText('No rows found')).toBeVisible();
  await page.reload();
  await expect(page.getByText('No rows found')).toBeVisible();
  await page.getByRole('button', { name: 'Remove filter: Kind: Command' }).click();
  await expect(row.first()).toBeVisible();
  await expect(page).toHaveURL(/\/app\/run\?state=failed&server=[^&]+$/);
  await page.getByRole('button', { name: 'Clear all' }).click();
  await expect(page).toHaveURL(/\/app\/run$/);
});
