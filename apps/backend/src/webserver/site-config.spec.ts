import { DomainError } from '../platform/errors';
import { isNamedIn, originOfMessage, serverStatement, siteConfig, siteText } from './site-config';
import { siteProblems } from './site-problems';
import { logFormatOf, siteLogs, type Site, type SiteLocation } from './site-model';

const id = '0190a000-0000-7000-8000-000000000001';
const site = (change: Partial<Site> = {}): Site => ({
  serverName: 'app.test',
  options: { docker: false, ssl: false, gzip: false },
  locations: [],
  folders: { path: '/srv/static/', root: '/root', nginxPath: '/srv/nginx' },
  ipv6: false,
  ...change,
});
const at = (location: Partial<SiteLocation>, change: Partial<Site> = {}): Site =>
  site({ locations: [{ id, location: '/', ...location }], ...change });
const linesOf = (one: Site): string[] =>
  siteConfig(one)
    .split('\n')
    .map((line) => line.trim());
const tls = { docker: false, ssl: true, gzip: false };

it('A site without locations answers ACME challenges, and 404 to everything else', () => {
  const lines = linesOf(site());
  expect(lines).toEqual(expect.arrayContaining(['listen 80;', 'server_name app.test;']));
  expect(siteConfig(site())).toMatch(/acme-challenge\/ \{\s+root "\/srv\/static\/\.acme";/);
  expect(siteConfig(site())).toMatch(/location \/ \{\s+return 404;/);
});

it('Logs have the format combined with the time of the request, under a name that no other site has', () => {
  const both = site({ options: tls, locations: [{ id, location: '/a', url: 'http://app' }] });
  const lines = linesOf(both);
  const format = logFormatOf(both);
  expect(lines.filter((line) => line.startsWith('log_format'))).toEqual([
    `log_format ${format} "\${remote_addr} - \${remote_user} [\${time_local}] \\"\${request}\\" \${status} \${body_bytes_sent} \\"\${http_referer}\\" \\"\${http_user_agent}\\" \${request_time}";`,
  ]);
  const logs = lines.filter((line) => line.startsWith('access_log "'));
  expect(logs.length).toBeGreaterThan(2);
  for (const line of logs) expect(line.endsWith(` ${format};`)).toBe(true);
  const others = [site({ serverName: 'other.test' }), site({ folders: { ...both.folders, root: '/srv' } })];
  expect(new Set([both, ...others].map(logFormatOf)).size).toBe(3);
});

it('The same site always gives the same text', () => {
  expect(siteConfig(at({ url: 'http://app' }))).toBe(siteConfig(at({ url: 'http://app' })));
});

it('An API of a console is asked by the name of the console, and below its path', () => {
  const url = `https://console.test/api/instance/${id}`;
  const lines = linesOf(at({ location: '/shop', url }));
  expect(lines).toContain('proxy_set_header Host "console.test";');
  expect(lines).toContain('proxy_set_header X-Forwarded-Host "${host}";');
  expect(lines.some((line) => line.startsWith('rewrite') && line.includes(`/api/instance/${id}`))).toBe(true);
  expect(linesOf(at({ url: 'https://console.test/api/other' }))).toContain(
    'proxy_set_header Host "${host}";',
  );
});

it("TLS listens on 443 in the syntax of old and new nginx, with the certificate in certbot's folder", () => {
  const lines = linesOf(site({ options: tls, ipv6: true }));
  expect(lines).toEqual(
    expect.arrayContaining([
      'listen 443 ssl http2;',
      'listen "[::]:443" ssl http2;',
      'listen "[::]:80";',
      'ssl_protocols TLSv1.2 TLSv1.3;',
      'ssl_certificate "/etc/letsencrypt/live/app.test/fullchain.pem";',
      'ssl_certificate_key "/etc/letsencrypt/live/app.test/privkey.pem";',
      'return 301 "https://app.test${request_uri}";',
    ]),
  );
});

it('A wildcard has files of its own without a star, and keeps the name that the visitor asked for', () => {
  const serverName = '*.app.test';
  const wildcard = site({ serverName, options: tls });
  const lines = linesOf(wildcard);
  expect(lines).toEqual(
    expect.arrayContaining([
      'server_name *.app.test;',
      `access_log "/root/.quarterdeck/logs/_wildcard.app.test/site.access.log" ${logFormatOf(wildcard)};`,
      'ssl_certificate "/etc/letsencrypt/live/_wildcard.app.test/fullchain.pem";',
      'return 301 "https://${host}${request_uri}";',
    ]),
  );
  const replaced = siteConfig(at({ location: '/a/', url: 'http://127.0.0.1:3000/b/' }, { serverName }));
  expect(replaced).toContain('https?://[^/]+\\\\.app\\\\.test');
  const long = `*.${'a'.repeat(50)}.test`;
  expect(linesOf(site({ serverName: long }))).toContain(
    `server_name "~^[^/]+\\\\.${'a'.repeat(50)}\\\\.test$";`,
  );
});

it('An address is written in place; a name is a variable that is resolved per request', () => {
  for (const address of ['http://10.0.0.1:3000', 'http://[::1]:3000', 'http://localhost:3000'])
    expect(linesOf(at({ url: address }))).toContain(`proxy_pass "${address}";`);
  expect(linesOf(at({ url: 'https://app.internal:3000' }))).toEqual(
    expect.arrayContaining([
      expect.stringMatching(/^include "\/.*\/\.names\/resolver\.con\[f\]";$/),
      'set $qd_name "app.internal";',
      expect.stringMatching(/^include "\/.*\/\.names\/host-app\.internal\.con\[f\]";$/),
      'set $qd_upstream "https://${qd_name}:3000";',
      'proxy_pass $qd_upstream;',
      'proxy_ssl_name "app.internal";',
    ]),
  );
  const docker = linesOf(at({ url: 'http://app:3000' }, { options: { ...tls, docker: true } }));
  expect(docker).toEqual(
    expect.arrayContaining([
      'resolver 127.0.0.11 valid=10s ipv6=off;',
      'set $qd_upstream "http://app:3000";',
      'proxy_pass $qd_upstream;',
    ]),
  );
});

it('A gRPC upstream without a port gets the usual one: nginx knows none', () => {
  expect(linesOf(at({ url: 'grpc://[::1]' }))).toContain('grpc_pass "grpc://[::1]:80";');
  expect(linesOf(at({ url: 'grpcs://10.0.0.7' }))).toContain('grpc_pass "grpcs://10.0.0.7:443";');
  expect(linesOf(at({ url: 'grpcs://rpc.internal' }))).toContain(
    'set $qd_upstream "grpcs://${qd_name}:443";',
  );
  expect(linesOf(at({ url: 'grpc://10.0.0.7:5000' }))).toContain('grpc_pass "grpc://10.0.0.7:5000";');
});

it("A timeout applies to connecting, sending and reading; connecting is limited to nginx's maximum", () => {
  const seconds = (timeout: number) =>
    linesOf(at({ url: 'http://app', timeout })).filter((line) => line.includes('_timeout'));
  expect(seconds(300)).toEqual([
    'proxy_connect_timeout 75s;',
    'proxy_send_timeout 300s;',
    'proxy_read_timeout 300s;',
  ]);
  expect(linesOf(at({ url: 'http://app', websocket: true }))).toContain('proxy_read_timeout 3600s;');
});

it("A name longer than the hash's 46 bytes becomes a pattern", () => {
  const long = `${'a'.repeat(42)}.test`;
  expect(linesOf(site({ serverName: long.slice(1) }))).toContain(`server_name ${long.slice(1)};`);
  expect(linesOf(site({ serverName: long }))).toContain(`server_name "~^${'a'.repeat(42)}\\\\.test$";`);
});

it('Each line says which field it belongs to', () => {
  const one = at({ url: 'http://app', timeout: 5, isCorsEnabled: true, websocket: true }, { options: tls });
  const { text, origins } = siteText(one);
  const lines = text.split('\n');
  expect(origins).toHaveLength(lines.length - 1);
  const originOf = (words: string) => origins[lines.findIndex((line) => line.includes(words))];
  expect({
    name: originOf('server_name'),
    pass: originOf('proxy_pass'),
    timeout: originOf('proxy_read_timeout'),
    cors: originOf('Access-Control-Allow-Origin'),
    websocket: originOf('Upgrade'),
    block: originOf('location "/"'),
    key: originOf('ssl_certificate_key'),
    gzip: originOf('gzip off'),
    listen: originOf('listen 443'),
  }).toEqual({
    name: 'serverName',
    pass: 'locations.0.url',
    timeout: 'locations.0.timeout',
    cors: 'locations.0.isCorsEnabled',
    websocket: 'locations.0.websocket',
    block: 'locations.0.location',
    key: 'certificate.key',
    gzip: 'options.gzip',
    listen: 'options.ssl',
  });
});

it('A message of nginx is mapped to a field by its line, or else by the text that it quotes', () => {
  const printed = siteText(at({ url: 'http://absent:3000' }));
  const line = printed.text.split('\n').findIndex((one) => one.includes('proxy_pass')) + 1;
  const message = (file: string) => `nginx: [emerg] host not found in upstream "absent" in ${file}:${line}\n`;
  expect(originOfMessage(printed, message('/x/app.test.conf'), 'app.test.conf')).toBe('locations.0.url');
  expect(originOfMessage(printed, message('/x/other.conf'), 'app.test.conf')).toBeUndefined();
  const log = siteLogs(site(), id).access;
  expect(
    originOfMessage(printed, `nginx: [emerg] open() "${log}" failed (2: No such file)`, 'app.test.conf'),
  ).toBe('folders.root');
  expect(originOfMessage(printed, 'nginx: something else', 'app.test.conf')).toBeUndefined();
});

it('A site that cannot be written is refused with its fields, and nothing is written', () => {
  const refused = () => siteConfig(at({ url: 'http://app/$uri', timeout: 0 }));
  expect(refused).toThrow(DomainError);
  try {
    refused();
  } catch (error) {
    expect(Object.keys((error as DomainError).data ?? {})).toEqual([
      'locations.0.url',
      'locations.0.timeout',
    ]);
  }
});

it('The sites of a server are one text, each under the name of its file: as it is live, or would be written', () => {
  const live = 'server { return 204; }\n';
  const never = site({ serverName: 'b.test' });
  expect(
    serverStatement([
      { site: site(), live },
      { site: never, live: undefined },
      { site: site({ serverName: 'c..test' }), live: undefined },
    ]),
  ).toBe(
    `# app.test.conf\n${live}\n# b.test.conf, never applied\n${siteConfig(never)}\n# c..test.conf, never applied, and not writable\n`,
  );
});

describe('other names', () => {
  const named = (more: Partial<Site> = {}): Site =>
    site({
      names: [
        { name: 'www.app.test', does: 'redirects' },
        { name: 'app.example', does: 'serves' },
      ],
      ...more,
    });
  const blocksOf = (one: Site): string[] =>
    siteConfig(one)
      .split(/^server /m)
      .slice(1);

  it('are served alike in the block of the main name, or redirected in a block of their own', () => {
    const [main, redirecting, ...rest] = blocksOf(named());
    expect(rest).toEqual([]);
    expect(main).toContain('server_name app.test;\n    server_name app.example;\n');
    expect(main).not.toContain('www.app.test');
    expect(redirecting).toContain('server_name www.app.test;');
    expect(redirecting).toContain('return 301 "${scheme}://app.test${request_uri}";');
  });

  it('with TLS, redirect by HTTPS on both ports, and keep the name that is served alike', () => {
    const text = siteConfig(named({ options: tls }));
    const [plain, secure, ...redirecting] = blocksOf(named({ options: tls }));
    const [, host] = /map \$host \$(qd_host_\w+) \{/.exec(text) ?? [];
    expect(text).toContain('default "app.test";');
    expect(text).toContain(String.raw`"~^app\\.example$" $host;`);
    expect(plain).toContain(`return 301 "https://\${${host}}\${request_uri}";`);
    expect(secure).toContain('server_name app.example;');
    expect(redirecting).toHaveLength(2);
    for (const one of redirecting) expect(one).toContain('return 301 "https://app.test${request_uri}";');
    expect(redirecting[1]).toContain('listen 443 ssl http2;');
  });

  it('prove the site and answer ACME challenges in every block', () => {
    const blocks = blocksOf(named({ options: tls }));
    expect(blocks).toHaveLength(4);
    for (const one of blocks) {
      expect(one).toContain('location = /.well-known/quarterdeck-site');
      expect(one).toContain('location ^~ /.well-known/acme-challenge/');
    }
  });

  it('are each the origin of their own line', () => {
    const { text, origins } = siteText(named());
    const lineOf = (words: string) => text.split('\n').findIndex((line) => line.includes(words));
    expect(origins[lineOf('server_name www.app.test;')]).toBe('names.0.name');
    expect(origins[lineOf('server_name app.example;')]).toBe('names.1.name');
  });

  it('change nothing in the text of a site that has none', () => {
    expect(siteConfig(site({ names: [] }))).toBe(siteConfig(site()));
    expect(siteConfig(site({ names: [], options: tls }))).toBe(siteConfig(site({ options: tls })));
  });

  it('are refused if one could not be written, or is there twice, at its row', () => {
    const wrong = (name: string) =>
      site({
        names: [
          { name: 'ok.test', does: 'serves' },
          { name, does: 'serves' },
        ],
      });
    for (const name of ['a b', '*.*.test', '*.test', 'app.test', 'ok.test', 'x;y'])
      expect(Object.keys(siteProblems(wrong(name)))).toEqual(['names.1.name']);
    expect(siteProblems(wrong('*.app.test'))).toEqual({});
    const names = [{ name: 'old.test', does: 'redirects' as const }];
    expect(siteProblems(site({ serverName: '*.app.test', names }))).toEqual({
      'names.0.name': '*.app.test is no address to redirect to',
    });
  });

  it('are recognized in a text, short and long', () => {
    const long = `${'a'.repeat(60)}.example.org`;
    const text = siteConfig(named({ names: [{ name: long, does: 'serves' }] }));
    expect(isNamedIn(text, long)).toBe(true);
    expect(isNamedIn(text, 'app.test')).toBe(true);
    expect(isNamedIn(text, 'pp.test')).toBe(false);
    expect(isNamedIn(text, 'app.tes')).toBe(false);
  });
});
