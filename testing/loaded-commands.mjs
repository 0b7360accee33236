/**
 * The built command line, loaded once: the start of a program is nine tenths of a command. Each message is the arguments of a
 * command, each answer its exit code and what it printed.
 */
import { pathToFileURL } from 'node:url';

const program = pathToFileURL('dist/backend/cli.js').href;
let count = 0;

process.on('message', async (args) => {
  const printed = [];
  for (const stream of [process.stdout, process.stderr]) {
    stream.write = (text) => {
      printed.push(text);
      return true;
    };
  }
  process.argv.splice(2, Infinity, ...args);
  process.exitCode = 0;
  count += 1;
  // Another address, so that it runs again. What it imports is there already.
  await import(`${program}?${count}`);
  process.send({ code: process.exitCode, printed: printed.join('') });
});
