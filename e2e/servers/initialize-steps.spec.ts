/** Single steps of Initialize Server on unusual servers. covers: SRV-06 */
import { initializeServer } from '../../apps/backend/src/servers/initialize-server';
import { unpackLine } from '../peers/debian-packages';
import { startThrowawayHost, type ThrowawayHost } from '../peers/throwaway-host';
import { setupTestsLack } from './setup-world';
import { stepByStep, type StepByStep } from './step-by-step';
import { needs } from '../peers/throwaway-needs';

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
      expect(out).toContain("nginx's configuration is not valid. It was put back as it was.\n");
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
      expect(out).toContain("nginx's configuration is not valid as it is. Nothing was changed.\n");
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
      expect([exitCode, out]).toEqual([0, expect.stringContaining('reads no folder of snippets')]);
      expect(await inside(`diff /tmp/before ${main} || true`)).toBe(
        '4a5\n>     include /root/volumes/nginx_config/*.conf;\n',
      );
      expect((await step('nginxInclude')).out).toBe(
        'nginx reads /root/volumes/nginx_config/*.conf already.\n',
      );
    });

    test('keeps an earlier folder, so that no site is lost with a change of the path', async () => {
      await installed();
      expect((await step('nginxInclude')).exitCode).toBe(0);
      const moved = await stepByStep(host, { folders: { nginxPath: '/srv/my sites/' } });
      expect((await step('folders', moved)).changed).toEqual(['made the folder /srv/my sites/']);
      expect((await step('nginxInclude', moved)).changed).toEqual(['nginx reads /srv/my sites/*.conf']);
      expect(await inside(`grep include ${CONF}`)).toBe(
        'include /root/volumes/nginx_config/*.conf;\ninclude "/srv/my sites/*.conf";\n',
      );
      expect((await step('nginxInclude', moved)).changed).toEqual([]);
      await moved.close();
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
        expect([exitCode, out]).toEqual([2, expect.stringContaining('nginx cannot be given the folder')]);
        await strange.close();
      }
      expect(await inside('ls /etc/nginx/conf.d')).toBe('');
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
        'made the folder /home/shop/a/static',
        'made the folder /home/shop/a/-n x',
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
      expect(out).toContain('Another process uses the package manager. Waiting for it');
      expect((await other).code).toBe(0);
    });

    test('first finishes an interrupted installation', async () => {
      await inside(`${remove}; touch /var/lib/dpkg/updates/0000`);
      const { exitCode, changed } = await step('certbot');
      expect(exitCode).toBe(0);
      expect(changed[0]).toBe('finished an installation of packages that had been interrupted');
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
        'Firewall: nftables. Nothing of it is changed.\nwarning: Port 80 is closed.\nPort 443 is open.\nPort 22 is open.\n',
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
      const until = await steps.perform(initializeServer, 'nginxService');
      expect(until.map(({ step: name, exitCode }) => [name, exitCode])).toEqual(
        ['reach', 'system', 'prerequisites', 'folders', 'nginx', 'nginxInclude', 'nginxService'].map(
          (name) => [name, 0],
        ),
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
