/** What a team works with: a database with its version, a service with variables, scripts with runs. */
import { randomUUID } from 'node:crypto';
import { databaseAt } from '../data-model/database-at';
import { startTestPostgres } from '../../testing/postgres';
import type { Operator } from '../../testing/operator';

const SCRIPTS = [
  { name: 'Free space', body: '#!/bin/sh\ndf -h /\n', changes: false, timeoutSeconds: 60 },
  {
    name: 'Largest folders',
    body: '#!/bin/sh\ndu -x -d 1 -k /etc 2>/dev/null | sort -rn | head -5\n',
    changes: false,
    timeoutSeconds: 120,
  },
  {
    name: 'Check the release',
    body: '#!/bin/sh\necho "Asking for the release ..."\ntest -f "$HOME/release" || { echo "no release is installed" >&2; exit 3; }\n',
    changes: false,
    timeoutSeconds: 60,
  },
];

/** By environment: dev, test, prod. */
const VARIABLES: readonly (readonly [key: string, value: string, env: number, secret?: true])[] = [
  ['LOG_LEVEL', 'debug', 1],
  ['LOG_LEVEL', 'info', 3],
  ['PUBLIC_URL', 'https://shop.example.test', 3],
  ['CURRENCY', 'EUR', 1],
  ['CURRENCY', 'EUR', 3],
  ['PAYMENT_KEY', 'correct horse battery staple', 3, true],
];

export interface DemoWork {
  /** @param servers the ids of the servers, each in the order of its alias */
  fill(by: Operator, product: string, servers: readonly string[]): Promise<void>;
  stop(): Promise<void>;
}

export const startDemoWork = async (): Promise<DemoWork> => {
  const postgres = await startTestPostgres({ own: true });
  const fill = async (by: Operator, product: string, servers: readonly string[]): Promise<void> => {
    const ask = async <T = { id: string }>(path: string, body: object): Promise<T> => {
      const answer = await by.post<T>(path, body);
      if (answer.status !== 200) throw new Error(`${path}: ${answer.status} ${JSON.stringify(answer.body)}`);
      return answer.body;
    };
    const within = { product: { id: product } };
    const database = await ask('database/insert', { data: databaseAt(postgres.url), ...within });
    const [version] = await ask<{ id: string }[]>('data-model/version/list', { id: product });
    const toApply = { uuid: version?.id, database: { id: database.id } };
    const { seal } = await ask<{ seal: string }>('data-model/version/plan', toApply);
    await ask('data-model/version/apply', { ...toApply, seal });

    const service = await ask('service/insert', {
      ...within,
      data: {
        name: 'Storefront',
        nameFront: '',
        organization: 'acme',
        repo: 'storefront',
        repoFront: '',
        server: { id: servers[0] },
        port: 3000,
        packageType: 'container',
        packageSubfolder: '',
        withDb: true,
      },
    });
    for (const [key, value, env, secret = false] of VARIABLES)
      await ask('env-var/insert', {
        data: { key, value, env: { id: env }, secret },
        ...within,
        serviceDeploy: { id: service.id },
      });

    for (const data of SCRIPTS) {
      const { id } = await ask('script/insert', data);
      await ask('fleet/start', { servers, script: id, runId: randomUUID() });
    }
  };
  return { fill, stop: () => postgres.stop() };
};
