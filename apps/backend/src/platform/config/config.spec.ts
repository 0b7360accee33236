import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { ConfigError, hasSignInProvider, readConfig } from './config';

const problemsOf = (env: Record<string, string>): string[] => {
  try {
    readConfig(env);
    return [];
  } catch (error) {
    if (error instanceof ConfigError) return error.problems;
    throw error;
  }
};

describe('the environment', () => {
  it('has a default for everything', () => {
    const config = readConfig({});
    expect(config).toMatchObject({
      PORT: 4000,
      HOST: '127.0.0.1',
      DATA_DIR: resolve('.data'),
      OUTBOUND_ALLOW: [],
    });
    expect(hasSignInProvider(config)).toBe(false);
  });

  it('treats an empty variable as unset, because compose files write it that way', () => {
    expect(readConfig({ PORT: '', DATABASE_URL: '' }).PORT).toBe(4000);
  });

  it('takes the password of the database from a file', () => {
    const folder = mkdtempSync(join(tmpdir(), 'config-'));
    const file = join(folder, 'password');
    writeFileSync(file, 'p@ss/w:rd\n');
    const given = { DATABASE_URL: 'postgres://shop@db:5432/shop', DATABASE_PASSWORD_FILE: file };
    expect(readConfig(given).DATABASE_URL).toBe('postgres://shop:p%40ss%2Fw%3Ard@db:5432/shop');
    expect(problemsOf({ DATABASE_PASSWORD_FILE: file })).toEqual([
      'DATABASE_URL is missing beside DATABASE_PASSWORD_FILE',
    ]);
    rmSync(folder, { recursive: true });
    expect(problemsOf(given)).toEqual([
      `DATABASE_PASSWORD_FILE=${file} cannot be read (ENOENT): give the path of a file with the password`,
    ]);
  });

  it('names every wrong variable at once, with what would be right', () => {
    const problems = problemsOf({
      PORT: '70000',
      DATABASE_URL: 'mysql://localhost/x',
      EVENT_STORE_URL: 'http://localhost',
      MASTER_KEY: 'short',
      PUBLIC_URL: 'console.example.org',
      DNS_SERVERS: 'not a server',
      OUTBOUND_ALLOW: '10.0.0.0/99',
      GITHUB_CLIENT_ID: 'id',
      LOG_LEVEL: 'loud',
    });
    expect(problems).toHaveLength(9);
    for (const name of ['PORT', 'DATABASE_URL', 'EVENT_STORE_URL', 'MASTER_KEY', 'PUBLIC_URL', 'DNS_SERVERS'])
      expect(problems.join('\n')).toContain(name);
    expect(problems).toContain('GITHUB_CLIENT_SECRET is missing beside GITHUB_CLIENT_ID');
    expect(problems).toContain('PORT=70000 is not a port between 0 and 65535');
    expect(problems).toContainEqual(
      expect.stringMatching(/^DATABASE_URL=mysql:\/\/localhost\/x is not .*postgres:\/\//),
    );
  });

  it('accepts a prefix that is not the beginning of another one, or none', () => {
    expect(readConfig({}).EVENT_STORE_PREFIX).toBe('quarterdeck.');
    expect(readConfig({ EVENT_STORE_PREFIX: 'team_2.' }).EVENT_STORE_PREFIX).toBe('team_2.');
    expect(readConfig({ EVENT_STORE_PREFIX: 'none' }).EVENT_STORE_PREFIX).toBe('');
    for (const EVENT_STORE_PREFIX of ['team', 'a.b.', 'a-b.', '$a.', '.'])
      expect(problemsOf({ EVENT_STORE_PREFIX })).toEqual([
        `EVENT_STORE_PREFIX=${EVENT_STORE_PREFIX} is not letters, digits and _ with a dot at the end, or none`,
      ]);
  });

  it('hides the secrets in a wrong variable', () => {
    const problems = problemsOf({
      DATABASE_URL: 'mysql://ada:canary@localhost/x',
      EVENT_STORE_URL: 'canary',
      MASTER_KEY: 'canary',
    });
    expect(problems).toHaveLength(3);
    expect(problems.join('\n')).not.toContain('canary');
  });

  it.each(['0'.repeat(64), Buffer.alloc(32, 7).toString('base64')])('accepts the master key %s', (key) => {
    expect(readConfig({ MASTER_KEY: key }).MASTER_KEY).toBe(key);
  });

  it.each([
    ['proxy.example.org', 'is not a list such as 10.0.0.0/8,192.168.1.7,loopback'],
    ['10.0.0.0/33', 'is not a list such as 10.0.0.0/8,192.168.1.7,loopback'],
    [
      '10.0.0.1,::/0',
      'contains a network of all addresses, so everybody could choose the address that they count for',
    ],
    ['none,10.0.0.1', 'says none beside other entries'],
  ])('refuses %s as trusted proxies', (TRUSTED_PROXIES, wrong) => {
    expect(problemsOf({ TRUSTED_PROXIES })).toEqual([`TRUSTED_PROXIES=${TRUSTED_PROXIES} ${wrong}`]);
  });

  it('shows no token that is wrong', () => {
    expect(problemsOf({ METRICS_TOKEN: 'too short' })).toEqual([
      'METRICS_TOKEN is not 16 to 200 letters, digits and signs of a bearer token',
    ]);
  });

  it('parses lists', () => {
    const config = readConfig({
      OUTBOUND_ALLOW: '10.0.0.0/8, fd00::/8,ci.example.org',
      DNS_SERVERS: '127.0.0.1:5353',
      TRUSTED_PROXIES: 'loopback, 10.0.0.0/8,fd00::1',
    });
    expect(config.TRUSTED_PROXIES).toEqual(['loopback', '10.0.0.0/8', 'fd00::1']);
    expect(config.OUTBOUND_ALLOW).toEqual(['10.0.0.0/8', 'fd00::/8', 'ci.example.org']);
    expect(config.DNS_SERVERS).toEqual(['127.0.0.1:5353']);
  });
});
