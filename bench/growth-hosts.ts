/**
 * A process that is as many servers as there are addresses on the loopback network: it speaks SSH, accepts every key,
 * and answers a probe with what a small server says. It runs no shell, which would take more than what is measured.
 */
import { generateKeyPairSync } from 'node:crypto';
import type { AddressInfo } from 'node:net';
import ssh2, { type Connection, type ServerChannel } from 'ssh2';

const FIGURES = [
  'load1=0.08',
  'load5=0.03',
  'load15=0.01',
  'cores=2',
  'memoryTotal=2015024',
  'memoryAvailable=1430112',
  'diskTotal=41152812',
  'diskAvailable=30987654',
  'uptimeSeconds=86400',
  'docker=running',
  'containers=3',
  'nginx=running',
  '',
].join('\n');

const NONCE = /::quarterdeck %s %s::\\n' ([0-9a-f]+)/;
/** A script ends with its closing brace (`remote-shell.ts`). */
const END = '} </dev/null\n';

const answer = (channel: ServerChannel): void => {
  let said = '';
  let isReady = false;
  channel.on('data', (bytes: Buffer) => {
    said += bytes.toString();
    const nonce = NONCE.exec(said)?.[1];
    if (!isReady && nonce !== undefined) {
      isReady = true;
      said = '';
      channel.write(`::quarterdeck ${nonce} -4711::\n`);
    } else if (isReady && said.endsWith(END)) {
      channel.write(FIGURES);
      channel.exit(0);
      channel.end();
    }
  });
};

const greet = (client: Connection): void => {
  client.on('authentication', (asked) => asked.accept());
  client.on('error', () => undefined);
  client.on('session', (accept) => {
    accept().on('exec', (acceptCommand) => answer(acceptCommand()));
  });
};

/** Prints its port, and serves until it is ended. */
export const answerProbes = (): Promise<never> => {
  const key = generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey.export({
    type: 'pkcs1',
    format: 'pem',
  });
  const server = new ssh2.Server({ hostKeys: [key] }, greet);
  server.listen(0, '0.0.0.0', () => console.log((server.address() as AddressInfo).port));
  return new Promise(() => undefined);
};
