/**
 * A certificate authority inside a throw-away server's network: pebble, its DNS server, and a proxy in front of it that
 * can refuse orders as a busy authority does. It validates names over the server's own port 80.
 */
import { existsSync } from 'node:fs';
import { quote } from '../apps/backend/src/platform/ssh/quote';
import { PATIENCE_MS } from './patience';
import { acmeDoor } from './acme-door';
import type { ThrowawayHost } from './throwaway-host';

export interface AcmeOptions {
  /** How long its certificates are valid. Default 90 days. */
  validitySeconds?: number;
  /** Names that it refuses to certify. */
  blocked?: string[];
  /** Percentage of good nonces that are refused. Default 0. */
  rejectedNonces?: number;
  /** Name server inside the server that it asks. Default: one of its own, that knows every name. */
  dnsServer?: string;
}

export interface OrderRefusal {
  status: number;
  /** The last part of the problem's URN, such as `rateLimited`; without it the answer is not an ACME problem. */
  type?: string;
  detail?: string;
  /** Value of the `Retry-After` header: seconds or a date. */
  retryAfter?: string;
}

export interface Acme {
  directoryUrl: string;
  /** Path on the server of the authorities to trust for connections to this one. */
  caBundle: string;
  /** Makes the server trust this authority. */
  trust(): Promise<void>;
  /** PEM of the root of the issued certificates. Each start creates a new one. */
  root(): Promise<string>;
  /** Sets the address that the authority resolves the name to. The default for all names is 127.0.0.1. */
  setAddress(name: string, address: string): Promise<void>;
  /** Refuses new orders in this way until `acceptOrders()`. */
  refuseOrders(refusal: OrderRefusal): Promise<void>;
  acceptOrders(): Promise<void>;
  /** Takes orders, but validates no name until `release()`. */
  hold(): Promise<void>;
  release(): Promise<void>;
  stop(): Promise<void>;
  /** Starts it again, without its former accounts. */
  start(): Promise<void>;
}

/** What this machine lacks to run it, in words; empty if nothing. */
export const acmeLacks = (): string[] =>
  ['/usr/bin/pebble', '/usr/bin/pebble-challtestsrv']
    .filter((program) => !existsSync(program))
    .map((program) => `there is no ${program}: apt-get install pebble`);

const FOLDER = '/root/acme';
const DOOR = 14000;
const PEBBLE = 14001;
const MANAGEMENT = 15000;
const DNS_MANAGEMENT = 8055;

const certificates = `mkdir -p ${FOLDER} && cd ${FOLDER}
openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -keyout ca.key -out ca.pem -days 30 -subj '/CN=test authority'
openssl req -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -keyout srv.key -out srv.csr -subj /CN=localhost
printf 'subjectAltName=DNS:localhost,IP:127.0.0.1\\n' > srv.ext
openssl x509 -req -in srv.csr -CA ca.pem -CAkey ca.key -CAcreateserial -days 30 -extfile srv.ext -out srv.pem`;

const services = ['acme-dns', 'acme-pebble', 'acme-door'] as const;

