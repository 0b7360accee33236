// Every page in light and dark, wide and narrow: no axe violations, and no sideways scrolling.
import type { Locator } from '@playwright/test';
import { startSshd } from '../../testing/sshd';
import { check, shiftOf } from './every-look';
import { expect, test } from './house';
import { addServer, hostKeyCard } from './servers-page';

/** The baseline of an element's text: an empty inline box in it has its bottom edge there. */
const baselineOf = (words: Locator): Promise<number> =>
  words.evaluate((element) => {
    const box = document.createElement('span');
    box.style.display = 'inline-block';
    element.append(box);
    const { bottom } = box.getBoundingClientRect();
    box.remove();
    return bottom;
  });

test('empty pages and unknown addresses look right (covers: SHELL-10, SHELL-01)', async ({
  person,
}, info) => {
  test.slow();
  const { page } = await person('empty@example.com', { at: '/app/nothing-here' });
  await expect(page.getByText('Page Not Found')).toBeVisible();
  await check(page, 'not-found', info);
  await page.goto('/app/server/01a00000-0000-7000-8000-000000000000/detail');
  await expect(page.getByRole('alert')).toContainText('This server does not exist (any more).');
  await check(page, 'server-unknown', info);
  await page.goto('/app/run/01a00000-0000-7000-8000-000000000000');
  await expect(page.getByRole('alert')).toContainText('This run does not exist (any more).');
  await page.goto('/app/history?text=what-never-happened');
  await expect(page.getByRole('heading', { name: 'No event matches' })).toBeVisible();
  await check(page, 'history-nothing', info);
  await page.goto('/app/product/running');
  await expect(page.getByText('Nothing runs yet')).toBeVisible();
  await check(page, 'running-empty', info);
  await page.goto('/app/server/add');
  await page.getByRole('button', { name: 'Save server' }).click();
  await expect(page.getByLabel('Alias')).toBeFocused();
  await check(page, 'server-add-refused', info);
});

test('pages with data look right (covers: SHELL-10)', async ({ house, person }, info) => {
  const { page } = await person('ada@example.com');
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  await check(page, 'home', info);
  await addServer(page, house.sshd, { alias: 'pages-1' });
  await expect(hostKeyCard(page)).toContainText('SHA256:');
  await page.getByRole('button', { name: 'Close' }).click();
  await check(page, 'server', info);
  await page.getByText('Edit', { exact: true }).click();
  await expect(page.getByRole('form', { name: 'Edit server' })).toBeVisible();
  await check(page, 'server-edit', info);
  await page.getByRole('tab', { name: 'Commands' }).click();
  await check(page, 'commands', info);
  await page.getByRole('button', { name: /^Docker stats/ }).click();
  await expect(page.getByText(/exit code 0/)).toBeVisible();
  await check(page, 'command-output', info);
  await page.getByRole('link', { name: 'Open run' }).click();
  await expect(page.getByRole('log')).toContainText('shop');
  await check(page, 'run', info);
  for (const [address, name] of [
    ['/app/server', 'servers'],
    ['/app/run', 'runs'],
    ['/app/profile', 'profile'],
  ] as const) {
    await page.goto(address);
    await expect(page.getByText(name === 'profile' ? 'ada@example.com' : 'pages-1').first()).toBeVisible();
    expect.soft(await shiftOf(page), `${name}: layout shift`).toBeLessThan(0.05);
    await check(page, name, info);
    if (name === 'runs') {
      // As cards, on which a badge has a label beside it.
      await page.setViewportSize({ width: 360, height: 900 });
      const badge = page.getByRole('definition').first().locator('svg + span');
      const label = page.getByRole('term').first();
      await expect(label).toHaveText('State');
      expect.soft(await baselineOf(badge), 'a badge and its label').toBeCloseTo(await baselineOf(label), 0);
      await page.setViewportSize({ width: 1280, height: 800 });
    }
  }
  for (const [address, shown] of [
    ['/app', 'registered pages-1'],
    ['/app/domain', 'No domains yet'],
    ['/app/history', 'registered pages-1'],
  ] as const) {
    await page.goto(address);
    await expect(page.getByText(shown).first()).toBeVisible();
    expect.soft(await shiftOf(page), `${address}: layout shift`).toBeLessThan(0.05);
  }
  await check(page, 'history', info);
  await page.setViewportSize({ width: 360, height: 900 });
  await page.goto('/app');
  await expect(page.getByText('registered pages-1').first()).toBeVisible();
  expect.soft(await shiftOf(page), 'Home at 360 px: layout shift').toBeLessThan(0.05);
  await page.goto('/app/server');
  await page.getByRole('link', { name: 'pages-1' }).first().click();
  await expect(page).toHaveURL(/detail$/);
  await page.goto(`${page.url()}?mode=edit`);
  await expect(page.getByRole('form', { name: 'Edit server' })).toBeVisible();
  expect.soft(await shiftOf(page), 'Edit server at 360 px: layout shift').toBeLessThan(0.05);
  await page.setViewportSize({ width: 1280, height: 800 });
  await page.goto('/app/history');
  await page.getByRole('button', { name: /registered pages-1/ }).click();
  await expect(page.getByRole('dialog', { name: 'Event' })).toContainText('Raw event');
  await check(page, 'event', info);
});

test('dialogs, refusals and a changed host key look right (covers: SHELL-10, SRV-13)', async ({
  person,
}, info) => {
  const { page } = await person('ada@example.com');
  const sshd = await startSshd();
  try {
    await addServer(page, sshd, { alias: 'trouble-1' });
    await expect(hostKeyCard(page)).toContainText(sshd.hostKey.fingerprint);
    await page.getByRole('button', { name: 'Close' }).click();
    await page.getByRole('tab', { name: 'Commands' }).click();
    await page.getByRole('button', { name: /^Static folders/ }).click();
    await expect(page.getByText(/exit code 0/)).toBeVisible();
    await sshd.swapHostKey();
    await page.getByRole('button', { name: 'Back' }).click();
    await page.getByRole('button', { name: /^Memory usage/ }).click();
    await expect(page.getByRole('alert')).toBeVisible();
    await check(page, 'command-refused', info);
    await page.getByRole('link', { name: 'Compare the two host keys' }).click();
    await expect(hostKeyCard(page).getByRole('alert')).toContainText('Expected');
    await check(page, 'host-key-changed', info);
    await page
      .getByRole('region', { name: 'Private key', exact: true })
      .getByRole('button', { name: 'Replace' })
      .click();
    await expect(page.getByRole('form', { name: 'Replace private key' })).toBeVisible();
    await check(page, 'private-key', info);
    await page.getByRole('button', { name: 'Actions' }).click();
    await page.getByRole('menuitem', { name: 'Delete server' }).click();
    await expect(page.getByRole('dialog')).toBeVisible();
    await check(page, 'delete', info);
    await page.getByRole('button', { name: 'Cancel' }).last().click();
    await page.goto('/app/history');
    await page.getByRole('button', { name: 'Filter' }).click();
    await expect(page.getByLabel('Event type').first()).toBeVisible();
    await check(page, 'history-filters', info);
    await page.getByLabel('Event type').first().click();
    await expect(page.getByRole('option', { name: 'Server registered' })).toBeVisible();
    await check(page, 'history-filter-choice', info);
  } finally {
    await sshd.stop();
  }
});
