/** A workspace with more servers and domains than anybody has, for lists. */
import { streamName, type AppEvent, type NewEvent } from '@quarterdeck/events';
import { v7 as uuid } from 'uuid';
import { AddDomain, domainsDecider } from '../apps/backend/src/domains/domains.decider';
import { ownMeta } from '../apps/backend/src/platform/sessions/session';
import { RegisterServer, serversDecider } from '../apps/backend/src/servers/servers.decider';
import { openLog } from '../testing/log';
import { write } from '../testing/busy-log';
import type { Append } from '../testing/teller';

/** No back end may run. */
export async function writeRows(databaseUrl: string, workspace: string, rows: number): Promise<void> {
  const append = (category: 'server' | 'domain', id: string, decided: readonly AppEvent[]): Append => {
    const { correlationId, causationId, actor, at } = ownMeta('cli', workspace);
    const meta = { at, actor, workspace, correlationId, causationId, v: '1' };
    return {
      stream: streamName(category, id),
      events: decided.map(({ type, data }): NewEvent => ({ type, data, meta: { ...meta, id: uuid() } })),
    };
  };
  function* appends(): Generator<Append> {
    for (let at = 0; at < rows; at += 1) {
      const [server, domain] = [uuid(), uuid()];
      const meta = ownMeta('cli', workspace);
      const fields = { alias: `many-${at}`, host: `10.0.${at >> 8}.${at & 255}`, port: 22, username: 'root' };
      const paths = { root: '/root', path: '/root/volumes/static', nginxPath: '/root/volumes/nginx_config' };
      const key = { ref: uuid(), fingerprint: `SHA256:${server}`, algorithm: 'ssh-ed25519' };
      const registered = new RegisterServer(server, { ...fields, ...paths, key }, meta);
      yield append('server', server, serversDecider.decide(registered, serversDecider.initial));
      const addresses = [{ address: '192.0.2.1', family: 4 }];
      const added = new AddDomain(domain, { serverName: `shop-${at}.example`, server, addresses }, meta);
      yield append('domain', domain, domainsDecider.decide(added, domainsDecider.initial));
    }
  }
  const store = await openLog(databaseUrl);
  await write(store, appends());
  await store.close();
}
