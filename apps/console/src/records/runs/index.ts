export { CancelRequested, RunState } from './RunState';
export { Elapsed } from './Elapsed';
export {
  castHref,
  useRunCheckQuery,
  useRunsInfiniteQuery,
  withSearch,
  type RunFilter,
  type StepCheck,
} from './run.endpoints';
export {
  canCancel,
  canRetry,
  exitCodeOf,
  isLive,
  kindInWords,
  missingOutput,
  printedBytes,
  outputFilename,
  runInTheWay,
  runKinds,
  runTitle,
  stepTitle,
  tookMs,
  waitsInFewWords,
} from './run-words';
export { OutputRemoved } from './OutputRemoved';
export { nextStepOf, remedyOf, type NextStep } from './next-step';
export { newRunId } from './new-run-id';
export { RunNotice } from './RunNotice';
export { RunsOf } from './RunsOf';
export { WaitsFor } from './WaitsFor';
export { RunTable } from './RunTable';
export { ActionFailure, useRunActions } from './use-run-actions';
