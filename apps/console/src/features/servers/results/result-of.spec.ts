/** The samples are real output of docker 27 and 20.10, nginx 1.22, and procfs, df and du on Debian 12. */
import type { Block } from './blocks';
import { resultOf } from './result-of';

const [MEMORY, PS, RESTART, FOLDERS, INFO, LOGS, PRUNE, TEST, STATS, IMAGES] = [
  1, 2, 3, 4, 5, 6, 7, 8, 9, 10,
];

const rowsOf = (blocks: readonly Block[] | undefined) =>
  blocks?.map((block) =>
    block.is === 'table'
      ? [block.columns, ...block.rows].map((row) => row.join(' | '))
      : block.is === 'facts'
        ? block.facts.map(({ name, value }) => `${name}: ${value}`)
        : block.text,
  );

const memoryLines = `MiB           total       used  available   in use
memory      24105.6     5459.3    18646.2     22 %
swap            0.0        0.0        0.0      0 %
`;
const memoryRows = [
  'Memory | In use | Used | Available | Total',
  'Memory | 22 % | 5.3 GiB | 18.2 GiB | 23.5 GiB',
  'Swap | none | 0 MiB | 0 MiB | 0 MiB',
];

test('parses memory and the largest processes', () => {
  const text = `${memoryLines}
Largest processes
       MiB      pid  name
      1808    31986  node
       247    10107  chromium-headle
`;
  expect(rowsOf(resultOf(MEMORY, text))).toEqual([
    memoryRows,
    ['Process | PID | Memory', 'node | 31986 | 1.8 GiB', 'chromium-headle | 10107 | 247 MiB'],
  ]);
});

test('parses server information with its disks', () => {
  const text = `host       vm
system     Debian GNU/Linux 12 (bookworm)
up         0 days 17 h 34 min
load       14.52 9.98 6.43 (1, 5, 15 minutes)
cores      2 (AMD EPYC)
addresses  192.0.2.2/24 fd00::2/64 
docker     installed, its daemon does not answer
compose    
nginx      1.22.1

${memoryLines}
Filesystem               Size  Used Avail Use% Mounted on
/dev/vda                 252G   34G   69G  33% /
/dev/sdb1                 20G   19G  100M 100% /srv/my data
`;
  expect(rowsOf(resultOf(INFO, text))).toEqual([
    [
      'Host name: vm',
      'System: Debian GNU/Linux 12 (bookworm)',
      'Running for: 0 days 17 h 34 min',
      'Load: 14.52 9.98 6.43 (1, 5, 15 minutes)',
      'Cores: 2 (AMD EPYC)',
      'Addresses: 192.0.2.2/24 fd00::2/64',
      'Docker: installed, its daemon does not answer',
      'nginx: 1.22.1',
    ],
    memoryRows,
    [
      'Mounted on | In use | Used | Available | Size | Device',
      '/ | 33 % | 34G | 69G | 252G | /dev/vda',
      '/srv/my data | 100 % | 19G | 100M | 20G | /dev/sdb1',
    ],
  ]);
});

test('parses static folders with links and the total', () => {
  const text = `/srv/static: 3 folders, 1 files

    size  changed           folder
    4.0K  2026-11-23 19:25  blog and more
     16K                    (in all)
    link  2026-11-23 19:25  cur -> shop
`;
  expect(rowsOf(resultOf(FOLDERS, text))).toEqual([
    '/srv/static: 3 folders, 1 files',
    [
      'Folder | Size | Changed',
      'blog and more | 4.0K | 2026-11-23 19:25',
      'Total | 16K | ',
      'cur -> shop | Link | 2026-11-23 19:25',
    ],
  ]);
  expect(rowsOf(resultOf(FOLDERS, '/srv: 0 folders, 2 files\n'))).toEqual(['/srv: 0 folders, 2 files']);
});

test('parses containers, including one without published ports', () => {
  const text = `NAMES      IMAGE             STATUS                      PORTS
shop       shop:1.4          Up 3 days (healthy)         127.0.0.1:8080->80/tcp, :::8443->443/tcp
db-1       postgres:16       Exited (137) 2 weeks ago    
`;
  expect(rowsOf(resultOf(PS, text))).toEqual([
    [
      'Name | Image | State | Ports',
      'shop | shop:1.4 | Up 3 days (healthy) | 127.0.0.1:8080->80/tcp, :::8443->443/tcp',
      'db-1 | postgres:16 | Exited (137) 2 weeks ago | ',
    ],
  ]);
  const none = 'NAMES     IMAGE     STATUS    PORTS\nThere are no containers on this server.\n';
  expect(rowsOf(resultOf(PS, none))).toEqual(['There are no containers on this server.']);
});

test('parses the resource usage of containers', () => {
  const text = `NAME      CPU %     MEM USAGE / LIMIT     MEM %     NET I/O           BLOCK I/O         PIDS
shop      0.28%     5.629MiB / 1.952GiB   0.28%     916B / 0B         147kB / 0B        9
db-1      12.00%    172.7MiB / 1.952GiB   8.64%     2.48kB / 1.2MB    4.11MB / 380MB    31
`;
  expect(rowsOf(resultOf(STATS, text))?.[0]?.slice(1)).toEqual([
    'shop | 0.28% | 5.629MiB / 1.952GiB | 0.28% | 916B / 0B | 147kB / 0B | 9',
    'db-1 | 12.00% | 172.7MiB / 1.952GiB | 8.64% | 2.48kB / 1.2MB | 4.11MB / 380MB | 31',
  ]);
  expect(rowsOf(resultOf(STATS, 'No containers are running on this server.\n'))).toEqual([
    'No containers are running on this server.',
  ]);
});

