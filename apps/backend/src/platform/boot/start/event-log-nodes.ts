/**
 * Checks whether a node of an EventStoreDB accepts connections of the kind that its client would make. Uses Node's own
 * HTTP/2, because the client reports every problem as a missing connection, even if only one side uses TLS.
 */
import { readFileSync } from 'node:fs';
import { connect, type SecureClientSessionOptions } from 'node:http2';
import { resolve } from 'node:path';
import { createSecureContext } from 'node:tls';
import type { LogAddress, LogNode } from '@quarterdeck/log/store';
import { NodeFault, type NodeAnswer } from './event-log-obstacles';

const PATIENCE_MS = 3_000;

type Greeting = SecureClientSessionOptions | undefined;

/** Starts HTTP/2, with or without TLS, and waits for the server's settings. */
const greet = ({ host, port }: LogNode, tls: Greeting): Promise<NodeAnswer> =>
  new Promise((answer) => {
    const session = connect(`${tls ? 'https' : 'http'}://${host}:${port}`, tls);
    const settle = (result: NodeAnswer): void => {
      clearTimeout(late);
      session.destroy();
      answer(result);
    };
    const late = setTimeout(() => settle(new NodeFault('ETIMEDOUT', 'no answer in time')), PATIENCE_MS);
    session.once('remoteSettings', () => settle('ready'));
    // This listener stays: destroying a failing session may report the error again.
    session.on('error', (error: NodeJS.ErrnoException) =>
      settle(new NodeFault(error.code ?? '', error.message)),
    );
    session.once('close', () => settle(new NodeFault('ECONNRESET', 'the connection was closed')));
  });

/** Errors that do not depend on whether TLS is used. */
const isFinal = (code: string): boolean =>
  /^(ECONNREFUSED|ETIMEDOUT|EHOSTUNREACH|ENETUNREACH|ENOTFOUND|EAI_AGAIN)$/.test(code);

const ask = async (node: LogNode, tls: Greeting): Promise<NodeAnswer> => {
  const answer = await greet(node, tls);
  if (answer === 'ready' || isFinal(answer.code)) return answer;
  const otherwise = await greet(node, tls ? undefined : { rejectUnauthorized: false });
  if (otherwise !== 'ready') return answer;
  return tls ? new NodeFault('NO_TLS', answer.message) : new NodeFault('TLS_ONLY', answer.message);
};

const fileOf = (option: string, name: string | undefined): string | undefined => {
  if (name === undefined) return undefined;
  const file = resolve(name);
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    throw new NodeFault(
      'FILE',
      `names the file ${file} in ${option}, which cannot be read: ${(error as Error).message}`,
    );
  }
};

/** @throws NodeFault if a file is missing or invalid */
const greetingOf = ({ tls }: LogAddress): Greeting => {
  if (!tls) return undefined;
  const ca = fileOf('tlsCaFile', tls.caFile);
  const cert = fileOf('userCertFile', tls.certFile);
  const key = fileOf('userKeyFile', tls.keyFile);
  if (ca !== undefined && !ca.includes('-----BEGIN CERTIFICATE-----'))
    throw new NodeFault('FILE', `names the file ${tls.caFile} in tlsCaFile, which holds no certificate`);
  const options = { ...(ca && { ca }), ...(cert && { cert }), ...(key && { key }) };
  try {
    createSecureContext(options);
  } catch (error) {
    throw new NodeFault(
      'FILE',
      `names certificates or a key that cannot be used: ${(error as Error).message}`,
    );
  }
  return options;
};

/** @throws NodeFault with the most specific reason, if none of the nodes is ready */
export const oneNodeAnswers = async (address: LogAddress): Promise<void> => {
  const tls = greetingOf(address);
  const answers = await Promise.all(address.nodes.map((node) => ask(node, tls)));
  const faults = answers.filter((answer) => answer !== 'ready');
  if (faults.length < answers.length) return;
  throw faults.find(({ code }) => !isFinal(code)) ?? faults[0] ?? new NodeFault('', 'it names no node');
};
