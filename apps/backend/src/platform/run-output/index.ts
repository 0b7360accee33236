export { RunFeeds } from './run-feed';
export { nothingStored, RunOutputs } from './run-output';
export { StepRecording } from './run-recording';
export { Redactor, secretsOf } from './run-redaction';
export { runOutputTables } from './run-output.tables';
