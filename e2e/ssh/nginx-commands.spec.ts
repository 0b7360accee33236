/** The fixed commands about nginx, with a real nginx. covers: SRV-05 */
import { appendFileSync, chmodSync, readFileSync, writeFileSync } from 'node:fs';
import { get } from 'node:http';
import { type AddressInfo, createServer } from 'node:net';
import { type CommandServers, startCommandServers } from './command-servers';

let servers: CommandServers;
beforeAll(async () => {
  servers = await startCommandServers();
});
afterAll(() => servers.stop());

describe('nginx', () => {
  const page = (): Promise<number | undefined> =>
    new Promise((resolve) => {
      // A connection of its own: a kept one ends with the nginx that is restarted.
      get(`http://127.0.0.1:${servers.nginx.port}/`, { agent: false }, (response) => {
        response.resume();
        resolve(response.statusCode);
      }).on('error', () => resolve(undefined));
    });

  it('is tested', async () => {
    const { exitCode, err } = await servers.command(servers.root, 'nginxTest');
    expect(exitCode).toBe(0);
    expect(err).toContain('test is successful');
  });

  it('is started, and restarted with its changes', async () => {
    expect(await page()).toBeUndefined();
    const { exitCode, out } = await servers.command(servers.root, 'nginxTestandRestart');
    expect([exitCode, out]).toEqual([
      0,
      expect.stringMatching(/The test passed\. Done: .+\. nginx runs\.\n$/),
    ]);
    expect(await page()).toBe(200);

    const before = readFileSync(servers.nginx.configFile, 'utf8');
    writeFileSync(
      servers.nginx.configFile,
      before.replace('server_name app.test;', 'server_name app.test; return 204;'),
    );
    expect((await servers.command(servers.root, 'nginxTestandRestart')).exitCode).toBe(0);
    expect(await page()).toBe(204);
    writeFileSync(servers.nginx.configFile, before);
  });

  it('continues unchanged if the test fails', async () => {
    await servers.command(servers.root, 'nginxTestandRestart');
    const before = readFileSync(servers.nginx.configFile, 'utf8');
    appendFileSync(servers.nginx.configFile, 'nonsense on;\n');
    for (const name of ['nginxTest', 'nginxTestandRestart'] as const) {
      const { exitCode, err } = await servers.command(servers.root, name);
      expect(exitCode).toBe(1);
      expect(err).toContain('unknown directive "nonsense"');
    }
    expect((await servers.command(servers.root, 'nginxTestandRestart')).err).toContain(
      'The test failed. nginx was not touched.',
    );
    writeFileSync(servers.nginx.configFile, before);
    expect(await page()).toBe(200);
  });

  it('says why if the test passes but the start fails', async () => {
    const before = readFileSync(servers.nginx.configFile, 'utf8');
    const squatter = createServer();
    await new Promise<void>((resolve) => squatter.listen(0, '127.0.0.1', resolve));
    const { port } = squatter.address() as AddressInfo;
    writeFileSync(servers.nginx.configFile, before.replace(`:${servers.nginx.port};`, `:${port};`));
    const { exitCode, err } = await servers.command(servers.root, 'nginxTestandRestart');
    expect(exitCode).not.toBe(0);
    expect(err).toContain(`bind() to 127.0.0.1:${port} failed`);
    expect(err).toContain('The test passed, but the restart failed. nginx does not run.\n');
    squatter.close();
    writeFileSync(servers.nginx.configFile, before);
  });

  it('shows the last hundred lines of both logs', async () => {
    writeFileSync(
      servers.nginx.accessLog,
      Array.from({ length: 150 }, (_, index) => `GET /${index}\n`).join(''),
    );
    writeFileSync(servers.nginx.errorLog, '');
    const { exitCode, out } = await servers.command(servers.root, 'nginxLogs');
    expect(exitCode).toBe(0);
    expect(out).toContain('== /var/log/nginx/error.log (last 100 lines)\n(empty)\n');
    expect(out).toContain('== /var/log/nginx/access.log (last 100 lines)\nGET /50\n');
    expect(out).toMatch(/GET \/149\n$/);
  });

  it('says that the account lacks the permission', async () => {
    chmodSync(servers.nginx.accessLog, 0o600);
    chmodSync(servers.nginx.errorLog, 0o600);
    expect(await servers.command(servers.operator, 'nginxLogs')).toMatchObject({
      exitCode: 126,
      err: 'The account has no permission to read the logs.\n',
    });
    const { exitCode, err } = await servers.command(servers.operator, 'nginxTest');
    expect(exitCode).toBe(1);
    expect(err).toContain('Tested as operator, which is not root and cannot use sudo');
  });

  it.each(['nginxTest', 'nginxTestandRestart', 'nginxLogs'] as const)(
    '%s says that nginx is not installed',
    async (name) => {
      expect(await servers.command(servers.bare, name)).toMatchObject({
        exitCode: 127,
        err: 'nginx is not installed on this server.\n',
      });
    },
  );
});
