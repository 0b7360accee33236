/** The ground of creations whose server cannot be reached: two operators with tokens of their own, and values for all sections. */
import { randomUUID } from 'node:crypto';
import { fieldsOf, idleKey, nowhere } from '../backend/world';
import { openGround, SCOPES, type Ground } from '../repositories/ground';
import type { Operator } from '../../testing/operator';
import type { Sent } from './creating';

export const PASSWORD = 'canary-of-the-database-password';
const GRACE_TOKEN = 'ghp_the-token-of-grace-that-nobody-may-see';

export interface CreationGround extends Ground {
  grace: Operator;
  /** Values for each section, of a product with a new name unless told. */
  valuesOf(name?: string): Record<string, Sent> & { product: { name: string } };
}

/** @param env of the back end, besides that of the source host */
export const openCreations = async (env: Record<string, string> = {}): Promise<CreationGround> => {
  const ground = await openGround(env);
  const { ada, github, world } = ground;
  github.tokens.set(GRACE_TOKEN, { login: 'grace', scopes: SCOPES });
  github.organizations.get('acme')?.members.push('grace');
  const grace = await world.backend.signIn({ email: 'grace@example.org' });
  await grace.post('profile/gh-token/update', { value: GRACE_TOKEN });
  const registered = await ada.post('server/insert', {
    ...fieldsOf('web-1', nowhere),
    privateKey: idleKey(),
  });
  const server = { id: String(registered.body.id) };
  let nth = 0;
  const valuesOf: CreationGround['valuesOf'] = (name = `shop-${(nth += 1)}-${randomUUID().slice(0, 4)}`) => ({
    product: { name, description: 'Sells books', structure: true, version: true },
    database: { host: 'db.example.org', name: 'shop', username: 'shop', password: PASSWORD, port: 3306 },
    repository: {
      organization: 'acme',
      repo: name,
      repoFront: `${name}-client`,
      fromTemplate: { server: true, client: true },
    },
    server: { server },
    service: {
      name,
      nameFront: `${name} client`,
      port: 4000 + nth * 2,
      portFront: 4001 + nth * 2,
      withDb: true,
    },
    domain: { serverName: `${name}.localhost` },
    deploy: { env: 1 },
  });
  return { ...ground, grace, valuesOf };
};

/** Some of the values. */
export const only = (values: Record<string, Sent>, ...sections: string[]): Record<string, Sent> =>
  Object.fromEntries(sections.map((section) => [section, values[section] ?? {}]));
