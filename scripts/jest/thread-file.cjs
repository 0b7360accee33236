/** The program of the back end's threads, which `node-setup.mjs` has built: a thread cannot read TypeScript. */
const path = require('node:path');
const { pathToFileURL } = require('node:url');

exports.threadFile = pathToFileURL(path.resolve(__dirname, '../../dist/apps/backend/src/thread.js'));
