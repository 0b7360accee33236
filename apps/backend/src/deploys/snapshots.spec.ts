/** The pure parts of a deploy: what docker and nginx are given, and comparisons. covers: DEP-01 */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { DeployView } from '@quarterdeck/projections';
import runIt from './deploy-scripts/run-it.sh';
import { differences } from './comparing';
import { composeText, containerName } from './compose';
import { environmentFile, longVariables, refusedVariable } from './environment';
import { byDigest } from './images';
import { proxyText } from './proxy';

const service = { id: '0193f0a0-0000-7000-8000-000000000092', name: 'Orders & Co.' };
const digest = `sha256:${'0'.repeat(64)}`;

test('a digest replaces tag and digest, and not the port of a registry', () => {
  expect(byDigest('127.0.0.1:5000/shop:1', digest)).toBe(`127.0.0.1:5000/shop@${digest}`);
  expect(byDigest('127.0.0.1:5000/shop', digest)).toBe(`127.0.0.1:5000/shop@${digest}`);
  expect(byDigest(`shop@sha256:${'1'.repeat(64)}`, digest)).toBe(`shop@${digest}`);
});

test('values of one line are in the file as they are, those of several or very long lines are passed apart', () => {
  const variables = [
    { key: 'QUOTED', value: ' "a" $b #c ' },
    { key: 'KEY', value: 'BEGIN\nEND\n' },
    { key: 'EMPTY', value: '' },
    { key: 'LONG', value: '€'.repeat(30_000) },
  ];
  expect(environmentFile(variables)).toBe('QUOTED= "a" $b #c \nEMPTY=\n');
  expect(longVariables(variables)).toEqual(['KEY', 'BEGIN\nEND\n', 'LONG', '€'.repeat(30_000)]);
});

test('whatever variables of several lines are called, docker gets its own options and their values', () => {
  const folder = mkdtempSync(join(tmpdir(), 'docker-'));
  const names = ['flags', 'image', 'name', 'one', 'at', 'pairs', 'IFS', 'folder', 'docker', 'CERT'];
  const evil = '--privileged\n--volume\n/:/host\n';
  try {
    // This fake docker prints its arguments, and one of the values from its environment.
    const docker = '#!/bin/sh\nfor one in "$@"; do echo "<$one>"; done\nprintenv image\n';
    writeFileSync(join(folder, 'docker'), docker, { mode: 0o755 });
    const script = `folder=/f; name=n; inside=3000; port=20000; service=s; release=r; image=i@d\n${runIt.text}\nrun_it "$@"`;
    const said = execFileSync('sh', ['-c', script, 'sh', ...names.flatMap((name) => [name, evil])], {
      env: { PATH: `${folder}:/usr/bin:/bin` },
      encoding: 'utf8',
    });
    const options = [
      'run',
      '--detach',
      '--name',
      'n',
      '--env',
      'PORT=3000',
      '--env-file',
      '/f/env',
      '--label',
      'quarterdeck.service=s',
      '--label',
      'quarterdeck.release=r',

      '--label',
      'quarterdeck.port=20000',
      '--publish',
      '127.0.0.1:20000:3000',
      '--log-driver',
      'json-file',

      '--log-opt',
      'max-size=10m',
      '--log-opt',
      'max-file=3',
      ...names.flatMap((name) => ['--env', name]),
      'i@d',
    ];
    expect(said).toBe(`${options.map((one) => `<${one}>\n`).join('')}${evil}\n`);
  } finally {
    rmSync(folder, { recursive: true });
  }
});

test.each([
  ['A B', 'x', 'cannot be the name'],
  ['#A', 'x', 'cannot be the name'],
  ['A', 'x\0', 'has a NUL character'],
  ['PATH', 'x\ny', 'several lines'],
  ['DOCKER_HOST', 'x\ny', 'several lines'],
  ['OPTIND', 'x\ny', 'several lines'],
  ['a.b', 'x\ny', 'several lines'],
  ['PATH', '€'.repeat(30_000), 'more than 60000 bytes'],
])('%s with the value %j is refused', (key, value, reason) => {
  expect(refusedVariable({ key, value })).toContain(reason);
});
test.each([
  ['PATH', '/bin'],
  ['a.b', 'x'],
  ['CERT', 'x\ny'],
])('%s with the value %j is accepted', (key, value) => {
  expect(refusedVariable({ key, value })).toBeUndefined();
});

