/** The program of a served API's process, which `node-setup.mjs` has built. */
const path = require('node:path');
const { pathToFileURL } = require('node:url');

exports.apiProcessFile = pathToFileURL(path.resolve(__dirname, '../../dist/apps/backend/src/api-process.js'));
