/** Operator actions on servers, found by labels and roles. */
import { expect, type Page } from '@playwright/test';
import type { Sshd } from '../../testing/sshd';

export interface NewServer {
  alias: string;
  privateKey?: string;
  passphrase?: string;
  port?: number;
}

/** Fills the form without submitting it. */
export const fillServer = async (
  page: Page,
  sshd: Sshd,
  { alias, privateKey, passphrase, port }: NewServer,
): Promise<void> => {
  const key = privateKey === undefined ? await sshd.keyFor('ed25519') : { privateKey };
  await page.getByLabel('Alias').fill(alias);
  await page.getByLabel('Host', { exact: true }).fill(sshd.host);
  await page.getByLabel('SSH port').fill(String(port ?? sshd.port));
  await page.getByLabel('Username').fill(sshd.username);
  await page.getByLabel('Root').fill(sshd.folder);
  await page.getByLabel('Path', { exact: true }).fill(sshd.folder);
  await page.getByRole('textbox', { name: 'Private key' }).fill(key.privateKey);
  if (passphrase !== undefined) await page.getByLabel('Passphrase').fill(passphrase);
};

/** Adds the server through the form; the new server's page is open afterwards. */
export const addServer = async (page: Page, sshd: Sshd, server: NewServer): Promise<void> => {
  await page.goto('/app/server/add');
  await fillServer(page, sshd, server);
  await page.getByRole('button', { name: 'Save server' }).click();
  await expect(page.getByRole('heading', { level: 1, name: server.alias })).toBeVisible();
};

export const hostKeyCard = (page: Page) => page.getByRole('region', { name: 'Host key' });

/** Searches the list for this server, because a long list renders only the rows in view. */
const searchServer = async (page: Page, alias: string): Promise<void> => {
  await page.goto('/app/server');
  await page.getByRole('searchbox', { name: 'Search servers' }).fill(alias);
};

export const openServer = async (page: Page, alias: string): Promise<void> => {
  await searchServer(page, alias);
  await page.getByRole('link', { name: alias, exact: true }).click();
  await expect(page.getByRole('heading', { level: 1, name: alias })).toBeVisible();
};
