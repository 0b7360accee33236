/** The fixed commands on real servers: equipped, bare, and with an account with few permissions. covers: SRV-05 */
import { chmodSync, mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { commandTypes } from '@quarterdeck/events';
import { fixedCommand, fixedCommands } from '../../apps/backend/src/servers/commands/fixed-commands';
import { type CommandServers, startCommandServers } from './command-servers';

let servers: CommandServers;
beforeAll(async () => {
  servers = await startCommandServers();
});
afterAll(() => servers.stop());
beforeEach(() => servers.tools.set('up'));

it('has each of the ten fixed commands, and marks those that change something', () => {
  expect(commandTypes.map(({ cmdType }) => fixedCommand(cmdType)?.name)).toEqual(
    commandTypes.map(({ name }) => name),
  );
  expect(fixedCommands.filter(({ changes }) => changes).map(({ cmdType }) => cmdType)).toEqual([3, 7]);
  expect(fixedCommand(11)).toBeUndefined();
});

describe('on any server', () => {
  it('shows memory and its largest users', async () => {
    const { exitCode, out, err } = await servers.command(servers.bare, 'memoryUsage');
    expect([exitCode, err]).toEqual([0, '']);
    expect(out).toMatch(
      /^MiB +total +used +available +in use\nmemory +\d+\.\d +\d+\.\d +\d+\.\d +\d+ %\nswap /,
    );
    expect(out).toMatch(/Largest processes\n.*\n +\d+ +\d+ {2}sshd\n/);
  });

  it('shows facts about the server', async () => {
    const { exitCode, out, err } = await servers.command(servers.root, 'serverInfo');
    expect([exitCode, err]).toEqual([0, '']);
    for (const word of [
      'host',
      'system',
      'kernel',
      'time',
      'up',
      'load',
      'cores',
      'account',
      'memory',
      'Filesystem',
    ]) {
      expect(out).toMatch(new RegExp(`^${word} +\\S`, 'm'));
    }
    expect(out).toMatch(/^docker +20\.10\.24$/m);
    expect(out).toMatch(/^nginx +\d+\.\d+/m);
  });

  it('shows everything else if the docker daemon hangs', async () => {
    servers.tools.set('frozen');
    const { exitCode, out } = await servers.command(servers.root, 'serverInfo');
    expect(exitCode).toBe(0);
    expect(out).toMatch(/^docker +installed, its daemon does not answer$/m);
    expect(out).toContain('Filesystem');
  });

  it('shows what is missing', async () => {
    const { exitCode, out } = await servers.command(servers.bare, 'serverInfo');
    expect(exitCode).toBe(0);
    expect(out).toMatch(/^docker +not installed$/m);
    expect(out).toMatch(/^nginx +not installed$/m);
  });
});

describe('static folders', () => {
  let place: string;
  beforeEach(() => {
    place = join(servers.equipped.folder, `it's $(touch owned) \`id\` "static"`);
    mkdirSync(join(place, 'shop.test'), { recursive: true });
    mkdirSync(join(place, 'docs and more'));
    writeFileSync(join(place, 'shop.test', 'app.js'), 'x'.repeat(300_000));
    writeFileSync(join(place, 'robots.txt'), 'x');
    symlinkSync('shop.test', join(place, 'current'));
  });
  afterEach(() => rmSync(place, { recursive: true, force: true }));

  it('are listed with size and time, links separately', async () => {
    const { exitCode, out, err } = await servers.command(servers.root, 'listStaticFolders', place);
    expect([exitCode, err]).toEqual([0, '']);
    expect(out).toContain(`${place}: 3 folders, 1 files\n`);
    expect(out).toMatch(/ +(29\d|30\d)K {2}\d{4}-\d\d-\d\d \d\d:\d\d {2}shop\.test\n/);
    expect(out).toMatch(/ {2}docs and more\n/);
    expect(out).toMatch(/ +link {2}\S+ \S+ {2}current -> shop\.test\n/);
    expect(out).toContain('(in all)');
  });

  it('are counted as 0 if there are none', async () => {
    const { exitCode, out } = await servers.command(
      servers.root,
      'listStaticFolders',
      join(place, 'docs and more'),
    );
    expect([exitCode, out]).toEqual([0, `${place}/docs and more: 0 folders, 0 files\n`]);
  });

  it.each([
    [
      'a folder that is not there',
      '/no/such/folder',
      2,
      'There is no folder /no/such/folder on this server.\n',
    ],
    ['one that looks like an option', '-rf', 2, 'There is no folder -rf on this server.\n'],
    ['a file', '/etc/passwd', 2, '/etc/passwd is not a folder.\n'],
  ])('report %s instead of a list', async (_name, path, code, words) => {
    expect(await servers.command(servers.root, 'listStaticFolders', path)).toMatchObject({
      exitCode: code,
      err: words,
    });
  });

  it('say so if the account may not read them', async () => {
    chmodSync(place, 0o700);
    expect(await servers.command(servers.operator, 'listStaticFolders', place)).toMatchObject({
      exitCode: 126,
      err: `The account operator has no permission to read ${place}.\n`,
    });
    expect(
      await servers.command(servers.operator, 'listStaticFolders', join(place, 'shop.test')),
    ).toMatchObject({
      exitCode: 126,
    });
  });
});

describe('operator input', () => {
  /** Text that would leave a file behind if any shell interpreted it. */
  const hostileTexts = (canary: string): string[] => {
    const touch = `touch ${canary}`;
    const cores = [
      `$(${touch})`,
      `\`${touch}\``,
      `; ${touch}`,
      `& ${touch} &`,
      `| ${touch}`,
      `|| ${touch}`,
      `\n${touch}\n`,
    ];
    cores.push(
      `> ${canary}`,
      `>> ${canary}`,
      `<(${touch})`,
      `\${IFS};${touch}`,
      `!${touch}`,
      `} </dev/null\n${touch}\n{`,
    );
    cores.push(`\r\n${touch}`, `-exec ${touch}`, `--version; ${touch}`, `%0a${touch}`, `\\\n${touch}`);
    const around = [
      ['', ''],
      ["'", "'"],
      ['"', '"'],
      ["'\\''", "'\\''"],
      ["\\'", ''],
      ['/tmp/x', '/y'],
      ["/tmp/'", "'"],
    ];
    around.push(['$((', '))'], ['${x:-', '}'], ['# ', '\n'], ["$'", "'"], ["'\n", "\n'"]);
    return cores.flatMap((core) => around.map(([before, after]) => `${before}${core}${after}`));
  };

  it('is treated as a mere name on the server, whatever it contains', async () => {
    const place = join(servers.equipped.folder, 'canaries');
    mkdirSync(place);
    const texts = hostileTexts(join(place, 'canary'));
    expect(texts.length).toBeGreaterThanOrEqual(200);
    const listed = async (text: string): Promise<void> => {
      const { exitCode, err } = await servers.command(servers.root, 'listStaticFolders', text);
      expect([exitCode, err]).toEqual([2, `There is no folder ${text} on this server.\n`]);
    };
    for (let from = 0; from < texts.length; from += 40) {
      await Promise.all(texts.slice(from, from + 40).map(listed));
    }
    expect(readdirSync(place)).toEqual([]);
  });
});

describe('docker', () => {
  const names = ['dockerPs', 'dockerPrune', 'dockerStats', 'dockerImages'] as const;

  it.each([
    ['dockerPs', /^NAMES.*\nshop\tshop:1\.4\tUp 3 days/],
    ['dockerStats', /^NAME.*\nshop\t0\.12%/],
    ['dockerImages', /^REPOSITORY.*\nshop\t1\.4\n\nTYPE/],
    ['dockerPrune', /Volumes are kept\.\n[^]*Total reclaimed space: 212MB/],
  ] as const)('%s reports its result', async (name, words) => {
    expect(await servers.command(servers.root, name)).toMatchObject({
      exitCode: 0,
      err: '',
      out: expect.stringMatching(words),
    });
  });

  it.each([
    ['dockerPs', 'There are no containers on this server.'],
    ['dockerStats', 'No containers are running on this server.'],
    ['dockerImages', 'There are no images on this server.'],
  ] as const)('%s reports that nothing exists', async (name, words) => {
    servers.tools.set('empty');
    expect(await servers.command(servers.root, name)).toMatchObject({
      exitCode: 0,
      out: expect.stringContaining(words),
    });
  });

  it('never prunes volumes', async () => {
    writeFileSync(servers.tools.dockerCalls, '');
    await servers.command(servers.root, 'dockerPrune');
    expect(readFileSync(servers.tools.dockerCalls, 'utf8')).toContain('system prune --all --force\n');
  });

  it.each(names)('%s says that docker is not installed', async (name) => {
    expect(await servers.command(servers.bare, name)).toMatchObject({
      exitCode: 127,
      out: '',
      err: 'docker is not installed on this server.\n',
    });
  });

  it.each(names)('%s says that the daemon is down', async (name) => {
    servers.tools.set('down');
    const { exitCode, err } = await servers.command(servers.root, name);
    expect(exitCode).toBe(69);
    expect(err).toContain('Cannot connect to the Docker daemon');
    expect(err).toContain('its daemon does not answer. Start it');
  });

  it.each(names)('%s says that the account may not use it, and uses sudo if allowed', async (name) => {
    servers.tools.set('denied');
    expect(await servers.command(servers.operator, name)).toMatchObject({
      exitCode: 126,
      err: expect.stringContaining('The account operator is not allowed to use docker.'),
    });
    servers.tools.set('denied', { sudo: true });
    expect(await servers.command(servers.operator, name)).toMatchObject({
      exitCode: 0,
      out: expect.stringMatching(/shop|reclaimed/),
    });
  });
});