export const startAcme = async (
  host: Pick<ThrowawayHost, 'inside'>,
  { validitySeconds, blocked = [], rejectedNonces = 0, dnsServer = '127.0.0.1:8053' }: AcmeOptions = {},
): Promise<Acme> => {
  const inside = async (line: string): Promise<string> => {
    const { code, out } = await host.inside(`set -e\n${line}`);
    if (code !== 0) throw new Error(`${line}: exit code ${String(code)}: ${out}`);
    return out;
  };
  const put = (path: string, text: string): Promise<string> =>
    inside(`printf '%s' ${quote(text)} > ${path}.new && mv ${path}.new ${path}`);
  const ask = (url: string, body?: object): Promise<string> =>
    inside(
      [process.execPath, '-e', askScript, url, ...(body ? [JSON.stringify(body)] : [])].map(quote).join(' '),
    );

  const config = {
    listenAddress: `127.0.0.1:${PEBBLE}`,
    managementListenAddress: `127.0.0.1:${MANAGEMENT}`,
    certificate: `${FOLDER}/srv.pem`,
    privateKey: `${FOLDER}/srv.key`,
    httpPort: 80,
    tlsPort: 443,
    ocspResponderURL: '',
    externalAccountBindingRequired: false,
    domainBlocklist: blocked,
    ...(validitySeconds !== undefined && { certificateValidityPeriod: validitySeconds }),
  };
  const dns = ['-defaultIPv4', '127.0.0.1', '-defaultIPv6', '', '-dns01', '127.0.0.1:8053'];
  const noChallenges = ['-http01', '', '-https01', '', '-tlsalpn01', ''];
  const commands: Record<(typeof services)[number], string[]> = {
    'acme-dns': [
      '/usr/bin/pebble-challtestsrv',
      ...dns,
      ...noChallenges,
      '-management',
      `127.0.0.1:${DNS_MANAGEMENT}`,
    ],
    'acme-pebble': [
      '/usr/bin/pebble',
      '-config',
      `${FOLDER}/pebble.json`,
      '-dnsserver',
      dnsServer,
      '-strict',
    ],
    'acme-door': [process.execPath, `${FOLDER}/door.cjs`, FOLDER, String(DOOR), String(PEBBLE)],
  };
  const environment = `--setenv=PEBBLE_VA_NOSLEEP=1 --setenv=PEBBLE_WFE_NONCEREJECT=${rejectedNonces} --setenv=PEBBLE_AUTHZREUSE=0`;
  const start = async (): Promise<void> => {
    for (const name of services)
      await inside(
        `systemd-run --quiet --collect --unit=${name} ${environment} ${commands[name].map(quote).join(' ')}`,
      );
    await ask(`https://localhost:${DOOR}/dir`);
    await ask(`https://localhost:${MANAGEMENT}/roots/0`);
  };

  await inside(certificates);
  await put(`${FOLDER}/pebble.json`, JSON.stringify({ pebble: config }));
  await put(`${FOLDER}/door.cjs`, acmeDoor);
  await start();
  return {
    directoryUrl: `https://localhost:${DOOR}/dir`,
    caBundle: `${FOLDER}/ca.pem`,
    async trust() {
      // The last step of `update-ca-certificates`, which would first read all other authorities again.
      await inside(`cat ${FOLDER}/ca.pem >> /etc/ssl/certs/ca-certificates.crt`);
    },
    root: () => ask(`https://localhost:${MANAGEMENT}/roots/0`),
    async setAddress(name, address) {
      await ask(`http://127.0.0.1:${DNS_MANAGEMENT}/add-a`, { host: `${name}.`, addresses: [address] });
    },
    async refuseOrders(refusal) {
      await put(`${FOLDER}/refusal.json`, JSON.stringify(refusal));
    },
    async hold() {
      await inside(`touch ${FOLDER}/hold`);
    },
    async release() {
      await inside(`rm -f ${FOLDER}/hold`);
    },
    async acceptOrders() {
      await inside(`rm -f ${FOLDER}/refusal.json`);
    },
    async stop() {
      await inside(`systemctl stop ${services.join(' ')}`);
    },
    start,
  };
};

/** Retries a request until it is answered. Arguments: the URL, and a body to send. */
const askScript = `
const [url, body] = process.argv.slice(1);
const { request } = require(url.startsWith('https:') ? 'node:https' : 'node:http');
const end = Date.now() + ${PATIENCE_MS};
const ask = () => {
  const asked = request(url, { method: body ? 'POST' : 'GET', rejectUnauthorized: false, agent: false }, (response) => {
    let text = '';
    response.setEncoding('utf8').on('data', (part) => (text += part)).on('end', () => {
      process.stdout.write(text);
      process.exitCode = response.statusCode === 200 ? 0 : 1;
    });
  });
  asked.on('error', (error) => {
    if (Date.now() > end) throw error;
    setTimeout(ask, 50);
  });
  asked.end(body);
};
ask();
`;