test('parses images and the space they take', () => {
  const text = `REPOSITORY   TAG       IMAGE ID       CREATED        SIZE
shop         1.4       2b7d6430f78d   2 days ago     187MB
<none>       <none>    012def345abc   5 weeks ago    1.02GB

TYPE            TOTAL     ACTIVE    SIZE      RECLAIMABLE
Images          2         1         1.207GB   1.02GB (84%)
Containers      2         1         63B       0B (0%)
Local Volumes   1         1         48.3MB    0B (0%)
Build Cache     0         0         0B        0B
`;
  expect(rowsOf(resultOf(IMAGES, text))).toEqual([
    [
      'Repository | Tag | Id | Created | Size',
      'shop | 1.4 | 2b7d6430f78d | 2 days ago | 187MB',
      '<none> | <none> | 012def345abc | 5 weeks ago | 1.02GB',
    ],
    [
      'Kind | Count | In use | Size | Can be freed',
      'Images | 2 | 1 | 1.207GB | 1.02GB (84%)',
      'Containers | 2 | 1 | 63B | 0B (0%)',
      'Local Volumes | 1 | 1 | 48.3MB | 0B (0%)',
      'Build Cache | 0 | 0 | 0B | 0B',
    ],
  ]);
});

test('counts what a prune removed', () => {
  const text = `Removing stopped containers, unused networks, unused images and the build cache; volumes stay.
Deleted Containers:
4f1c2b7d6430f78d

Deleted Images:
untagged: shop:1.3
deleted: sha256:2b7d6430f78d
deleted: sha256:012def345abc

Total reclaimed space: 212MB
`;
  expect(rowsOf(resultOf(PRUNE, text))).toEqual([['Freed: 212MB', 'Containers: 1', 'Images: 2 layers']]);
});

const ok = `nginx: the configuration file /etc/nginx/nginx.conf syntax is ok
nginx: configuration file /etc/nginx/nginx.conf test is successful
`;

test('parses the configuration test and its problems', () => {
  expect(rowsOf(resultOf(TEST, ok))).toEqual(['The configuration is valid.']);
  expect(
    rowsOf(
      resultOf(
        TEST,
        `2026/11/23 19:25:02 [warn] 10800#10800: conflicting server name "a" on 0.0.0.0:80, ignored
nginx: [emerg] unknown directive "foo" in /etc/nginx/sites/n.conf:3
nginx: configuration file /etc/nginx/nginx.conf test failed
`,
      ),
    ),
  ).toEqual([
    'The configuration is not valid.',
    [
      'Level | Problem | File | Line',
      'warn | conflicting server name "a" on 0.0.0.0:80, ignored |  | ',
      'emerg | unknown directive "foo" | /etc/nginx/sites/n.conf | 3',
    ],
  ]);
});

test('parses the configuration test and the restart after it', () =>
  expect(
    rowsOf(resultOf(RESTART, `${ok}The test passed. Done: systemctl restart nginx. nginx runs.\n`)),
  ).toEqual(['The configuration is valid.', 'The test passed. Done: systemctl restart nginx. nginx runs.']));

test('parses both logs, newest line first', () => {
  const text = `== /var/log/nginx/error.log (last 100 lines)
2026/11/23 19:25:02 [error] 31#31: *7 connect() failed (111: Connection refused) while connecting to upstream
2026/11/23 19:26:02 [notice] 1#1: signal 15 (SIGTERM) received

== /var/log/nginx/access.log (last 100 lines)
203.0.113.7 - - [23/Nov/2026:19:25:02 +0000] "GET / HTTP/1.1" 502 157 "-" "curl/8.5.0"
`;
  expect(rowsOf(resultOf(LOGS, text))).toEqual([
    [
      'Time | Level | Message',
      '2026/11/23 19:26:02 | notice | signal 15 (SIGTERM) received',
      '2026/11/23 19:25:02 | error | connect() failed (111: Connection refused) while connecting to upstream',
    ],
    [
      'Time | Status | Request | Client | Bytes',
      '23/Nov/2026:19:25:02 +0000 | 502 | GET / HTTP/1.1 | 203.0.113.7 | 157',
    ],
  ]);
  const empty =
    '== /a.log (last 100 lines)\n(empty)\n\n== /b.log (last 100 lines)\nThere is no file /b.log.\n';
  expect(rowsOf(resultOf(LOGS, empty))).toEqual(['/a.log is empty.', 'There is no file /b.log.']);
});

test.each([MEMORY, PS, RESTART, FOLDERS, INFO, LOGS, PRUNE, TEST, STATS, IMAGES, 99])(
  'does not parse output of command %s in an unexpected format',
  (cmdType) => {
    for (const text of [
      '',
      'docker is not installed on this server.\n',
      'NAME  CPU %\nshop  0.12%\n',
      'a\n\nb\n\nc\n',
    ])
      expect(resultOf(cmdType, text)).toBeUndefined();
  },
);
