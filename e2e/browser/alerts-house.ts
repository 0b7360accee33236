/**
 * Fixtures: a back end on a database to which the test appends events, and a web server that receives alerts and serves
 * packages.
 */
import type { Page } from '@playwright/test';
import type { EventStore } from '@quarterdeck/log/store';
import { startTestPostgres, type TestPostgres } from '../../testing/postgres';
import { MASTER_KEY } from '../../testing/backend-process';
import { startToldServer, type ToldServer } from '../../testing/told-server';
import { test as base } from './house';
import { openLog } from '../../testing/log';

interface Ground {
  database: TestPostgres;
  store: EventStore;
  receiver: ToldServer;
}

export const test = base.extend<object, Ground>({
  database: [
    // oxlint-disable-next-line no-empty-pattern -- Playwright reads the fixtures from the pattern
    async ({}, use) => {
      const postgres = await startTestPostgres();
      await use(postgres);
      await postgres.stop();
    },
    { scope: 'worker' },
  ],
  env: [
    ({ database }, use) => use({ DATABASE_URL: database.url, MASTER_KEY, OUTBOUND_ALLOW: '127.0.0.1' }),
    { scope: 'worker' },
  ],
  store: [
    async ({ database, installation }, use) => {
      // The back end creates the log, so it must have started before the log can be opened.
      if (installation.url === '') throw new Error('no back end');
      const store = await openLog(database.url, { onFault: () => undefined });
      await use(store);
      await store.close();
    },
    { scope: 'worker' },
  ],
  receiver: [
    // oxlint-disable-next-line no-empty-pattern -- as above
    async ({}, use) => {
      const receiver = await startToldServer();
      await use(receiver);
      await receiver.stop();
    },
    { scope: 'worker' },
  ],
});

/** Calls as the person who is signed in on a page. */
export const postsOf =
  (page: Page) =>
  <T>(path: string, body: object): Promise<T> =>
    page.evaluate(
      async ([to, sent]) => {
        const headers = { 'content-type': 'application/json', 'x-requested-with': 'test' };
        const answer = await fetch(`/api/${to}`, { method: 'POST', headers, body: JSON.stringify(sent) });
        return (await answer.json()) as T;
      },
      [path, body] as const,
    );
