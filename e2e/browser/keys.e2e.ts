// The two keys of a server: the private key that the console signs in with, and the server's host key.
import { readFile, writeFile } from 'node:fs/promises';
import { startSshd } from '../../testing/sshd';
import { expect, test } from './house';
import { addServer, fillServer, hostKeyCard, openServer } from './servers-page';

test('the host key of a new server is shown as ssh-keygen prints it, with the server’s software (covers: SRV-13)', async ({
  house,
  person,
}) => {
  const { page } = await person('ada@example.com');
  await addServer(page, house.sshd, { alias: 'known-1' });
  const card = hostKeyCard(page);
  // This fingerprint comes from ssh-keygen.
  await expect(card.getByText(house.sshd.hostKey.fingerprint, { exact: true })).toBeVisible();
  await expect(card).toContainText('ssh-ed25519');
  await expect(card).toContainText(/OpenSSH/);
  await card.getByRole('button', { name: 'Test connection' }).click();
  await expect(card).toContainText('The server has this key.');
});

test('an unreachable server shows why, and can be retried (covers: SRV-13)', async ({ house, person }) => {
  const { page } = await person('ada@example.com', { at: '/app/server/add' });
  // Port 1 has no listener.
  await fillServer(page, house.sshd, { alias: 'silent-1', port: 1 });
  await page.getByRole('button', { name: 'Save server' }).click();
  const card = hostKeyCard(page);
  await expect(card.getByRole('alert')).toContainText('Check host and port, and that sshd runs there');
  await card.getByRole('button', { name: 'Retry' }).click();
  await expect(card.getByRole('alert')).toBeVisible();
});

test('refuses a changed host key, and shows both keys, until an administrator accepts it (covers: SRV-13)', async ({
  person,
}) => {
  test.slow();
  const [ada, bo] = [await person('ada@example.com'), await person('bo@example.com')];
  const sshd = await startSshd();
  try {
    await addServer(ada.page, sshd, { alias: 'reborn-1' });
    const expected = sshd.hostKey.fingerprint;
    await expect(hostKeyCard(ada.page)).toContainText(expected);
    await openServer(bo.page, 'reborn-1');
    const got = (await sshd.swapHostKey()).fingerprint;

    await ada.page.getByRole('tab', { name: 'Commands' }).click();
    await ada.page.getByRole('button', { name: /^Memory usage/ }).click();
    await expect(ada.page.getByRole('alert')).toContainText('host key');
    await expect(ada.page.getByRole('log')).toHaveCount(0);

    const alert = hostKeyCard(bo.page).getByRole('alert');
    await expect(alert).toContainText("The server's host key has changed. Nothing was run.");
    await expect(alert).toContainText(expected);
    await expect(alert).toContainText(got);
    await alert.getByRole('button', { name: 'Accept new key' }).click();
    const question = bo.page.getByRole('dialog', { name: 'Trust the new host key of reborn-1?' });
    await expect(question).toContainText(got);
    await question.getByRole('button', { name: 'Accept new key' }).click();
    await expect(alert).toBeHidden();
    await expect(hostKeyCard(bo.page)).toContainText(got);

    await ada.page.getByRole('button', { name: 'Back' }).click();
    await ada.page.getByRole('button', { name: /^Memory usage/ }).click();
    await expect(ada.page.getByText(/exit code 0/)).toBeVisible();
  } finally {
    await sshd.stop();
  }
});

test('downloading a private key takes a confirmation, and the history records who did it (covers: SRV-04)', async ({
  house,
  person,
}) => {
  const { page, email } = await person('ada@example.com');
  const { privateKey } = await house.sshd.keyFor('ed25519');
  await addServer(page, house.sshd, { alias: 'download-1' });
  await page.getByRole('button', { name: 'Actions' }).click();
  await page.getByRole('menuitem', { name: 'Download private key' }).click();
  const question = page.getByRole('dialog', { name: 'Download the private key of download-1?' });
  await expect(question).toContainText('recorded');
  const downloading = page.waitForEvent('download');
  await question.getByRole('button', { name: 'Download private key' }).click();
  const download = await downloading;
  expect(download.suggestedFilename()).toBe('download-1.pem');
  expect((await readFile(await download.path(), 'utf8')).trim()).toBe(privateKey.trim());
  expect(await page.content()).not.toContain('PRIVATE KEY');
  await page.getByRole('tab', { name: 'History' }).click();
  await expect(page.getByRole('listitem').filter({ hasText: 'downloaded the private key' })).toContainText(
    email,
  );
});

test('the private key is replaced from a file with a passphrase, and never shown (covers: SRV-04)', async ({
  house,
  person,
}, info) => {
  const { page } = await person('ada@example.com');
  const [first, second] = [await house.sshd.keyFor('ed25519'), await house.sshd.keyFor('encrypted')];
  await addServer(page, house.sshd, { alias: 'replaced-1' });
  const card = page.getByRole('region', { name: 'Private key', exact: true });
  await expect(card).toContainText(first.fingerprint);
  await card.getByRole('button', { name: 'Replace' }).click();
  const form = page.getByRole('form', { name: 'Replace private key' });
  await expect(form.getByRole('textbox', { name: 'Private key' })).toHaveValue('');

  const file = info.outputPath('id_ed25519');
  await writeFile(file, second.privateKey);
  const choosing = page.waitForEvent('filechooser');
  await form.getByRole('button', { name: /Choose a file/ }).click();
  await (await choosing).setFiles(file);
  await expect(form.getByRole('textbox', { name: 'Private key' })).toHaveValue(/BEGIN OPENSSH PRIVATE KEY/);
  await form.getByLabel('Passphrase').fill('wrong');
  await form.getByRole('button', { name: 'Replace private key' }).click();
  await expect(form.getByLabel('Passphrase')).toHaveAccessibleDescription(/passphrase/i);
  await form.getByLabel('Passphrase').fill(second.passphrase ?? '');
  await form.getByRole('button', { name: 'Replace private key' }).click();
  await expect(card).toContainText(second.fingerprint);
  await expect(card).toContainText('The new key is used from the next connection on.');
  expect(await page.content()).not.toContain('BEGIN OPENSSH');

  await page.getByRole('tab', { name: 'Commands' }).click();
  await page.getByRole('button', { name: /^Memory usage/ }).click();
  await expect(page.getByText(/exit code 0/)).toBeVisible();
});
