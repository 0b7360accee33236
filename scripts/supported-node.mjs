/**
 * Imported first by every script that people start: on an unsupported version of Node the rest would end with a
 * confusing stack trace. This file itself runs on older versions.
 */
import fs from 'node:fs';

const { engines } = JSON.parse(fs.readFileSync(new URL('../package.json', import.meta.url), 'utf8'));
const parts = (version) => version.match(/\d+/g).map(Number);
const [major, minor] = parts(process.versions.node);
const [leastMajor, leastMinor] = parts(engines.node);

if (major < leastMajor || (major === leastMajor && minor < leastMinor)) {
  console.error(
    `Node ${process.versions.node} is too old: install Node ${leastMajor}.${leastMinor}, 22, 24 or 26`,
  );
  process.exit(78);
}
