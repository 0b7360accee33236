/** nginx with TLS in front of a server of this machine. */
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from './free-port';
import { until } from './patience';
import { untilWeDie } from './sshd-root';

export const startTlsNginx = async (
  behind: number,
  { key, cert }: { key: string; cert: string },
  /** More lines of its location. */
  more: readonly string[] = [],
): Promise<{ url: string; port: number; stop: () => Promise<void> }> => {
  const folder = mkdtempSync(join(tmpdir(), 'quarterdeck-nginx-'));
  const port = await freePort();
  writeFileSync(join(folder, 'key.pem'), key, { mode: 0o600 });
  writeFileSync(join(folder, 'cert.pem'), cert);
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'];
  const lines = [
    `pid ${folder}/pid;`,
    `error_log ${folder}/error.log;`,
    'daemon off;',
    'master_process off;',
    'events { worker_connections 64; }',
    'http {',
    '  access_log off;',
    ...temporary.map((name) => `  ${name}_temp_path ${folder}/${name};`),
    '  server {',
    `    listen 127.0.0.1:${port} ssl;`,
    `    ssl_certificate ${folder}/cert.pem;`,
    `    ssl_certificate_key ${folder}/key.pem;`,
    '    client_max_body_size 0;',
    '    location / {',
    `      proxy_pass http://127.0.0.1:${behind};`,
    '      proxy_set_header Host $http_host;',
    '      proxy_http_version 1.1;',
    ...more.map((line) => `      ${line}`),
    '    }',
    '  }',
    '}',
  ];
  const file = join(folder, 'nginx.conf');
  writeFileSync(file, `${lines.join('\n')}\n`);
  const [program = 'setpriv', ...dies] = untilWeDie;
  const child = spawn(program, [...dies, '/usr/sbin/nginx', '-c', file, '-e', join(folder, 'error.log')], {
    stdio: 'ignore',
  });
  const gone = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  child.unref();
  await until(
    () =>
      new Promise<boolean>((resolve) => {
        const socket = connect(port, '127.0.0.1', () => resolve(true));
        socket.on('error', () => resolve(false)).on('connect', () => socket.destroy());
      }),
  );
  return {
    url: `https://127.0.0.1:${port}`,
    port,
    stop: async () => {
      child.ref();
      child.kill('SIGKILL');
      await gone;
      rmSync(folder, { recursive: true, force: true });
    },
  };
};
