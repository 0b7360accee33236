/** The script itself, in this machine's shell. covers: OPS-04 */
import { execFile } from 'node:child_process';
import {
  appendFileSync,
  mkdirSync,
  mkdtempSync,
  renameSync,
  rmSync,
  truncateSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { shell } from '../platform/ssh';
import { settingOf } from '../platform/ssh/shell';
import { parseLooks, type LogPlace, type SiteLook } from './site-sums';
import sumUp from './sum-up.sh';

const ID = '00000000-0000-4000-8000-000000000001';
let folder: string;
let tools: string;
let known: string[];
beforeEach(() => {
  folder = join(mkdtempSync(join(tmpdir(), 'site logs-')), 'app.test');
  tools = mkdtempSync(join(tmpdir(), 'tools-'));
  mkdirSync(folder);
  known = [];
});
afterEach(() => {
  rmSync(join(folder, '..'), { recursive: true, force: true });
  rmSync(tools, { recursive: true, force: true });
});

const look = (maxBytes = 1_000_000): Promise<SiteLook> =>
  new Promise((resolve, reject) => {
    const { script, ...given } = shell(sumUp, ['sites', 'known'], { max_bytes: maxBytes })({
      sites: `${ID} ${folder}`,
      known: known.join('\n'),
    });
    const args = ['-c', settingOf(given) + script];
    execFile('/bin/sh', args, { env: { PATH: `${tools}:/usr/bin:/bin` } }, (error, stdout, stderr) => {
      if (error ?? stderr) return reject(error ?? new Error(stderr));
      const looks = parseLooks(stdout, new Map([[ID, folder]]));
      expect(looks.clock).toBeGreaterThan(0);
      const site = looks.sites.get(ID) ?? { places: [] };
      if (site.sums)
        known = site.places.map(
          ({ inode, from, state, path }: LogPlace) => `${ID} ${inode} ${from} ${state} ${path}`,
        );
      resolve(site);
    });
  });

const log = (name = 'site.access.log'): string => join(folder, name);
const line = (status = 200, bytes = 10, seconds: string | null = '0.003', request = 'GET / HTTP/1.1') =>
  `192.0.2.1 - - [30/Nov/2026:20:45:20 +0000] "${request}" ${status} ${bytes} "-" "a \\x22 b"${seconds === null ? '' : ` ${seconds}`}\n`;
const requests = async (): Promise<number | undefined> => (await look()).sums?.requests;

it('begins at the end of what is there, and then sums up what is new', async () => {
  writeFileSync(log(), line() + line());
  writeFileSync(log('0190a000-0000-7000-8000-000000000001.access.log'), '');
  expect((await look()).sums).toMatchObject({ requests: 0, sampled: false });
  appendFileSync(
    log(),
    line(200, 100, '0.000') + line(301, 5) + line(404, 7, '0.100') + line(400, 0, '0.000', ''),
  );
  appendFileSync(
    log('0190a000-0000-7000-8000-000000000001.access.log'),
    line(502, 3, '60.001') + line(101, 1, '2.000'),
  );
  appendFileSync(log(), 'no line of a request\n');
  // Before the site was applied with its own format.
  appendFileSync(log(), line(200, 1, null));
  expect((await look()).sums).toEqual({
    requests: 7,
    classes: [1, 2, 1, 2, 1],
    bytes: 117,
    timed: 6,
    times: { '0': 2, '12': 1, '49': 1, '80': 1, '116': 1 },
    sampled: false,
  });
  expect((await look()).sums).toMatchObject({ requests: 0, bytes: 0, times: {} });
});

it('a rotation loses no request, also of a worker that still writes to the old file', async () => {
  writeFileSync(log(), line());
  await look();
  appendFileSync(log(), line());
  renameSync(log(), log('site.access.log.1'));
  // nginx has not opened the new one yet.
  appendFileSync(log('site.access.log.1'), line());
  expect(await requests()).toBe(2);
  appendFileSync(log('site.access.log.1'), line());
  writeFileSync(log(), '');
  expect(await requests()).toBe(1);
  appendFileSync(log('site.access.log.1'), line());
  appendFileSync(log(), line() + line());
  expect(await requests()).toBe(3);
  appendFileSync(log('site.access.log.1'), line());
  appendFileSync(log(), line());
  expect(await requests()).toBe(2);
  // After that look it is left for good.
  appendFileSync(log('site.access.log.1'), line());
  expect(await requests()).toBe(0);
});

it('a file that was emptied, removed or is new is read from its beginning', async () => {
  writeFileSync(log(), line() + line() + line());
  await look();
  truncateSync(log());
  appendFileSync(log(), line());
  expect(await requests()).toBe(1);
  writeFileSync(log('new.access.log'), line() + line());
  expect(await requests()).toBe(2);
  unlinkSync(log('new.access.log'));
  expect(await requests()).toBe(0);
});

it('of a log that grew too much only a part is read, and its figures are multiplied', async () => {
  writeFileSync(log(), '');
  await look();
  appendFileSync(log(), line(200).repeat(1000));
  const size = line(200).length * 1000;
  const { sums } = await look(size / 10);
  expect(sums).toMatchObject({ requests: 1000, classes: [0, 1000, 0, 0, 0], bytes: 10_000, sampled: true });
  // The rest is not read later.
  expect((await look()).sums).toMatchObject({ requests: 0, sampled: false });
});

it.each([
  ['noLog', () => rmSync(folder, { recursive: true })],
  ['noLog', () => undefined],
])('says why there is nothing: %s', async (problem, happens) => {
  happens();
  expect(await look()).toEqual({ problem, places: [] });
});

it('a log that appears where there was none is new', async () => {
  known = [`${ID} 0 0 none /`];
  writeFileSync(log(), line());
  expect(await requests()).toBe(1);
});

it('needs awk', async () => {
  writeFileSync(log(), line());
  // Nothing else is found but these.
  for (const name of ['stat', 'head', 'sed'])
    writeFileSync(join(tools, name), `#!/bin/sh\nexec /usr/bin/${name} "$@"\n`, { mode: 0o755 });
  const { script, ...given } = shell(sumUp, ['sites', 'known'], { max_bytes: 1000 })({
    sites: `${ID} ${folder}`,
    known: '',
  });
  const only = script.replace(/^PATH=.*$/m, `PATH=${tools}`);
  const printed = await new Promise<string>((resolve, reject) => {
    execFile('/bin/sh', ['-c', settingOf(given) + only], { env: { PATH: tools } }, (error, stdout) =>
      error ? reject(error) : resolve(stdout),
    );
  });
  expect(parseLooks(printed, new Map([[ID, folder]])).sites.get(ID)?.problem).toBe('noAwk');
});

it('takes from a server only places in the folder of the site, and whole sums', () => {
  const folders = new Map([[ID, '/logs/app.test']]);
  const parse = (...lines: string[]) => parseLooks(lines.join('\n'), folders).sites.get(ID);
  expect(parse(`place=${ID} 7 10 current /logs/app.test/site.access.log`)?.places).toHaveLength(1);
  for (const path of ['/etc/shadow', '/logs/app.test/../x', '/logs/app.test/a/b', 'x'])
    expect(parse(`place=${ID} 7 10 current ${path}`)?.places).toEqual([]);
  expect(parse(`sums=${ID}|10|10|1|0|1|0|0|0|5|1|3:1,999:4,x`)?.sums?.times).toEqual({ '3': 1 });
  for (const sums of ['10|20|1|0|1|0|0|0|5|1|', '10|10|-1|0|1|0|0|0|5|1|', '10|10|1'])
    expect(parse(`sums=${ID}|${sums}`)?.sums).toBeUndefined();
  expect(parse(`problem=${ID} rm -rf`)?.problem).toBeUndefined();
  expect(parse('problem=other noLog')).toBeUndefined();
});
