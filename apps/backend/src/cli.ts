/** Entry point of the commands, such as `npm run audit`. */
import { runCommandLine } from './commands';

process.exitCode = await runCommandLine(process.argv.slice(2), {
  env: process.env,
  print: (line) => process.stdout.write(`${line}\n`),
  tell: (line) => process.stderr.write(`${line}\n`),
});
