/** A server as the list and the detail answer it. */
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
