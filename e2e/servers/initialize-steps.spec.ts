/** Single steps of Initialize Server on unusual servers. covers: SRV-06 */
import { initializeServer } from '../../apps/backend/src/servers/initialize-server';
import { proxyFile, proxyText } from '../../apps/backend/src/deploys/proxy';
import { siteConfig } from '../../apps/backend/src/webserver/site-config';
import { unpackLine } from '../../testing/debian-packages';
import { startThrowawayHost, type ThrowawayHost } from '../../testing/throwaway-host';
import { setupTestsLack } from './setup-world';
import { stepByStep, type StepByStep } from './step-by-step';
import { until } from '../../testing/patience';
import { needs } from '../../testing/throwaway-needs';

const lacking = setupTestsLack(['nginx', 'certbot', 'nftables', 'ufw', 'busybox-static']);
needs('this machine can bring up throw-away servers that install packages', lacking);

if (lacking.length === 0) {
  let host: ThrowawayHost;
  let steps: StepByStep;
  const inside = async (line: string): Promise<string> => {
    const { code, out } = await host.inside(line);
    if (code !== 0) throw new Error(`${line}: exit code ${String(code)}: ${out}`);
    return out;
  };
  const step = (name: string, on: StepByStep = steps) => on.step(initializeServer, name);
  /** One server for the tests of a group. */
  const onOneHost = (): void => {
    beforeAll(async () => {
      host = await startThrowawayHost({ packages: true });
      steps = await stepByStep(host);
    });
    afterAll(async () => {
      await steps?.close();
      await host?.stop();
    });
  };

  describe("nginx's include", () => {
    onOneHost();
    beforeAll(() => inside('cp -a /etc/nginx /tmp/nginx'));
    beforeEach(() =>
      inside(
        "systemctl stop nginx; rm -rf /etc/nginx /root/volumes '/srv/my sites'; cp -a /tmp/nginx /etc/nginx",
      ),
    );
    const CONF = '/etc/nginx/conf.d/quarterdeck.conf';
    const installed = async (): Promise<void> => {
      for (const name of ['folders', 'nginx']) expect((await step(name)).exitCode).toBe(0);
    };

    test('is removed again if the test fails, and nginx continues as before', async () => {
      await installed();
      await inside(
        'systemctl start nginx; echo "nonsense on;" > /root/volumes/nginx_config/bad.conf; ls -la /etc/nginx/conf.d > /tmp/before',
      );
      const { exitCode, out, changed } = await step('nginxInclude');
      expect([exitCode, changed]).toEqual([1, []]);
      expect(out).toContain('unknown directive "nonsense"');
      expect(out).toContain(
        'the configuration of nginx is not valid. The previous configuration was restored.\n',
      );
      expect(await inside(`ls ${CONF} 2>&1 || true; nginx -t 2>&1; systemctl is-active nginx`)).toMatch(
        /No such file[^]*test is successful\nactive\n$/,
      );
      await inside('rm /root/volumes/nginx_config/bad.conf');
      expect((await step('nginxInclude')).exitCode).toBe(0);
    });

    test('is not touched if the configuration was invalid before', async () => {
      await installed();
      await inside('echo "nonsense on;" > /etc/nginx/conf.d/theirs.conf');
      const { exitCode, out } = await step('nginxInclude');
      expect(exitCode).toBe(1);
      expect(out).toContain('The configuration of nginx is not valid. Nothing was changed.\n');
      expect(await inside('ls /etc/nginx/conf.d')).toBe('theirs.conf\n');
    });

    test('goes into the http block if that includes no folder, and is removed byte for byte', async () => {
      await installed();
      const main = '/etc/nginx/nginx.conf';
      await inside(
        `printf '%s\\n' 'events { }' '# http { is below' 'http' '{' '  server { listen 81; location / { return 204; } }' '}' 'include /etc/nginx/conf.d/*.conf;' > ${main}; cp ${main} /tmp/before; echo nonsense > /root/volumes/nginx_config/bad.conf`,
      );
      expect((await step('nginxInclude')).exitCode).toBe(1);
      expect(await inside(`cmp ${main} /tmp/before && echo same`)).toBe('same\n');
      await inside('rm /root/volumes/nginx_config/bad.conf');
      const { exitCode, out } = await step('nginxInclude');
      expect([exitCode, out]).toEqual([0, expect.stringContaining('includes no folder')]);
      expect(await inside(`diff /tmp/before ${main} || true`)).toBe(
        '4a5\n>     include /root/volumes/nginx_config/*.conf;\n',
      );
      expect((await step('nginxInclude')).out).toBe(
        'nginx already reads /root/volumes/nginx_config/*.conf.\n',
      );
    });

    test('keeps an earlier folder, so that no site is lost with a change of the path', async () => {
      await installed();
      expect((await step('nginxInclude')).exitCode).toBe(0);
      const moved = await stepByStep(host, { folders: { nginxPath: '/srv/my sites/' } });
      expect((await step('folders', moved)).changed).toEqual(['created the folder /srv/my sites/']);
      expect((await step('nginxInclude', moved)).changed).toEqual(['nginx reads /srv/my sites/*.conf']);
      expect(await inside(`grep include ${CONF}`)).toBe(
        'include /root/volumes/nginx_config/*.conf;\ninclude "/srv/my sites/*.conf";\n',
      );
      expect((await step('nginxInclude', moved)).changed).toEqual([]);
      await moved.close();
    });

    test('is not added for a folder that nginx reads by another name, and taken away where it was', async () => {
      await installed();
      const own = await stepByStep(host, { folders: { nginxPath: '/etc/nginx/sites-enabled' } });
      expect((await step('nginxInclude', own)).changed).toEqual([]);
      expect(await inside('ls -A /etc/nginx/conf.d; ls -A /etc/nginx/sites-enabled')).toBe('default\n');
      await inside(`echo 'include /etc/nginx/sites-enabled/*.conf;' > ${CONF}`);
      await inside('echo "server { listen 81; server_name a.test; }" > /etc/nginx/sites-enabled/a.test.conf');
      expect(await inside('nginx -t 2>&1')).toContain('conflicting server name "a.test"');
      expect((await step('nginxInclude', own)).changed).toEqual([
        'nginx reads /etc/nginx/sites-enabled/*.conf only once',
      ]);
      expect(await inside('nginx -t 2>&1')).not.toContain('conflicting');
      expect((await step('nginxInclude', own)).changed).toEqual([]);
      await own.close();
    });

    test('refuses a folder whose name has a special meaning to nginx', async () => {
      await installed();
      const odd = [
        '/srv/a;b',
        '/srv/$host',
        '/srv/{a}',
        "/srv/it's",
        '/srv/"a"',
        '/srv/a*',
        '/srv/a\\b',
        '/srv/a\tb',
      ];
      for (const nginxPath of odd) {
        const strange = await stepByStep(host, { folders: { nginxPath } });
        const { exitCode, out } = await step('nginxInclude', strange);
        expect([exitCode, out]).toEqual([
          2,
          expect.stringContaining('its name contains characters with a special meaning'),
        ]);
        await strange.close();
      }
      expect(await inside('ls /etc/nginx/conf.d')).toBe('');
    });
  });

  describe('the connections of nginx', () => {
    onOneHost();
    const MAIN = '/etc/nginx/nginx.conf';
    const took = async () => (await step('nginxConnections')).changed;
    const raised = (from: number) => [
      expect.stringMatching(new RegExp(`^a worker of nginx takes \\d{4,5} connections instead of ${from}$`)),
      // Not every machine lets its servers have 65536.
      expect.stringMatching(/^a worker of nginx may keep \d{5} files open$/),
    ];

    test('are raised to what the memory allows, once, and a number that is higher stays', async () => {
      expect((await step('nginx')).exitCode).toBe(0);
      await inside('systemctl start nginx');
      expect(await took()).toEqual(raised(768));
      expect(await took()).toEqual([]);
      expect(
        Number(await inside(`sed -n 's/^.*worker_connections \\([0-9]*\\);.*/\\1/p' ${MAIN}`)),
      ).toBeGreaterThanOrEqual(4096);
      await inside(`sed -i 's/worker_connections [0-9]*/worker_connections 20000/' ${MAIN}`);
      expect(await took()).toEqual([]);
      await inside(
        "until ! grep -q '^Max open files  *1024 ' /proc/$(pgrep -n -P $(cat /run/nginx.pid))/limits; do sleep 0.05; done",
      );
    });

    test.each([
      ['events { }', 512],
      ['events\n{\n  # worker_connections 9999;\n  multi_accept on; }', 512],
      ['worker_rlimit_nofile 2048; events { worker_connections\t64; }', 64],
    ])('are written into %j', async (events, before) => {
      await inside(
        `cp ${MAIN} /tmp/main; printf '%s\nhttp { server { listen 81; } }\n' '${events}' > ${MAIN}`,
      );
      expect(await took()).toEqual(raised(before));
      expect(await inside('nginx -t 2>&1')).not.toContain('warn');
      expect(await took()).toEqual([]);
      await inside(`mv /tmp/main ${MAIN}`);
    });

    test('suffice for more WebSockets of a site that leads to a service than fit into those of Debian', async () => {
      for (const name of ['folders', 'nginx', 'nginxInclude', 'nginxConnections'])
        expect((await step(name)).exitCode).toBe(0);
      const place = {
        path: '/root/volumes/static',
        root: '/root/volumes',
        nginxPath: '/root/volumes/nginx_config',
      };
      const id = '0190a000-0000-7000-8000-000000000001';
      const site = siteConfig({
        serverName: 'shop.test',
        options: { docker: false, ssl: false, gzip: false },
        ipv6: false,
        locations: [{ id, location: '/', url: 'http://127.0.0.1:3401', websocket: true }],
        folders: place,
      });
      const proxy = proxyText({ service: { id, name: 'shop' }, port: 3401, hostPort: 20_001 });
      const talk = `
        const http = require('http');
        const count = 250 * require('os').availableParallelism();
        const switching = 'HTTP/1.1 101 Switching Protocols\\r\\nUpgrade: websocket\\r\\nConnection: Upgrade\\r\\n\\r\\n';
        const headers = { host: 'shop.test' };
        let open = 0, failed = 0;
        const end = () => open + failed === count && http.get({ host: '127.0.0.1', headers, agent: false }, ({ statusCode }) => {
          console.log(JSON.stringify({ missing: count - open, statusCode }));
          process.exit();
        });
        http.createServer((_, answer) => answer.end('ok')).on('upgrade', (_, socket) => { socket.on('error', () => {}); socket.write(switching); }).listen(20001, () => {
          for (let at = 0; at < count; at++)
            http.get({ host: '127.0.0.1', path: '/ws', headers: { ...headers, connection: 'upgrade', upgrade: 'websocket' }, agent: false })
              .on('upgrade', () => { open++; end(); })
              .on('response', () => { failed++; end(); })
              .on('error', () => { failed++; end(); });
        });`;
      const said = await inside(`mkdir -p ${place.root}/.quarterdeck/logs/shop.test
        cat > ${place.nginxPath}/shop.test.conf <<'END'\n${site}\nEND
        cat > ${place.nginxPath}/${proxyFile(id)} <<'END'\n${proxy}\nEND
        cat > /tmp/talk.js <<'END'\n${talk}\nEND
        systemctl restart nginx && ulimit -n "$(ulimit -H -n)" && '${process.execPath}' /tmp/talk.js; rm ${place.nginxPath}/*.conf`);
      expect(JSON.parse(said)).toEqual({ missing: 0, statusCode: 200 });
    });

    test('stay as they are in a file that another one includes', async () => {
      await inside(
        `cp ${MAIN} /tmp/main; echo 'worker_connections 64;' > /tmp/events; printf 'worker_rlimit_nofile 70000; events { include /tmp/events; }\nhttp { }\n' > ${MAIN}`,
      );
      const { exitCode, changed, out } = await step('nginxConnections');
      expect([exitCode, changed]).toEqual([0, []]);
      expect(out).toContain('warning: A worker of nginx keeps its 64 connections');
      expect(await inside(`cat ${MAIN}; mv /tmp/main ${MAIN}`)).toContain('{ include /tmp/events; }');
    });
  });

  describe('names that no site has', () => {
    onOneHost();
    const SITES = '/root/volumes/nginx_config';
    const FILE = `${SITES}/quarterdeck-unknown-names.conf`;
    /** What curl says: the status, or its error. */
    const ask = async (url: string, name: string): Promise<string> => {
      const { hostname, port, protocol } = new URL(url.replace('NAME', name));
      const at = port || (protocol === 'https:' ? '443' : '80');
      const { out } = await host.inside(
        `curl -s -k -o /dev/null -w '%{http_code} %{errormsg}' --resolve '${hostname}:${at}:127.0.0.1' '${url.replace('NAME', name)}'`,
      );
      return out.trim();
    };

    test('are refused over HTTPS, and over HTTP unless somebody else answers for them', async () => {
      for (const name of ['prerequisites', 'folders', 'nginx', 'nginxInclude'])
        expect((await step(name)).exitCode).toBe(0);
      await inside(`
        openssl req -x509 -newkey rsa:2048 -nodes -days 2 -subj /CN=site.test -keyout /tmp/site.key -out /tmp/site.pem 2>/dev/null
        cat > ${SITES}/site.test.conf <<'END'
        server { listen 80; server_name site.test; return 200 site; }
        server { listen 443 ssl http2; listen [::]:443 ssl http2; server_name site.test; ssl_certificate /tmp/site.pem; ssl_certificate_key /tmp/site.key; return 200 site; }
END
        nginx -t && systemctl start nginx`);
      expect(await ask('https://NAME/', 'unknown.test')).toMatch(/^200/);
      expect((await step('unknownNames')).changed).toEqual(['nginx refuses names that no site has']);
      await until(async () => !(await ask('https://NAME/', 'unknown.test')).startsWith('200'));
      expect(await ask('https://NAME/', 'unknown.test')).toMatch(/^000 .*unrecognized name/);
      expect(await ask('https://NAME/', 'site.test')).toMatch(/^200/);
      expect(await ask('http://NAME/', 'site.test')).toMatch(/^200/);
      // Debian's own page answers by default.
      expect(await inside(`grep -c 'listen .*80' ${FILE} || true`)).toBe('0\n');
      expect((await step('unknownNames')).changed).toEqual([]);

      await inside('rm /etc/nginx/sites-enabled/default');
      expect((await step('unknownNames')).changed).toEqual(['nginx refuses names that no site has']);
      await until(async () => !(await ask('http://NAME/', 'unknown.test')).startsWith('200'));
      expect(await ask('http://NAME/', 'unknown.test')).toMatch(/^000 Empty reply/);
      expect(await ask('http://NAME/', 'site.test')).toMatch(/^200/);
      expect((await step('unknownNames')).changed).toEqual([]);
    });

    test('get a certificate of no name where nginx is too old to refuse', async () => {
      await inside(`rm ${FILE}
        printf '#!/bin/sh\n[ "$*" = -v ] && { echo "nginx version: nginx/1.18.0" >&2; exit; }\nexec /usr/sbin/nginx "$@"\n' > /usr/local/sbin/nginx
        chmod +x /usr/local/sbin/nginx`);
      expect((await step('unknownNames')).changed).toEqual(['nginx refuses names that no site has']);
      // The connection is closed after the handshake.
      await until(async () => /^000 (?!.*unrecognized)/.test(await ask('https://NAME/', 'unknown.test')));
      expect(await ask('https://NAME/', 'site.test')).toMatch(/^200/);
      expect((await step('unknownNames')).changed).toEqual([]);
      await inside('rm /usr/local/sbin/nginx');
    });

    test('stay as they are where another program has the port, or another file answers by default', async () => {
      await inside(
        `rm ${SITES}/*.conf; systemctl stop nginx; systemd-run --unit other '${process.execPath}' -e 'require("net").createServer().listen(443)'; timeout 60 bash -c 'until exec 3<>/dev/tcp/127.0.0.1/443; do sleep 0.05; done' 2>/dev/null`,
      );
      const { changed, out } = await step('unknownNames');
      expect([changed, out]).toEqual([
        ['nginx refuses names that no site has'],
        expect.stringContaining('warning: A program other than nginx listens on port 443'),
      ]);
      expect(await inside(`grep -c 443 ${FILE} || true`)).toBe('0\n');
      await inside(
        `systemctl stop other; rm ${FILE}; printf 'server { listen *:80 default_server; listen [::]:80 default_server; listen 443 default_server; listen [::]:443 default_server; }' > ${SITES}/theirs.conf`,
      );
      expect((await step('unknownNames')).out).toContain('Other servers of nginx answer for unknown names.');
    });
  });

  describe('the folders', () => {
    onOneHost();
    test('belong to the owner of their parent folder, and are not created in place of a file', async () => {
      await inside('mkdir -m 755 /home/shop && chown 1234:1234 /home/shop && touch /home/file');
      const shop = await stepByStep(host, {
        folders: { root: '/home/shop', path: '/home/shop/a/static', nginxPath: '/home/shop/a/-n x' },
      });
      const made = await step('folders', shop);
      expect(made.changed).toEqual([
        'created the folder /home/shop/a/static',
        'created the folder /home/shop/a/-n x',
      ]);
      expect(made.out).not.toContain('warning');
      expect(await inside("stat -c '%u:%g %a %n' /home/shop/a /home/shop/a/static '/home/shop/a/-n x'")).toBe(
        '1234:1234 755 /home/shop/a\n1234:1234 755 /home/shop/a/static\n1234:1234 755 /home/shop/a/-n x\n',
      );
      await shop.close();
      for (const path of ['/home/file', '/home/file/below']) {
        const wrong = await stepByStep(host, { folders: { path } });
        const { exitCode, out } = await step('folders', wrong);
        expect([exitCode, out]).toEqual([2, expect.stringContaining('not a folder')]);
        await wrong.close();
      }
    });

    test('are not made where nginx would take them for files, so that it still starts', async () => {
      expect((await step('nginx')).exitCode).toBe(0);
      for (const folders of [
        { nginxPath: '/etc/nginx/sites-enabled/*' },
        { nginxPath: '/etc/nginx/sites-enabled/shop' },
        { path: '/etc/nginx/sites-enabled/static/files' },
        { nginxPath: '/etc/nginx/conf.d/sites.conf' },
      ]) {
        const wrong = await stepByStep(host, { folders });
        const { exitCode, out } = await step('folders', wrong);
        expect([exitCode, out]).toEqual([
          2,
          expect.stringContaining('nginx reads everything in /etc/nginx/'),
        ]);
        await wrong.close();
        expect(await inside('ls -A /etc/nginx/sites-enabled /etc/nginx/conf.d')).toBe(
          '/etc/nginx/conf.d:\n\n/etc/nginx/sites-enabled:\ndefault\n',
        );
        expect(await inside('nginx -t 2>&1')).toContain('test is successful');
      }
    });
  });

  describe('the package manager', () => {
    onOneHost();
    const remove = 'if dpkg -s certbot >/dev/null 2>&1; then apt-get -q -y purge certbot; fi';

    test('is waited for while another program uses it', async () => {
      await inside(`apt-get -q update; ${remove}`);
      const other = host.inside(
        "apt-get -q -y --reinstall -o 'DPkg::Pre-Invoke::=touch /tmp/holds; sleep 4' install nftables",
      );
      await inside('until [ -e /tmp/holds ]; do sleep 0.05; done');
      const { exitCode, out, changed } = await step('certbot');
      expect([exitCode, changed]).toEqual([0, ['installed certbot', 'installed python3-certbot-nginx']]);
      expect(out).toContain('Another process is using the package manager. Waiting');
      expect((await other).code).toBe(0);
    });

    test('first finishes an interrupted installation', async () => {
      await inside(`${remove}; touch /var/lib/dpkg/updates/0000`);
      const { exitCode, changed } = await step('certbot');
      expect(exitCode).toBe(0);
      expect(changed[0]).toBe('finished an interrupted installation of packages');
    });

    test('of Alpine gets its own package names', async () => {
      await inside(
        [
          remove,
          'mv /usr/bin/apt-get /usr/bin/apt-get.away',
          `printf '%s\\n' '#!/bin/sh' 'echo "$*" >> /tmp/apk.calls' '[ "$1" = add ] || exit 0' 'printf "#!/bin/sh\\necho certbot 2.9\\n" > /usr/local/bin/certbot' 'chmod +x /usr/local/bin/certbot' > /usr/local/bin/apk`,
          'chmod +x /usr/local/bin/apk',
        ].join('\n'),
      );
      const { exitCode, changed } = await step('certbot');
      expect([exitCode, changed]).toEqual([0, ['installed certbot', 'installed certbot-nginx']]);
      expect(await inside('cat /tmp/apk.calls')).toBe('update\nadd --no-progress certbot certbot-nginx\n');
    });
  });

  describe('the firewall check', () => {
    onOneHost();
    test('says which ports nftables keeps closed, and changes nothing', async () => {
      await inside(
        `${unpackLine('nftables')}
         printf '%s\\n' 'table inet filter {' 'chain input {' 'type filter hook input priority 0; policy drop;' 'iif lo accept' 'ct state established,related accept' 'tcp dport { 22, 8000-8100 } accept' 'tcp dport 443 accept' '}' '}' > /tmp/rules
         nft -f /tmp/rules && nft list ruleset > /tmp/before`,
      );
      const { exitCode, out, report } = await step('firewall');
      expect([exitCode, report]).toEqual([0, { firewall: 'nftables', closedPorts: '80' }]);
      expect(out).toBe(
        'Firewall: nftables. Its rules are not changed.\nwarning: Port 80 is closed.\nPort 443 is open.\nPort 22 is open.\n',
      );
      await inside('nft list ruleset | cmp - /tmp/before');
      await inside('nft flush ruleset');
      expect((await step('firewall')).report).toEqual({ firewall: 'none' });
    });

    test('says which ports ufw keeps closed, and how to open them', async () => {
      await inside(
        'apt-get -q update && apt-get -q -y --no-install-recommends install ufw && ufw allow OpenSSH && ufw allow 80,8080/tcp && ufw --force enable',
      );
      const { exitCode, out, report } = await step('firewall');
      expect([exitCode, report]).toEqual([0, { firewall: 'ufw', closedPorts: '443' }]);
      expect(out).toContain('warning: Port 443 is closed. To open it: ufw allow 443/tcp\n');
    });
  });

  describe('busybox', () => {
    onOneHost();
    test('with its shell and tools can perform all steps, too', async () => {
      const tools =
        'awk cat chown cut df dirname grep head id mkdir mktemp printf sed sh sort stat tail tr uname';
      await inside(
        `${unpackLine('nftables', 'busybox-static')}
         for tool in ${tools}; do ln -s /bin/busybox "/usr/local/sbin/$tool"; done
         ln -s /bin/busybox /bin/sh.new && mv -T /bin/sh.new /bin/sh
         printf '%s\\n' 'table inet filter {' 'chain input {' 'type filter hook input priority 0; policy drop;' 'iif lo accept' 'tcp dport { 22, 400-500 } accept' '}' '}' | nft -f -`,
      );
      expect(await inside('awk --help 2>&1 | head -n 1; sh --help 2>&1 | head -n 1')).toMatch(
        /^BusyBox.*\nBusyBox/,
      );
      const done = await steps.perform(initializeServer, 'nginxService');
      expect(done.map(({ step: name, exitCode }) => [name, exitCode])).toEqual(
        [
          'reach',
          'system',
          'prerequisites',
          'folders',
          'nginx',
          'nginxInclude',
          'nginxConnections',
          'unknownNames',
          'nginxService',
        ].map((name) => [name, 0]),
      );
      expect(await inside('cat /etc/nginx/conf.d/quarterdeck.conf')).toContain(
        'include /root/volumes/nginx_config/*.conf;\n',
      );
      expect((await step('firewall')).report).toEqual({ firewall: 'nftables', closedPorts: '80' });
      expect((await step('facts')).report).toMatchObject({
        os: expect.stringMatching(/^debian/),
        cores: expect.stringMatching(/^\d+$/),
      });

      // The include can also be added in the http block.
      await inside("rm /etc/nginx/conf.d/quarterdeck.conf && sed -i '/conf.d/d' /etc/nginx/nginx.conf");
      expect((await step('nginxInclude')).changed).toEqual(['nginx reads /root/volumes/nginx_config/*.conf']);
      expect((await step('nginxInclude')).changed).toEqual([]);
    });
  });
}
