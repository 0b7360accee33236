/** Entry point of the commands, such as `npm run audit`. */
import { runCommandLine } from './commands';
import { Interrupted } from './platform/cli';

const ending = new AbortController();
// They stay registered: a second Ctrl-C must not end the process before it has stopped its Postgres.
for (const signal of ['SIGINT', 'SIGTERM'] as const)
  process.on(signal, () => ending.abort(new Interrupted()));

process.exitCode = await runCommandLine(process.argv.slice(2), {
  env: process.env,
  print: (line) => process.stdout.write(`${line}\n`),
  tell: (line) => process.stderr.write(`${line}\n`),
  signal: ending.signal,
});
if (ending.signal.aborted) process.exit(); // What was cut off would keep the process alive.
