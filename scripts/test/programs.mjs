/** Runs programs of node_modules for the tests: without stdin, and ended with all their children if they hang. */
import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { stripVTControlCharacters } from 'node:util';

const running = new Set();
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) {
  process.once(signal, () => {
    for (const child of running) killGroup(child, 'SIGKILL');
    process.exit(1);
  });
}

/**
 * @param {string[]} args of node
 * @param {{ minutes: number, show?: boolean | string, env?: Record<string, string>, node?: string }} options
 *   `show`: prints the output as it comes, each line after this word if there is one; `node`: the Node program to run
 * @returns {Promise<{ ok: boolean, output: string, stdout: string, stopped: boolean }>} `stopped`: it took too long
 */
export function runNode(args, { minutes, show = false, env = {}, node = process.execPath }) {
  return new Promise((resolve) => {
    const stdio = show === true ? ['ignore', 'inherit', 'inherit'] : ['ignore', 'pipe', 'pipe'];
    const child = spawn(node, args, { stdio, detached: true, env: { ...process.env, ...env } });
    running.add(child);
    let output = '';
    let stdout = '';
    child.stdout?.setEncoding('utf8').on('data', (text) => {
      output += text;
      stdout += text;
    });
    child.stderr?.setEncoding('utf8').on('data', (text) => (output += text));
    if (typeof show === 'string')
      for (const stream of [child.stdout, child.stderr])
        createInterface({ input: stream }).on('line', (line) => console.log(`${show} | ${line}`));
    let stopped = false;
    const limit = setTimeout(() => {
      stopped = true;
      output += `\nstopped: not done after ${minutes} minutes`;
      killGroup(child, 'SIGKILL');
    }, minutes * 60_000);
    const done = (ok) => {
      clearTimeout(limit);
      running.delete(child);
      resolve({ ok, output: stripVTControlCharacters(output), stdout, stopped });
    };
    child.once('error', (error) => {
      output += String(error);
      done(false);
    });
    child.once('close', (code) => done(code === 0));
  });
}

function killGroup(child, signal) {
  try {
    process.kill(-child.pid, signal);
  } catch {
    // It has already ended.
  }
}
