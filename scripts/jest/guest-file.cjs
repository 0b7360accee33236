/** The program of a guest's thread, which `node-setup.mjs` has built. */
const path = require('node:path');
const { pathToFileURL } = require('node:url');

exports.guestFile = pathToFileURL(path.resolve(__dirname, '../../dist/apps/backend/src/guest.js'));
