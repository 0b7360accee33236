/** Checks an upstream from the server: name, port, answer. */
import { partsOfUpstream } from '@quarterdeck/events';
import { shell, type ShellCommand } from '../../platform/ssh';
import { readTold } from '../../servers';
import inspect from './inspect.sh';

const inspectUpstream = shell(inspect, ['scheme', 'host', 'port', 'path', 'socket', 'how']);

/** @throws RangeError if it is not an upstream */
export const inspectScript = (upstream: string): ShellCommand => {
  const parts = partsOfUpstream(upstream);
  if (parts === undefined) throw new RangeError(`This is not an upstream: ${upstream}`);
  const { scheme, authority, host, path: asked, socket } = parts;
  const path = asked || '/';
  if (socket !== undefined)
    return inspectUpstream({ scheme: 'http', host: 'localhost', port: 80, path, socket, how: '' });
  const port = authority.slice(host.length + 1) || (scheme.endsWith('s') ? '443' : '80');
  return inspectUpstream({
    scheme: { grpc: 'http', grpcs: 'https' }[scheme] ?? scheme,
    host,
    port,
    path,
    socket: '',
    // What speaks gRPC without TLS understands nothing but HTTP/2.
    how: scheme === 'grpc' ? '--http2-prior-knowledge' : '',
  });
};

export type UpstreamFinding = 'answered' | 'silent' | 'unreachable' | 'unresolved';

export interface UpstreamSeen {
  finding: UpstreamFinding;
  addresses: string[];
  address?: string;
  connectMs?: number;
  answerMs?: number;
  status?: number;
  verified?: boolean;
  error?: string;
}

const isFinding = (text: string | undefined): text is UpstreamFinding =>
  text === 'answered' || text === 'silent' || text === 'unreachable' || text === 'unresolved';

/** @throws Error if it is not a report of `inspectScript` */
export const readInspection = (report: Record<string, string>): UpstreamSeen => {
  const { finding, addresses = '', address, connectMs, answerMs, status, verified, error } = report;
  if (!isFinding(finding)) throw new Error('The server did not say what it found of the upstream.');
  return {
    finding,
    addresses: addresses.split(' ').filter((one) => one !== ''),
    ...(address && { address }),
    ...(connectMs && { connectMs: Number(connectMs) }),
    ...(answerMs && { answerMs: Number(answerMs) }),
    ...(status && { status: Number(status) }),
    ...(verified && { verified: verified === 'yes' }),
    ...(error && { error }),
  };
};

/** Reads the same report from the output of the script run as a plain command. */
export const inspectionIn = (output: string): UpstreamSeen => readInspection(readTold(output).report);
