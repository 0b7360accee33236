/** A server as the list and detail calls return it. */
import { serverColumns, worstServersFirst, type ServerRow } from '@quarterdeck/projections';
import type { Call, Reply } from './network';
import { pagesOf } from './pages';
import { sessionOf } from './render';

export const serverOf = (id: string, alias: string, more: object = {}) => {
  const at = '2026-11-20T12:00:00.000Z';
  const by = sessionOf().profile.id;
  return {
    id,
    uuid: id,
    alias,
    host: '10.0.0.3',
    port: 22,
    username: 'root',
    root: '/root',
    path: '/root/volumes/static',
    nginxPath: '/root/volumes/nginx_config',
    key: { fingerprint: 'SHA256:abc', algorithm: 'ssh-ed25519', setAt: at },
    registeredAt: at,
    registeredBy: by,
    changedAt: at,
    changedBy: by,
    revision: 1,
    ...more,
  };
};

/** Answers the call for the list of servers, worst first like the back end. */
export const pageOfServers =
  (servers: readonly object[], samples: readonly { server?: string }[] = []) =>
  (call: Call): Reply => {
    const { ids } = call.body as { ids?: string[] };
    const rows = (servers as ServerRow[])
      .filter(({ id }) => ids?.includes(id) ?? true)
      .map((server) => ({
        ...server,
        newest: samples.find(({ server: of }) => of === server.id) as ServerRow['newest'],
      }));
    return pagesOf(serverColumns, worstServersFirst(rows))(call);
  };
