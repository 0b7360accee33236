/**
 * Writes each test file's result as a line of JSON when the file ends, and its name when it begins: what is known of a
 * run that has to be stopped.
 */
const fs = require('node:fs');

module.exports = class ResultsReporter {
  onTestFileStart({ path }) {
    this.write({ begun: path });
  }

  onTestFileResult({ path }, { testResults, testExecError, failureMessage, perfStats, numPassingTests }) {
    const tests = testResults.map(({ status, fullName, failureMessages }) => ({
      status,
      fullName,
      failureMessages,
    }));
    const hasFailed = testExecError || tests.some(({ status }) => status === 'failed');
    this.write({
      name: path,
      startTime: perfStats.start,
      endTime: perfStats.end,
      numPassingTests,
      status: hasFailed ? 'failed' : 'passed',
      message: failureMessage ?? '',
      assertionResults: tests,
    });
  }

  write(line) {
    fs.appendFileSync(process.env.JEST_RESULTS_FILE, `${JSON.stringify(line)}\n`);
  }
};
