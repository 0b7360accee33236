// covers: SRV-15
import { faultIn, isExitCodeOnly, lastLineOf, plainLines } from './fault-line';

const noManager = 'There is no package manager here that is known: apt, apk, dnf or yum.';

test.each([
  ['a sentence at the end', `warning: error ahead\nSystem: Arch.\n${noManager}\n`, noManager],
  [
    'the first line that names a fault',
    'one\nbuild: 0 errors\ncp: cannot stat /x\nmake: error 1\nbye\n',
    'cp: cannot stat /x',
  ],
  ['without colours', 'one\n\u001b[31mexit 3 failed\u001b[0m\n\n', 'exit 3 failed'],
  ['the end of a progress bar', '10 %\r50 %\rat 100 % it failed', 'at 100 % it failed'],
  ['nothing of nothing', '\n\n', undefined],
  ['nothing of what is about success', 'set up\ncopied 3 files\n', undefined],
])('the reason is %s', (_what, output, reason) => expect(faultIn(output)).toBe(reason));

/** Outputs of real programs. The lines of `output` are separated by `|`, the expected one begins with `>`. */
const outputs: Record<string, readonly string[]> = {
  nginx: [
    '>nginx: [emerg] bind() to 0.0.0.0:80 failed (98: Address already in use)|nginx: [emerg] still could not bind()',
    '>nginx: [emerg] host not found in upstream "backend.internal" in /etc/nginx/conf.d/a.conf:7|nginx: configuration file /etc/nginx/nginx.conf test failed',
    'nginx: [warn] conflicting server name "shop.example" on 0.0.0.0:80, ignored|>nginx: [emerg] cannot load certificate "/etc/letsencrypt/live/shop.example/fullchain.pem": BIO_new_file() failed (SSL: error:80000002:system library::No such file or directory)|nginx: configuration file /etc/nginx/nginx.conf test failed',
    '>nginx: [emerg] unknown directive "proxy_passs" in /etc/nginx/sites-enabled/blog:12|nginx: configuration file /etc/nginx/nginx.conf test failed',
    '>nginx: [emerg] unexpected "}" in /etc/nginx/conf.d/x.conf:9|nginx: configuration file /etc/nginx/nginx.conf test failed',
    '>nginx: [emerg] duplicate listen options for [::]:80 in /etc/nginx/sites-enabled/blog:3|nginx: configuration file /etc/nginx/nginx.conf test failed',
    'nginx: [alert] could not open error log file: open() "/var/log/nginx/error.log" failed (13: Permission denied)|>2026/11/27 10:00:00 [emerg] 812#812: open() "/run/nginx.pid" failed (13: Permission denied)',
  ],
  systemd: [
    '>Job for nginx.service failed because the control process exited with error code.|See "systemctl status nginx.service" and "journalctl -xeu nginx.service" for details.',
    'Job for nginx.service failed because the control process exited with error code.|See "systemctl status nginx.service" and "journalctl -xeu nginx.service" for details.|>Nov 27 10:00:00 web nginx[812]: nginx: [emerg] bind() to [::]:443 failed (98: Address already in use)|Nov 27 10:00:00 web systemd[1]: nginx.service: Failed with result \'exit-code\'.',
    '>Failed to restart foo.service: Unit foo.service not found.',
    '>Failed to restart docker.service: Unit docker.service is masked.',
    ">System has not been booted with systemd as init system (PID 1). Can't operate.|Failed to connect to bus: Host is down",
    '>Failed to enable unit: Unit file foo.service does not exist.',
  ],
  certbot: [
    'Requesting a certificate for shop.example||Certbot failed to authenticate some domains (authenticator: webroot). The Certificate Authority reported these problems:|  Domain: shop.example|  Type:   unauthorized|>  Detail: 203.0.113.9: Invalid response from http://shop.example/.well-known/acme-challenge/x: 404||Hint: The Certificate Authority failed to download the temporary challenge files created by Certbot.||Some challenges have failed.|Ask for help or search for solutions at https://community.letsencrypt.org. See the logfile /var/log/letsencrypt/letsencrypt.log or re-run Certbot with -v for more details.',
    'Challenge failed for domain shop.example|http-01 challenge for shop.example|Cleaning up challenges|Some challenges have failed.|IMPORTANT NOTES:|   Domain: shop.example|   Type:   dns|>   Detail: DNS problem: NXDOMAIN looking up A for shop.example - check that a DNS record exists for this domain',
    'An unexpected error occurred:|>Error creating new order :: too many certificates (5) already issued for this exact set of domains in the last 168h0m0s|Ask for help or search for solutions at https://community.letsencrypt.org. See the logfile /var/log/letsencrypt/letsencrypt.log or re-run Certbot with -v for more details.',
    'Requesting a certificate for shop.example|An unexpected error occurred:|>live directory exists for shop.example|Ask for help or search for solutions at https://community.letsencrypt.org. See the logfile /var/log/letsencrypt/letsencrypt.log or re-run Certbot with -v for more details.',
    'Requesting a certificate for shop.example|An unexpected error occurred:|>archive directory exists for shop.example|Ask for help or search for solutions at https://community.letsencrypt.org. See the logfile /var/log/letsencrypt/letsencrypt.log or re-run Certbot with -v for more details.',
    "The following error was encountered:|>[Errno 13] Permission denied: '/var/log/letsencrypt/.certbot.lock'|Either run as root, or set --config-dir, --work-dir, and --logs-dir to writeable paths.",
    '>Could not choose appropriate plugin: The requested nginx plugin does not appear to be installed|The requested nginx plugin does not appear to be installed',
    'Renewal configuration file /etc/letsencrypt/renewal/shop.example.conf is broken.|>The error was: expected /etc/letsencrypt/live/shop.example/cert.pem to be a symlink|Skipping.',
    '>Problem binding to port 80: Could not bind to IPv4 or IPv6.',
    'Requesting a certificate for a.test|>Could not bind TCP port 80 because it is already in use by another process on this system (such as a web server). Please stop the program in question and then try again.|Ask for help or search for solutions at https://community.letsencrypt.org. See the logfile /var/log/letsencrypt/letsencrypt.log or re-run Certbot with -v for more details.',
    'Requesting a certificate for app.test|>archive directory exists for app.test|Ask for help or search for solutions at https://community.letsencrypt.org. See the logfile /var/log/letsencrypt/letsencrypt.log or re-run Certbot with -v for more details.',
    'Requesting a certificate for app.test|>live directory exists for app.test|Ask for help or search for solutions at https://community.letsencrypt.org. See the logfile /var/log/letsencrypt/letsencrypt.log or re-run Certbot with -v for more details.',
    "The following error was encountered:|>[Errno 20] Not a directory: '/nowhere/logs'|Either run as root, or set --config-dir, --work-dir, and --logs-dir to writeable paths.|Ask for help or search for solutions at https://community.letsencrypt.org. See the logfile /tmp/certbot-log-l4ka7fwx/log or re-run Certbot with -v for more details.",
    '>Another instance of Certbot is already running.|Ask for help or search for solutions at https://community.letsencrypt.org. See the logfile /var/log/letsencrypt/letsencrypt.log or re-run Certbot with -v for more details.',
    'usage: |  certbot [SUBCOMMAND] [options] [-d DOMAIN] [-d DOMAIN] ...||Certbot can obtain and install HTTPS/TLS/SSL certificates.  By default,|it will attempt to use a webserver both for obtaining and installing the|certificate. |>certbot: error: unrecognized arguments: --bogus=1',
    'Processing /etc/letsencrypt/renewal/app.test.conf|Renewing an existing certificate for app.test|>Failed to renew certificate app.test with error: urn:ietf:params:acme:error:accountDoesNotExist :: The request specified an account that does not exist :: Account https://localhost:14000/my-account/7d2f7f526b1f1f82 not found.||All renewals failed. The following certificates could not be renewed:|  /etc/letsencrypt/live/app.test/fullchain.pem (failure)|1 renew failure(s), 0 parse failure(s)|Ask for help or search for solutions at https://community.letsencrypt.org. See the logfile /var/log/letsencrypt/letsencrypt.log or re-run Certbot with -v for more details.',
    'Processing /etc/letsencrypt/renewal/app.test.conf|>Failed to renew certificate app.test with error: Account at /etc/letsencrypt/accounts/localhost:14000/dir/47707214ae3235aa1dd1aef18bb62368 does not exist||All renewals failed. The following certificates could not be renewed:|  /etc/letsencrypt/live/app.test/fullchain.pem (failure)|1 renew failure(s), 0 parse failure(s)',
    'Renewal configuration file /etc/letsencrypt/renewal/app.test.conf is broken.|>The error was: error parsing /etc/letsencrypt/renewal/app.test.conf|Skipping.||No renewals were attempted.||Additionally, the following renewal configurations were invalid: |  /etc/letsencrypt/renewal/app.test.conf (parsefail)|0 renew failure(s), 1 parse failure(s)',
    '>Renewal configuration file /etc/letsencrypt/renewal/app.test.conf produced an unexpected error: target /etc/letsencrypt/archive/app.test/cert1.pem of symlink /etc/letsencrypt/live/app.test/cert.pem does not exist. Skipping.||The following renewal configurations were invalid:|  /etc/letsencrypt/renewal/app.test.conf',
    '>Could not parse /etc/letsencrypt/renewal/app.test.conf. You may wish to manually delete the contents of /etc/letsencrypt/live/app.test and /etc/letsencrypt/archive/app.test.|error parsing /etc/letsencrypt/renewal/app.test.conf|Ask for help or search for solutions at https://community.letsencrypt.org. See the logfile /var/log/letsencrypt/letsencrypt.log or re-run Certbot with -v for more details.',
    'An unexpected error occurred:|>TypeError: remove: path should be string, bytes or os.PathLike, not NoneType|Ask for help or search for solutions at https://community.letsencrypt.org. See the logfile /var/log/letsencrypt/letsencrypt.log or re-run Certbot with -v for more details.',
  ],
  apt: [
    'Reading package lists...|Building dependency tree...|>E: Unable to locate package ngnix',
    '>E: Could not get lock /var/lib/dpkg/lock-frontend. It is held by process 1234 (unattended-upgr)|N: Be aware that removing the lock file is not a solution and may break your system.|E: Unable to acquire the dpkg frontend lock (/var/lib/dpkg/lock-frontend), is another process using it?',
    "Err:1 http://deb.debian.org/debian bookworm InRelease|>  Temporary failure resolving 'deb.debian.org'|W: Failed to fetch http://deb.debian.org/debian/dists/bookworm/InRelease  Temporary failure resolving 'deb.debian.org'|E: Some index files failed to download. They have been ignored, or old ones used instead.",
    'dpkg: error processing package nginx (--configure):|> installed nginx package post-installation script subprocess returned error exit status 1|Errors were encountered while processing:| nginx|E: Sub-process /usr/bin/dpkg returned an error code (1)',
    ">E: dpkg was interrupted, you must manually run 'sudo dpkg --configure -a' to correct the problem.",
    "Ign:1 http://x bullseye InRelease|>E: The repository 'http://x bullseye Release' does not have a Release file.|N: Updating from such a repository can't be done securely, and is therefore disabled by default.",
    'Unpacking nginx ...|>tar: ./usr/sbin/nginx: Cannot write: No space left on device|tar: Exiting with failure status due to previous errors',
  ],
  docker: [
    ">docker: Error response from daemon: driver failed programming external connectivity on endpoint shop (6f0c): Bind for 0.0.0.0:8080 failed: port is already allocated.||Run 'docker run --help' for more information",
    ">Error response from daemon: pull access denied for acme/shop, repository does not exist or may require 'docker login': denied: requested access to the resource is denied",
    '>Cannot connect to the Docker daemon at unix:///var/run/docker.sock. Is the docker daemon running?',
    '>permission denied while trying to connect to the Docker daemon socket at unix:///var/run/docker.sock: dial unix /var/run/docker.sock: connect: permission denied',
    '>exec /app/server: exec format error',
    '>manifest for acme/shop:9 not found: manifest unknown: manifest unknown',
    '>toomanyrequests: You have reached your pull rate limit. You may increase the limit by authenticating and upgrading.',
  ],
  ssh: [
    '>ssh: connect to host 192.0.2.1 port 22: Connection timed out',
    '>Host key verification failed.',
    'Cloning into shop...|>git@github.com: Permission denied (publickey).|fatal: Could not read from remote repository.||Please make sure you have the correct access rights|and the repository exists.',
  ],
  sudo: [
    '>sudo: a terminal is required to read the password; either use the -S option to read from standard input or configure an askpass helper|sudo: a password is required',
    'sudo: unable to resolve host web: Name or service not known|>cp: cannot create regular file /opt/x: Read-only file system',
  ],
  shells: [
    '>bash: line 3: nosuchcommand: command not found',
    'The folder is there.|>nginx is not installed on this server.',
    ">cp: cannot stat '/x': No such file or directory",
    'working|>Segmentation fault (core dumped)',
    'gcc main.c|>gcc: fatal error: no input files|compilation terminated.|make: *** [Makefile:3: build] Error 1',
  ],
  others: [
    'Traceback (most recent call last):|  File "/opt/job.py", line 3, in <module>|    raise RuntimeError("it failed")|>RuntimeError: it failed|after it',
    '>psql: error: connection to server at "localhost" (127.0.0.1), port 5432 failed: FATAL:  password authentication failed for user "app"',
    ">mysqldump: Got error: 1045: Access denied for user 'app'@'localhost' (using password: YES) when trying to connect",
    ">curl: (7) Failed to connect to localhost port 8080 after 0 ms: Couldn't connect to server",
    '>curl: (22) The requested URL returned error: 502',
    'npm ERR! code ENOENT|npm ERR! syscall open|>npm ERR! enoent Could not read package.json: Error: ENOENT: no such file or directory, open /app/package.json|npm ERR! A complete log of this run can be found in: /root/.npm/_logs/x.log',
    'much to do|>Out of memory: Killed process 812 (node)',
  ],
};

