import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { freePort } from './free-port';

export interface NginxFiles {
  port: number;
  configFile: string;
  accessLog: string;
  errorLog: string;
  /** Folders on this machine, by their paths on the server. */
  mounts: Record<string, string>;
}

export const nginxIsInstalled = (): boolean => existsSync('/usr/sbin/nginx') && existsSync('/etc/nginx');

/** Makes an nginx configuration that listens on a free loopback port and has its own logs. */
export const makeNginxFiles = async (folder: string): Promise<NginxFiles> => {
  const config = join(folder, 'nginx');
  const logs = join(folder, 'nginx-logs');
  const data = join(folder, 'nginx-data');
  const html = join(folder, 'nginx-html');
  for (const place of [config, logs, data, html]) mkdirSync(place, { recursive: true });
  const port = await freePort();
  const configFile = join(config, 'nginx.conf');
  const lines = [
    'pid /run/nginx.pid;',
    'worker_processes 1;',
    'error_log /var/log/nginx/error.log;',
    'events { worker_connections 64; }',
    'http {',
    '  access_log /var/log/nginx/access.log;',
    '  server {',
    `    listen 127.0.0.1:${port};`,
    '    server_name app.test;',
    `    root ${html};`,
    '  }',
    '}',
  ];
  writeFileSync(configFile, `${lines.join('\n')}\n`);
  writeFileSync(join(html, 'index.html'), '<h1>It is up</h1>\n');
  const [accessLog, errorLog] = [join(logs, 'access.log'), join(logs, 'error.log')];
  writeFileSync(accessLog, '');
  writeFileSync(errorLog, '');
  const mounts = { '/etc/nginx': config, '/var/log/nginx': logs, '/var/lib/nginx': data };
  return { port, configFile, accessLog, errorLog, mounts };
};
