/**
 * Requests a site of a throw-away server again and again from within the server's own network, with a new connection
 * each time, and records every answer other than 200.
 */
import { randomBytes } from 'node:crypto';
import { quote } from '../apps/backend/src/platform/ssh/quote';
import type { ThrowawayHost } from './throwaway-host';

export interface ProbedSite {
  /** Value of the Host header. */
  serverName: string;
  /** Default 80. */
  port?: number;
  /** Default `/`. */
  path?: string;
  /** Default 50. */
  timesASecond?: number;
}

export interface ProbeResult {
  /** Number of answers and failures. */
  asked: number;
  /** Milliseconds since the epoch, and the status or the error. */
  bad: { at: number; answer: string }[];
}

export interface WebProbe {
  /** Stops requesting, and waits for outstanding answers. */
  stop(): Promise<ProbeResult>;
}

/** Ends when the file $1 is gone, or after ten minutes. Further arguments: name, port, path, pause in ms. */
const prober = `
const { existsSync } = require('node:fs');
const { get } = require('node:http');
const [running, host, port, path, pause] = process.argv.slice(1);
const bad = [];
let asked = 0;
let open = 0;
let over = false;
const end = () => { if (over && open === 0) console.log(JSON.stringify({ asked, bad })); };
const ask = () => {
  const at = Date.now();
  open += 1;
  const done = (answer) => {
    asked += 1;
    open -= 1;
    if (answer !== '200') bad.push({ at, answer });
    end();
  };
  const request = get({ host: '127.0.0.1', port, path, headers: { host }, agent: false, timeout: 60000 }, (response) => {
    response.resume().once('error', (error) => done(error.code)).once('end', () => done(String(response.statusCode)));
  });
  request.once('timeout', () => request.destroy(new Error('no answer in a minute')));
  request.once('error', (error) => done(error.code ?? error.message));
};
const started = Date.now();
const timer = setInterval(() => {
  if (existsSync(running) && Date.now() - started < 600000) return ask();
  clearInterval(timer);
  over = true;
  end();
}, Number(pause));
`;

export const startWebProbe = async (
  host: Pick<ThrowawayHost, 'inside'>,
  { serverName, port = 80, path = '/', timesASecond = 50 }: ProbedSite,
): Promise<WebProbe> => {
  const running = `/tmp/probe-${randomBytes(6).toString('hex')}`;
  const args = [running, serverName, String(port), path, String(1000 / timesASecond)];
  const command = [process.execPath, '-e', prober, ...args].map(quote).join(' ');
  await host.inside(`touch ${running}`);
  const asking = host.inside(command);
  return {
    async stop() {
      await host.inside(`rm ${running}`);
      const { code, out } = await asking;
      if (code !== 0) throw new Error(`the probe ended with ${String(code)}: ${out}`);
      return JSON.parse(out) as ProbeResult;
    },
  };
};