describe.each(Object.entries(outputs))('what %s printed', (_program, cases) => {
  test.each(cases)('%s', (marked) => {
    const lines = marked.split('|');
    const wanted = lines.find((line) => line.startsWith('>'))?.slice(1);
    expect(faultIn(lines.map((line) => line.replace(/^>/, '')).join('\n'))).toBe(wanted?.trim());
  });
});

test.each([
  '/root/.quarterdeck/0193f0a0-0000-7000-8000-000000000005-script-1/run: 1: nosuchcommand: not found',
  '/root/.quarterdeck/0193f0a0-0000-7000-8000-000000000005-script-1/script: line 4: nosuchcommand: not found',
  '/tmp/quarterdeck-script-aB3x9Z/script: line 4: nosuchcommand: not found',
  '/root/.quarterdeck/0193f0a0-0000-7000-8000-000000000005-script-1/run: 1: /root/.quarterdeck/0193f0a0-0000-7000-8000-000000000005-script-1/script: nosuchcommand: not found',
  '/tmp/quarterdeck-script-aB3x9Z/script: 4: nosuchcommand: not found',
  '/bin/sh: 3: nosuchcommand: not found',
])('the file of ours in "%s" tells nobody anything', (line) =>
  expect(faultIn(`one\n${line}\n`)).toBe('nosuchcommand: not found'),
);

test('a file of ours that is the cause is named', () =>
  expect(faultIn('/root/.quarterdeck/logs/a.test/site.access.log: Permission denied')).toBe(
    '/root/.quarterdeck/logs/a.test/site.access.log: Permission denied',
  ));

test('a reason is at most 300 characters long', () =>
  expect(faultIn(`failed ${'x'.repeat(400)}`)).toHaveLength(300));

test('the last line is known too', () => {
  expect(lastLineOf('one\ntwo\n\n')).toBe('two');
  expect(lastLineOf('\n')).toBeUndefined();
});

test('lines are shown without control characters', () =>
  expect(plainLines('\u001b[1mone\u001b[0m\r\ntw\u0007o')).toEqual(['one', 'two']));

test('a reason that names only an exit code is recognised', () => {
  expect(isExitCodeOnly('Operating system and privileges ended with exit code 69')).toBe(true);
  expect(isExitCodeOnly('A container did not run: exit code 3.')).toBe(false);
});
