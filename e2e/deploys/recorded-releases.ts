/**
 * Services whose deploys are only recorded, as finished runs record them. For what depends on deploys and touches no
 * server.
 */
import type { HistoryView } from '@quarterdeck/projections';
import { v7 as uuidv7 } from 'uuid';
import { Decisions } from '../../apps/backend/src/platform/decisions';
import { ownMeta } from '../../apps/backend/src/platform/sessions';
import { DeployVariables } from '../../apps/backend/src/deploys/deploy-variables';
import { RecordServed, RequestRelease, deploysDecider } from '../../apps/backend/src/deploys/deploys.decider';
import { VariableReader } from '../../apps/backend/src/variables';
import { fieldsOf, idleKey, nowhere, type World } from '../backend/world';
import type { Operator } from '../../testing/backend';
import { good } from './container-server';

interface Ids {
  id: string;
}

export interface RecordedGround {
  product: string;
  server(alias: string): Promise<string>;
  service(name: string, server: string, more?: object): Promise<string>;
  /** Records a deploy that served, with the variables that the service has now. @returns its id */
  release(service: string, version: string, how?: { env?: number; serves?: boolean }): Promise<string>;
  /** What the history says about a thing, oldest first. */
  said(category: string, id: string): Promise<string[]>;
}

/** Counts up: two services of a server never have the same port. */
let port = 4000;

export const recordedGround = async (world: World, operator: Operator): Promise<RecordedGround> => {
  const { app, caughtUp } = world.backend;
  const decisions = app.get(Decisions, { strict: false });
  const kept = app.get(DeployVariables, { strict: false });
  const variables = app.get(VariableReader, { strict: false });
  const product = (
    await good<Ids>(operator, 'product/insert', { data: { name: `Product ${uuidv7()}`, description: '' } })
  ).id;
  const { id: workspace } = await good<Ids>(operator, 'workspace/detail', {});

  const server: RecordedGround['server'] = async (alias) =>
    (
      await good<Ids>(operator, 'server/insert', {
        ...fieldsOf(alias, nowhere),
        privateKey: idleKey(),
      })
    ).id;
  const service: RecordedGround['service'] = async (name, on, more = {}) => {
    const data = {
      name,
      nameFront: '',
      organization: 'acme',
      repo: name.toLowerCase(),
      repoFront: '',
      server: { id: on },
      port: ++port,
      packageType: 'container',
      packageSubfolder: '',
      withDb: false,
      ...more,
    };
    return (await good<Ids>(operator, 'service/insert', { data, product: { id: product } })).id;
  };
  const release: RecordedGround['release'] = async (id, version, { env = 3, serves = true } = {}) => {
    const {
      name,
      port,
      server: on,
    } = await good<{ name: string; port: number; server: Ids }>(operator, 'service/detail', {
      id,
    });
    const { alias } = await good<{ alias: string }>(operator, 'server/detail', { id: on.id });
    const image = `ghcr.io/acme/${name.toLowerCase()}:${version}`;
    const fields = { data: { version, image, digest: '' }, service: { id } };
    const known = await good<(Ids & { version: string })[]>(operator, 'package/list', { service: { id } });
    const packageId =
      known.find((one) => one.version === version)?.id ??
      (await good<Ids>(operator, 'package/insert', fields)).id;
    const release = uuidv7();
    const meta = () => ownMeta('system', workspace);
    const saved = await variables.read(id, env, workspace);
    const place = { release, service: id, workspace };
    const data = {
      service: { id, name },
      product,
      server: { id: on.id, name: alias },
      env,
      package: { id: packageId, version, image },
      port,
      health: { path: '/', seconds: 60 },
      keep: 3,
      compose: '',
      variables: (await kept.keep(saved, place)).kept,
    };
    await decisions.execute(deploysDecider, new RequestRelease(release, data, meta()));
    const digest = `sha256:${'0'.repeat(64)}`;
    const served = { digest, hostPort: 20_417, proxy: '' };
    if (serves) await decisions.execute(deploysDecider, new RecordServed(release, served, meta()));
    await caughtUp();
    return release;
  };
  const said: RecordedGround['said'] = async (category, id) => {
    const { events } = await good<{ events: HistoryView[] }>(operator, 'history/list', {
      subject: { category, id },
    });
    return events.toReversed().map(({ says }) => says);
  };
  return { product, server, service, release, said };
};
