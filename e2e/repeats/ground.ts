/** What has to be there before a call that changes something: for the test that repeats each. */
import { randomUUID } from 'node:crypto';
import { userTables } from '@quarterdeck/data-model';
import { Client } from 'pg';
import type { Call } from '@quarterdeck/contract';
import { registerAt } from '../backend/world';
import { databaseAt } from '../data-model/database-at';
import type { RunningBackend, Operator } from '../../testing/backend';
import type { TestPostgres } from '../../testing/postgres';
import type { Sshd } from '../../testing/sshd';
import { withJson, type ToldServer } from '../../testing/told-server';
import { until } from '../../testing/patience';
import { askingInstance, instanceThat, publishAsking, started } from '../workflows/workflows-ground';
import { waitingPush } from '../pushes/push-ground';
import { callOf, makerFor, type Body, type Maker, type Thing } from '../things';

export interface Ground {
  backend: RunningBackend;
  /** An administrator of the installation. */
  who: Operator;
  workspace: string;
  postgres: TestPostgres;
  sshd: Sshd;
  /** Answers calls for a package. */
  delivery: ToldServer;
}

export const ended = async ({ ask }: Pick<Maker, 'ask'>, run: string): Promise<void> =>
  until(async () => (await ask<{ endedAt?: string }>('run/detail', { id: run })).endedAt !== undefined);

/** On a server that nobody reaches, so that it fails. */
const startFleet = async ({ ask, make }: Maker): Promise<string> => {
  const runId = randomUUID();
  await ask('fleet/start', { servers: [await make('server')], cmdType: 1, runId });
  return runId;
};
const failedFleet = async (maker: Maker): Promise<string> => {
  const run = await startFleet(maker);
  await ended(maker, run);
  return run;
};
/** A creation whose first section has ended. Without a name of its own, it has failed. */
const creation = async ({ ask }: Maker, name: string): Promise<string> => {
  const { id, runId } = await ask<{ id: string; runId: string }>('creation/start', {
    kind: 'product',
    values: { name },
  });
  await ended({ ask }, runId);
  return id;
};
const failedCreation = async (maker: Maker): Promise<string> => {
  const name = randomUUID();
  await maker.ask('product/insert', { data: { name } });
  return creation(maker, name);
};
const addWebhook = async ({ ask, inputFor }: Maker): Promise<Body> => {
  await ask('workspace/alerts', await inputFor(callOf('workspace.alerts')));
  return {};
};
/** With an entity, so that a version of its model can be generated. */
const productWithModel = async ({ make }: Maker): Promise<string> => {
  const product = await make('product');
  await make('entity');
  return product;
};
/** A database that exists, in a product with the model that every product may start from. */
const realDatabase = async ({ postgres }: Ground, { ask, make }: Maker) => {
  const product = { id: await make('product') };
  await ask('data-model/version/import/structure', { product });
  const address = await postgres.newDatabase();
  const data = databaseAt(address);
  const { id } = await ask<{ id: string }>('database/insert', { data, product });
  return { product, address, database: { id } };
};
/** What it takes to apply the first version to such a database. */
const toApply = async (ground: Ground, maker: Maker) => {
  const { product, address, database } = await realDatabase(ground, maker);
  const { id: uuid } = await maker.ask<{ id: string }>('data-model/version/create', product);
  return { product, address, apply: { uuid, database } };
};
/** A user of an API, who is signed in, in a database of its own. */
const apiUser = async (ground: Ground, maker: Maker): Promise<Body> => {
  const { product, address } = await realDatabase(ground, maker);
  const init = await maker.inputFor(callOf('product.backend.init'));
  const { uuid } = await maker.ask<{ uuid: string }>('product/backend/init', {
    ...init,
    productId: product.id,
  });
  const id = randomUUID();
  const client = new Client({ connectionString: address });
  await client.connect();
  for (const statement of userTables('postgresql')) await client.query(statement);
  await client.query(
    `insert into quarterdeck_users (id, instance, email, permission, added_at) values ($1, $2, 'a@example.org', 'app', '')`,
    [id, uuid],
  );
  await client.query(
    `insert into quarterdeck_user_sessions (token_hash, user_id, added_at, expires_at) values ($1, $1, '', '9')`,
    [id],
  );
  await client.end();
  return { instance: { uuid }, user: { uuid: id } };
};
/** Of a database whose structure somebody made by hand. */
const toRecord = async (ground: Ground, maker: Maker): Promise<Body> => {
  const { apply, address } = await toApply(ground, maker);
  const { statements } = await maker.ask<{ statements: { sql: string }[] }>('data-model/version/plan', apply);
  const client = new Client({ connectionString: address });
  await client.connect();
  for (const { sql } of statements) await client.query(sql);
  await client.end();
  return apply;
};
/** A node that asks, and leads to itself. */
const publishedWorkflow = async ({ ask, make }: Maker): Promise<string> => {
  const [id, node] = [await make('workflow'), await make('workflowNode')];
  await make('workflowTransition');
  await publishAsking(ask, id, node);
  return id;
};
const signInAgain = ({ backend, workspace }: Ground): Promise<Operator> =>
  backend.signIn({ workspace, role: 'superadmin', email: 'ada@example.org' });
