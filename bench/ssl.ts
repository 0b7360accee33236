/**
 * Checks a thousand hosts over TLS, fifty at once, with all facts about their certificates. Floor: only the handshake,
 * by a bare `tls.connect` with the same trust. The hosts live in the same process, so their cost affects both.
 */
import { connect, createSecureContext, rootCertificates } from 'node:tls';
import { checkTls } from '../apps/backend/src/platform/tls/tls-check';
import { startTlsEndpoints, type EndpointTarget } from '../testing/tls-endpoints';
import { amountOf, compare, finish, state, turnsOf } from './harness';

const HOSTS = amountOf(1000, 1 / 4);
const AT_ONCE = 50;
const TURNS = turnsOf(5);

const endpoints = await startTlsEndpoints();
const hosts = Array.from({ length: HOSTS }, (_, at) => endpoints.serve(`host-${at}.bench.test`, 'valid'));
const secureContext = createSecureContext({ ca: [...rootCertificates, endpoints.ca] });
let lost = 0;

/** @returns milliseconds for all hosts */
const onEach = async (check: (host: EndpointTarget) => Promise<boolean>): Promise<number> => {
  const began = performance.now();
  let next = 0;
  await Promise.all(
    Array.from({ length: AT_ONCE }, async () => {
      for (let host = hosts[next++]; host; host = hosts[next++]) if (!(await check(host))) lost += 1;
    }),
  );
  return performance.now() - began;
};

const handshake = ({ host, address, port }: EndpointTarget): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connect({ host: address, port, servername: host, secureContext }, () => {
      resolve(socket.authorized);
      socket.destroy();
    }).once('error', () => resolve(false));
  });

const line = await compare({
  what: `${HOSTS} hosts checked over TLS, ${AT_ONCE} at once`,
  unit: 'ms',
  target: { atMost: 1.5 },
  turns: TURNS,
  floor: { name: 'tls.connect', turn: () => onEach(handshake) },
  ours: {
    name: 'checkTls',
    turn: () => onEach(async (host) => (await checkTls(host)).problem === undefined),
  },
});
const checks = 2 * (TURNS + 1) * HOSTS;
const none = state('hosts lost', lost, { atMost: 0 }, `${lost} of ${checks}`);
await endpoints.stop();
finish([line, none]);
