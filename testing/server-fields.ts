/** What a server is registered with, except its key. Apart, since the browser tests cannot load Nest. */
export const fieldsOf = (alias: string, at: { host: string; port: number; username: string }) => ({
  alias,
  host: at.host,
  port: at.port,
  username: at.username,
  root: '/root',
  path: '/root/volumes/static',
  nginxPath: '/root/volumes/nginx_config',
});