/** One rebuild or comparison of read models at a time. */
const maintained = async (_: Ground, { ask }: Maker): Promise<Body> => {
  await until(async () => (await ask<{ current?: object }>('superadmin/projections')).current === undefined);
  return { readModel: 'scripts' };
};

export const makerOn = (ground: Ground): Maker =>
  makerFor(ground.who, {
    alert: async (maker) => {
      await addWebhook(maker);
      return (await maker.ask<{ id: string }>('alert/test')).id;
    },
    deploy: async (maker) => {
      const { id } = await maker.ask<{ id: string }>('deploy', await maker.inputFor(callOf('deploy.deploy')));
      await ended(maker, id);
      return id;
    },
    fleet: failedFleet,
    person: async () => {
      const { backend, workspace } = ground;
      const email = `mia-${randomUUID()}@example.org`;
      const member = await backend.signIn({ workspace, role: 'member', email });
      return (await member.get<{ profile: { id: string } }>('session')).body.profile.id;
    },
    run: failedFleet,
    push: async ({ make }) => waitingPush(ground.who, await make('service')),
    session: async ({ ask }) => {
      await signInAgain(ground);
      const sessions = await ask<{ id: string; current: boolean }[]>('session/list');
      return sessions.find(({ current }) => !current)?.id ?? '';
    },
    modelImport: async ({ ask, make }) => {
      const product = { id: await make('product') };
      const { runId } = await ask<{ runId: string }>('data-model/version/import/structure', { product });
      return runId;
    },
    textImport: async (maker) => {
      const input = await maker.inputFor(callOf('i18n.preview'));
      const { seen } = await maker.ask<{ seen: string }>('i18n/import/preview', input);
      const { runId } = await maker.ask<{ runId: string }>('i18n/import', { ...input, seen });
      await until(
        async () =>
          (await maker.ask<{ state: string }>('i18n/import/detail', { run: runId })).state !== 'open',
      );
      return runId;
    },
    workflowInstance: async (maker) =>
      (await askingInstance(maker.ask, { id: await publishedWorkflow(maker) })).id,
    workflowState: async ({ ask, make }) => {
      const states = await ask<{ id: string }[]>('workflow/state/list', {
        id: await make('workflowInstance'),
      });
      return states[0]?.id ?? '';
    },
    version: async (maker) => {
      const id = await productWithModel(maker);
      return (await maker.ask<{ id: string }>('data-model/version/create', { id })).id;
    },
  });