test('the container has a name that people recognise', () => {
  expect(containerName(service.name, service.id)).toBe('quarterdeck-orders-co-000000000092');
  expect(containerName('注文', service.id)).toBe('quarterdeck-service-000000000092');
});

test('the compose file names variables by their file, and has no values', () => {
  expect(composeText({ service, image: 'shop:1', port: 3000 })).toBe(`services:
  orders-co-000000000092:
    image: shop:1
    restart: always
    ports:
      - 127.0.0.1:\${HOST_PORT}:3000
    environment:
      PORT: 3000
    env_file:
      - env
    labels:
      quarterdeck.service: 0193f0a0-0000-7000-8000-000000000092
    logging:
      driver: json-file
      options:
        max-size: 10m
        max-file: "3"
`);
});

test('the proxy answers at the port of the service, on loopback alone', () => {
  const text = proxyText({ service: { ...service, name: 'a\n}{ "$x' }, port: 3000, hostPort: 20_417 });
  expect(text).toContain('    listen 127.0.0.1:3000;\n');
  expect(text).toContain('        proxy_pass http://127.0.0.1:20417;\n');
  expect(text.split('\n')[0]).toBe(
    '# a }{ "$x, a service written by Quarterdeck: it changes with each deploy.',
  );
});

test('beside an nginx in a container, the proxy asks for the release by its name', () => {
  const text = proxyText({ service, port: 3000, hostPort: 20_417, container: 'quarterdeck-orders-1' });
  const [, passing] = text.split('    location / {\n');
  expect(passing?.split('\n').map((line) => line.trim())).toEqual(
    expect.arrayContaining([
      // Scripts read from this line which release serves.
      '# proxy_pass http://127.0.0.1:20417; on the server',
      'resolver 127.0.0.11 valid=10s ipv6=off;',
      'set $qd_service "http://quarterdeck-orders-1:3000";',
      'proxy_pass $qd_service;',
    ]),
  );
});

test('two releases are compared field by field, and variables by their fingerprints', () => {
  const one = {
    package: { id: '1', version: '1', image: 'shop:1' },
    env: { id: 3 },
    port: 3000,
    keep: 3,
    server: { id: '2', name: 'web-1' },
    health: { path: '/', seconds: 60 },
    variables: [
      { key: 'A', secret: false, fingerprint: 'f1', ref: '1' },
      { key: 'B', secret: true, fingerprint: 'f2', ref: '2' },
    ],
    served: { at: '', digest, hostPort: 1, proxy: '' },
  } as unknown as DeployView;
  const { served: _, ...asked } = one;
  const two = {
    ...asked,
    // The same image by another of its names.
    package: { ...one.package, version: '2', image: 'index.docker.io/library/shop:1' },
    variables: [
      { key: 'B', secret: true, fingerprint: 'f3', ref: '3' },
      { key: 'C', secret: false, fingerprint: 'f4', ref: '4' },
    ],
  };
  expect(differences(one, one)).toEqual([]);
  expect(differences(one, two)).toEqual([
    { what: 'Package', from: '1', to: '2' },
    { what: 'Digest', from: digest, to: 'not known yet' },
    { what: 'Variable A', from: 'f1', to: '–' },
    { what: 'Variable B', from: 'f2', to: 'f3' },
    { what: 'Variable C', from: '–', to: 'f4' },
  ]);
  const other = { ...one, package: { ...one.package, image: 'ghcr.io/shop:1' } };
  expect(differences(one, other)).toEqual([{ what: 'Image', from: 'shop:1', to: 'ghcr.io/shop:1' }]);
});
