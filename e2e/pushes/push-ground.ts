/** Services with rules and a webhook, and a source host that calls it. */
import { randomUUID } from 'node:crypto';
import type { PushDelivery } from '@quarterdeck/contract';
import type { AlertView, DeployRow, PushView } from '@quarterdeck/projections';
import type { Operator } from '../../testing/backend';
import { hookHeaders, publishedRelease } from '../../testing/github/webhooks';
import { until } from '../../testing/patience';

export interface Hook {
  service: string;
  product: string;
  secret: string;
}

export interface Sent {
  status: number;
  body: { id: string; repeated: boolean; says: string; msg?: string };
}

/** @param url of a back end */
export const send = async (
  url: string,
  { service, secret }: Pick<Hook, 'service' | 'secret'>,
  event: string,
  payload: object | string,
  { delivery = randomUUID(), ...more }: Record<string, string> = {},
): Promise<Sent> => {
  const body = typeof payload === 'string' ? payload : JSON.stringify(payload);
  const answer = await fetch(`${url}/api/public/push/receive?service=${service}`, {
    method: 'POST',
    headers: { ...hookHeaders(event, body, secret, delivery), ...more },
    body,
  });
  return { status: answer.status, body: (await answer.json()) as Sent['body'] };
};

export const rule = (name: string, more: object = {}) => ({
  name,
  isOn: true,
  starts: 'package',
  compares: 'tag',
  pattern: 'v*',
  preReleases: false,
  env: 3,
  approval: 'nobody',
  ...more,
});

export const pushCalls = (who: Operator) => {
  const ask = async <T = { id: string }>(path: string, body: object): Promise<T> => {
    const answer = await who.post<T>(path, body);
    if (answer.status !== 200) throw new Error(`${path}: ${answer.status} ${JSON.stringify(answer.body)}`);
    return answer.body;
  };
  const pushes = (service: string) => ask<PushView[]>('push/list', { service: { id: service } });
  return {
    ask,
    pushes,
    /** A service of `acme/orders` with rules and a secret. */
    hook: async (server: string, rules: readonly object[], more: object = {}): Promise<Hook> => {
      const product = (await ask('product/insert', { data: { name: `P ${randomUUID()}`, description: '' } }))
        .id;
      const data = {
        name: 'Orders',
        nameFront: '',
        organization: 'acme',
        repo: 'orders',
        repoFront: '',
        server: { id: server },
        port: 3000 + Math.floor(Math.random() * 50_000),
        packageType: 'container',
        packageSubfolder: '',
        withDb: false,
        healthPath: '/health',
        ...more,
      };
      const service = (await ask('service/insert', { data, product: { id: product } })).id;
      for (const one of rules) await ask('deploy-rule/insert', { data: one, service: { id: service } });
      const { secret } = await ask<{ secret: string }>('push/token/issue', { service: { id: service } });
      return { service, product, secret };
    },
    deliveries: (service: string) =>
      ask<{ deliveries: PushDelivery[]; refused?: { count: number; says: string; since: string } }>(
        'push/delivery/list',
        { service: { id: service } },
      ),
    releases: (service: string) => ask<DeployRow[]>('deploy/release/list', { service: { id: service } }),
    /** The versions of the service in these states, newest first, once they are. */
    settled: async (service: string, ...states: PushView['state'][]): Promise<PushView[]> => {
      let found: PushView[] = [];
      await until(async () => {
        found = await pushes(service);
        return found.map(({ state }) => state).join() === states.join();
      });
      return found;
    },
    alerts: async (service: string, about: AlertView['about']): Promise<AlertView[]> =>
      (await ask<AlertView[]>('alert/list', {})).filter(
        (alert) => alert.about === about && alert.subject.id === service,
      ),
  };
};

/** A version of a service that waits for an approval. @returns its id */
export const waitingPush = async (who: Operator, service: string): Promise<string> => {
  const { ask, settled } = pushCalls(who);
  const of = { service: { id: service } };
  const { organization, repo } = await ask<{ organization: string; repo: string }>('service/detail', {
    id: service,
  });
  const waiting = rule(`Releases ${randomUUID()}`, { starts: 'release', approval: 'admin' });
  await ask('deploy-rule/insert', { data: waiting, ...of });
  const { secret } = await ask<{ secret: string }>('push/token/issue', of);
  const release = publishedRelease({ tag: 'v1.0.0', repository: `${organization}/${repo}` });
  await send(who.url, { service, secret }, 'release', release);
  const [push] = await settled(service, 'waiting');
  return push?.id ?? '';
};
