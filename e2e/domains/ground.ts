/** Two operators of a back end that asks a real bind9, and a server whose host is the loopback address. */
import type { DomainRow, DomainView } from '@quarterdeck/projections';
import { fieldsOf, idleKey, openWorld, type World } from '../backend/world';
import type { Operator } from '../../testing/backend';
import type { Answer } from '../../testing/operator';
import { startBind, type Bind } from '../../testing/bind';

export interface Ids {
  id: string;
  uuid: string;
}

export interface Refused {
  msg: string;
  data?: Record<string, string>;
  current?: DomainView;
}

export interface DomainGround {
  world: World;
  bind: Bind;
  alice: Operator;
  bob: Operator;
  /** Registers a server. @returns its id */
  server(alias: string, host?: string): Promise<string>;
  /** Adds a domain as Alice. */
  insert(serverName: string, server: string): Promise<Answer<Ids & Refused>>;
  /** Adds a name below bind's zone that points to the loopback address, as a domain. @returns its id */
  domain(label: string, server: string): Promise<string>;
  detail(id: string, who?: Operator): Promise<DomainView>;
  list(): Promise<DomainRow[]>;
  /** The events of a stream, oldest first. */
  events(
    stream: string,
  ): Promise<{ type: string; actor: string; cause: string; data: Record<string, unknown> }[]>;
  end(): Promise<void>;
}

export const openDomainGround = async (): Promise<DomainGround> => {
  const bind = await startBind();
  const env = { DNS_SERVERS: bind.server, OUTBOUND_ALLOW: '127.0.0.0/8' };
  const world = await openWorld({ env }).catch(async (error: unknown) => {
    await bind.stop();
    throw error;
  });
  const alice = await world.backend.signIn({ email: 'alice@example.org' });
  const bob = await world.backend.signIn({ email: 'bob@example.org' });
  const privateKey = idleKey();

  const server: DomainGround['server'] = async (alias, host = '127.0.0.1') => {
    const at = { host, port: 9, username: 'root' };
    const { body } = await alice.post<Ids>('server/insert', { ...fieldsOf(alias, at), privateKey });
    return body.id;
  };
  const insert: DomainGround['insert'] = (serverName, id) =>
    alice.post<Ids & Refused>('domain/insert', { serverName, server: { id } });
  const domain: DomainGround['domain'] = async (label, on) => {
    bind.change(`add ${label}.${bind.zone} 60 A 127.0.0.1`);
    const { status, body } = await insert(`${label}.${bind.zone}`, on);
    if (status !== 200) throw new Error(`not added: ${JSON.stringify(body)}`);
    return body.id;
  };
  const events: DomainGround['events'] = async (stream) => {
    const { rows } = await world.backend.db.query<{
      type: string;
      meta: { actor: string; causationId: string };
      data: Record<string, unknown>;
    }>('select type, meta, data from log.events where stream = $1 order by revision', [stream]);
    return rows.map(({ type, meta, data }) => ({ type, data, actor: meta.actor, cause: meta.causationId }));
  };
  const end = async (): Promise<void> => {
    await world.end();
    await bind.stop();
  };
  return {
    world,
    bind,
    alice,
    bob,
    server,
    insert,
    domain,
    events,
    end,
    detail: async (id, who = alice) => (await who.post<DomainView>('domain/detail', { id })).body,
    list: async () => (await alice.get<DomainRow[]>('domain/list')).body,
  };
};
