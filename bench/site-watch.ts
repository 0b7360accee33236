/**
 * A thousand sites, half of them with TLS and each with an app, watched over HTTP: processor time of the back end for one
 * round, against the time of a round at the default interval. The sites are in another process, and so is the database.
 */
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { AppEvent } from '@quarterdeck/events';
import { v7 as uuidv7 } from 'uuid';
import { SiteWatch } from '../apps/backend/src/webserver';
import { proofOf } from '../apps/backend/src/webserver/site-model';
import { tellOfDomain } from '../e2e/alerts/domain-events';
import { fieldsOf, idleKey, openWorld } from '../e2e/backend/world';
import { until } from '../testing/patience';
import { amountOf, finish, percentile, state, turnsOf } from './harness';

const SITES = amountOf(1000);
const INTERVAL_MS = 300_000;
/** Of its own, so that nothing else of this machine listens there. */
const ADDRESS = '127.77.0.1';

/** Answers as the nginx of each name would: its proof, and its app. */
const peer = `
const { createHash } = require('node:crypto');
const { readFileSync } = require('node:fs');
const answer = ({ url, headers }, response) => response.end(url === '/.well-known/quarterdeck-site'
  ? createHash('sha256').update('quarterdeck site ' + headers.host).digest('hex').slice(0, 32) : 'hello');
const [key, cert] = process.argv.slice(1).map((file) => readFileSync(file));
require('node:http').createServer(answer).listen(80, '${ADDRESS}', () =>
  require('node:https').createServer({ key, cert }, answer).listen(443, '${ADDRESS}', () => console.log('ready')));
`;

const folder = mkdtempSync(join(tmpdir(), 'bench-sites-'));
const [key, certificate] = [join(folder, 'key'), join(folder, 'certificate')];
execFileSync(
  'openssl',
  [
    'req',
    '-x509',
    '-newkey',
    'ec',
    '-pkeyopt',
    'ec_paramgen_curve:P-256',
    '-nodes',
    '-days',
    '2',
    '-subj',
    '/CN=sites.test',
    '-keyout',
    key,
    '-out',
    certificate,
  ],
  { stdio: 'ignore' },
);
const sites = spawn(process.execPath, ['-e', peer, key, certificate], {
  stdio: ['ignore', 'pipe', 'inherit'],
});
await once(sites.stdout, 'data');

const world = await openWorld({ env: { OUTBOUND_ALLOW: '127.0.0.0/8' } });
const alice = await world.backend.signIn();
const at = { host: ADDRESS, port: 9, username: 'root' };
const { body } = await alice.post<{ id: string }>('server/insert', {
  ...fieldsOf('web-1', at),
  privateKey: idleKey(),
});
const { rows } = await world.backend.db.query<{ workspace: string }>('select workspace from read.servers');
const workspace = rows[0]?.workspace ?? '';
for (let one = 0; one < SITES; one += 1) {
  const serverName = `site-${one}.example.org`;
  const location = {
    id: uuidv7(),
    location: '/',
    match: 'prefix' as const,
    url: 'http://127.0.0.1:3000',
  };
  const options = { docker: false, ssl: one % 2 === 0, gzip: false };
  const events: AppEvent[] = [
    {
      type: 'DomainAdded',
      data: { serverName, server: body.id, addresses: [{ address: ADDRESS, family: 4 }] },
    },
    { type: 'LocationAdded', data: { location } },
    {
      type: 'SiteConfigApplied',
      data: { text: proofOf(serverName), sha256: serverName, options, file: `${serverName}.conf` },
    },
  ];
  await tellOfDomain(world.backend.resources.store, workspace, uuidv7(), ...events);
}
const count = async (which: string): Promise<number> =>
  (await world.backend.db.query(`select from read.domains where ${which}`)).rowCount ?? 0;
await until(async () => (await count('true')) === SITES);

const rounds = world.backend.app.get(SiteWatch, { strict: false }).newRounds();
// The first one records the answers.
await rounds.round();
await until(async () => (await count(`view #>> '{answer,is}' = 'answers'`)) === SITES);
const shares: number[] = [];
for (let turn = 0; turn < turnsOf(5); turn += 1) {
  const before = process.cpuUsage();
  await rounds.round();
  const { user, system } = process.cpuUsage(before);
  shares.push(((user + system) / 1000 / INTERVAL_MS) * 100);
}
await rounds.stop();
const share = percentile(shares, 50);
const line = state(
  `${SITES.toLocaleString('en')} sites watched over HTTP`,
  share,
  { atMost: 5 },
  `${share.toFixed(2)} % of one core at the default interval`,
);
await world.end();
sites.kill();
rmSync(folder, { recursive: true, force: true });
finish([line]);
