/** The list that the build has written: tests that need it build the back end first. */
const path = require('node:path');
const { pathToFileURL } = require('node:url');

exports.standaloneFile = pathToFileURL(path.resolve(__dirname, '../../dist/backend/standalone.json'));
