/** Starts the files that take longest first; `durations.json` has their seconds from an earlier run. */
const path = require('node:path');
const { default: Sequencer } = require('@jest/test-sequencer');
const durations = require('./durations.json');

const secondsOf = ({ path: file, context }) =>
  durations[path.relative(context.config.rootDir, file).split(path.sep).join('/')] ?? 0;

module.exports = class LongestFirst extends Sequencer {
  sort(tests) {
    return tests.toSorted((a, b) => secondsOf(b) - secondsOf(a));
  }
};