/** Bodies of calls for which more has to be there than the things in their examples. */
const prepared: Record<string, (ground: Ground, maker: Maker) => Promise<Body>> = {
  'account.disconnect': async ({ who, backend }) => {
    const { body } = await who.get<{ profile: { id: string } }>('session');
    const accounts = `insert into app.identities (workspace, provider, subject, person)
      select workspace, provider, provider, id from app.person_records, unnest(array['github', 'google']) provider
      where id = $1 on conflict do nothing`;
    await backend.db.query(accounts, [body.profile.id]);
    return { provider: 'google' };
  },
  'alert.test': (_, maker) => addWebhook(maker),
  'backup.cancel': async (_, { ask }) => ({
    work: (await ask<{ current: { work: string } }>('backup/overview')).current.work,
  }),
  'data-model.version.apply': async (ground, maker) => (await toApply(ground, maker)).apply,
  'data-model.version.baseline': toRecord,
  'data-model.version.create': async (_, maker) => ({ id: await productWithModel(maker) }),
  'data-model.version.init': async (ground, maker) => {
    const { product, apply } = await toApply(ground, maker);
    await ended(maker, (await maker.ask<{ runId: string }>('data-model/version/apply', apply)).runId);
    return { product, email: 'ada@example.org', password: 'a long password' };
  },
  'database.test': async (ground, maker) => (await realDatabase(ground, maker)).database,
  'deploy.pull': async ({ delivery }, { inputFor }) => {
    delivery.answer(withJson({ version: { version: '1.4.2' } }));
    return { ...(await inputFor(callOf('deploy.pull'))), cdUrl: `${delivery.url}/deploy/shop` };
  },
  'env-var.import': async (_, { ask, inputFor, make }) => {
    // One that the import removes.
    await make('variable');
    const input = await inputFor(callOf('env-var.preview'));
    return { ...input, seen: (await ask<{ seen: string }>('env-var/import/preview', input)).seen };
  },
  'fleet.start': async (_, { inputFor }) => ({ ...(await inputFor(callOf('fleet.start'))), version: 1 }),
  'history.undo': async ({ who }, { ask, make }) => {
    const removed = await who.post('script/delete', { id: await make('script') });
    const position = removed.headers.get('x-position') ?? '';
    return { position, seen: (await ask<{ seen: string }>('history/undo/preview', { position })).seen };
  },
  'i18n.import': async (_, { ask, inputFor }) => {
    const input = await inputFor(callOf('i18n.preview'));
    return { ...input, seen: (await ask<{ seen: string }>('i18n/import/preview', input)).seen };
  },
  'i18n.restoreUnit': async (_, { ask, make }) => {
    const uuid = await make('text');
    const { units } = await ask<{ units: { id: string }[] }>('i18n/detail', { uuid });
    await ask('i18n/update/unit', { id: units[0]?.id ?? '', name: 'Your purchase' });
    return { uuid, language: 1, revision: 0 };
  },
  'i18n.reviewUnit': async (_, { make }) => ({ id: await make('textUnit'), isReviewed: true }),
  'i18n.update': async (_, { make }) => ({ uuid: await make('text'), data: { isIcu: false } }),
  'i18n.updateUnit': async (_, { make }) => ({ id: await make('textUnit'), name: 'Votre achat' }),
  'person.forget': async (_, { ask, make }) => {
    const id = await make('person');
    await ask('person/remove', { id });
    return { id };
  },
  'profile.gh-token.delete': async (_, { ask }) =>
    ask('profile/gh-token/update', { value: 'ghp_0123456789' }),
  'profile.gh-username.delete': async (_, { ask }) => ask('profile/gh-username/update', { value: 'octocat' }),
  'product.backend.insertOfEntity': async (_, { ask, inputFor, make }) => {
    await make('attribute');
    // The kit's example has tenants, and the entity has none.
    const { uuid } = await ask<{ uuid: string }>(
      'product/backend/init',
      await inputFor(callOf('product.backend.init')),
    );
    return { apiInfo: { uuid }, entity: { id: await make('entity') } };
  },
  'product.backend.user.delete': apiUser,
  'product.backend.user.lock': async (...on) => ({ ...(await apiUser(...on)), isLocked: true }),
  'product.backend.user.permit': async (...on) => ({ ...(await apiUser(...on)), permission: 'admin' }),
  'product.backend.user.signOut': apiUser,
  'request.collection.run': async (_, { ask, inputFor, make }) => {
    await ask('request/import', await inputFor(callOf('request.import')));
    return { id: await make('requestCollection'), env: { id: 1 }, runId: randomUUID() };
  },
  'creation.abandon': async (_, maker) => ({ id: await creation(maker, randomUUID()) }),
  'creation.retry': async (_, maker) => ({ id: await failedCreation(maker), section: 'product' }),
  'creation.section': async (_, maker) => ({
    id: await creation(maker, randomUUID()),
    section: 'database',
    values: { host: 'db.example.org', name: 'shop', username: 'shop', password: 'a password', port: 3306 },
  }),
  'creation.undo': async (_, maker) => ({ id: await creation(maker, randomUUID()), section: 'product' }),
  'run.cancel': async (_, maker) => ({ id: await startFleet(maker) }),
  'server.execCmd': async ({ who, sshd }) => ({ id: await registerAt(who, sshd), cmdType: 1 }),
  'session.revokeOthers': async (ground) => {
    await signInAgain(ground);
    return {};
  },
  'workflow.instance.delete': async (_, { ask, make }) => {
    const id = await make('workflowInstance');
    await ask('workflow/instance/cancel', { id });
    return { id };
  },
  'workflow.instance.insert': async (_, maker) => ({ workflow: { id: await publishedWorkflow(maker) } }),
  'workflow.instance.retry': async (_, maker) => {
    // It stops where it would never end.
    const { ask, make } = maker;
    const workflow = { id: await make('workflow') };
    await make('workflowTransition');
    await ask('workflow/publish', workflow);
    const { id, visit } = await instanceThat(ask, await started(ask, workflow), 'stopped');
    return { id, visit };
  },
  'workflow.publish': async (_, { make }) => {
    await make('workflowNode');
    return { id: await make('workflow') };
  },
  'workflow.version.restore': async (_, maker) => {
    const id = await publishedWorkflow(maker);
    await maker.ask('workflow/transition/delete', { id: await maker.make('workflowTransition') });
    return { id, version: 1 };
  },
  'superadmin.rebuild': maintained,
  'superadmin.verify': maintained,
};

/** What to send to a call so that it changes something. */
export const bodyFor = async (call: Call, ground: Ground): Promise<Body> => {
  const maker = makerOn(ground);
  const special = prepared[call.id];
  if (special) return special(ground, maker);
  const input = await maker.inputFor(call);
  if (call.id.endsWith('.restore')) await maker.ask(call.path.replace(/restore$/, 'delete'), input);
  return input;
};

export const addThing = (ground: Ground, thing: Thing): Promise<string> => makerOn(ground).make(thing);
