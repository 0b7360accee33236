/** A real nginx with all its files in one temporary folder, for sites on high loopback ports. */
import { execFileSync, spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { siteConfig } from '../../apps/backend/src/webserver/site-config';
import { siteFileName, siteLogFolder, type Site } from '../../apps/backend/src/webserver/site-model';

export class NginxPrefix {
  readonly folder = mkdtempSync(join(tmpdir(), 'nginx-prefix-'));
  readonly sites = join(this.folder, 'sites');
  readonly certificate = { fullchain: join(this.folder, 'site.pem'), key: join(this.folder, 'site.key') };
  private running?: ChildProcess;

  constructor() {
    chmodSync(this.folder, 0o755);
    mkdirSync(this.sites);
    const subject = ['-subj', '/CN=site.test', '-addext', 'subjectAltName=DNS:site.test,DNS:*.site.test'];
    const kind = ['-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes', '-days', '2'];
    const { fullchain, key } = this.certificate;
    execFileSync('openssl', ['req', ...kind, ...subject, '-keyout', key, '-out', fullchain], {
      stdio: 'ignore',
    });
    const place = (name: string) => join(this.folder, name);
    const lines = [
      'user root;',
      'worker_processes 1;',
      `pid ${place('nginx.pid')};`,
      `error_log ${place('error.log')};`,
      'events { worker_connections 256; }',
      'http {',
      ...['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
        (name) => `${name}_temp_path ${place(`${name}-temp`)};`,
      ),
      'access_log off;',
      'types { text/html html; text/css css; text/plain txt; }',
      `include ${this.sites}/*.conf;`,
      '}',
    ];
    writeFileSync(place('nginx.conf'), `${lines.join('\n')}\n`);
    writeFileSync(place('error.log'), '');
  }

  /** Writes the site's file and creates the folder for its logs, as on a server. */
  write(site: Site): void {
    mkdirSync(siteLogFolder(site), { recursive: true });
    writeFileSync(join(this.sites, siteFileName(site.serverName)), siteConfig(site));
  }

  remove(site: Site): void {
    rmSync(join(this.sites, siteFileName(site.serverName)));
  }

  private get command(): string[] {
    return [
      '-p',
      `${this.folder}/`,
      '-c',
      join(this.folder, 'nginx.conf'),
      '-e',
      join(this.folder, 'error.log'),
    ];
  }

  /** nginx's own test of everything written. Each log is an open file, so the shell's limit is raised. */
  test(): { status: number | null; message: string } {
    const script = 'ulimit -n "$(ulimit -H -n)"; exec nginx "$@" -t';
    const { status, stderr } = spawnSync('sh', ['-c', script, 'nginx', ...this.command], {
      encoding: 'utf8',
      maxBuffer: 64 * 1024 * 1024,
    });
    return { status, message: stderr };
  }

  async start(port: number): Promise<void> {
    const child = spawn('nginx', [...this.command, '-g', 'daemon off;'], { stdio: 'ignore' });
    this.running = child;
    while (!(await this.listens(port))) {
      if (child.exitCode !== null)
        throw new Error(`nginx ended: ${readFileSync(join(this.folder, 'error.log'), 'utf8')}`);
      await pause(20);
    }
  }

  private listens(port: number): Promise<boolean> {
    return new Promise((resolve) => {
      const socket = connect(port, '127.0.0.1');
      socket.once('connect', () => resolve(true)).once('error', () => resolve(false));
      socket.once('connect', () => socket.destroy());
    });
  }

  async end(): Promise<void> {
    if (this.running?.exitCode === null) {
      const over = once(this.running, 'exit');
      this.running.kill('SIGTERM');
      await over;
    }
    rmSync(this.folder, { recursive: true, force: true });
  }
}
