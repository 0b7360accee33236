import { Module } from '@nestjs/common';
import { deciderHandlers } from '../platform/decisions';
import { OutputRetention } from './output-retention';
import { RunDriver } from './run-driver';
import { RunEngine } from './run-engine';
import { ExclusiveRuns } from './run-exclusive';
import { RunHosts } from './run-hosts';
import { RunLine } from './run-line';
import { RunNews } from './run-news';
import { RunParts } from './run-parts';
import { RunReplayController } from './run-replay.controller';
import { RunSteps } from './run-steps';
import { RunWatchdog } from './run-watchdog';
import { RunsController } from './runs.controller';
import { runsDecider } from './runs.decider';

export type { RecordedRun } from './recorded-run';
export { RunEngine } from './run-engine';
export { ExclusiveRuns } from './run-exclusive';
export { RunHosts, type HostAccess } from './run-hosts';
export { OutputRetention } from './output-retention';
export { RunNews } from './run-news';
export { StepCancelled, StepFailed, StepLost } from './run-outcome';
export { EndRun, runsDecider } from './runs.decider';
export { BRIEF_RUN } from './runs.queries';
export { withLine } from './run-line.queries';
export { afterGrace, mayAttach } from './run-kind';
export { FOUND_FIRST, matchesOf } from './run-search';
export type {
  AttemptReport,
  Explanation,
  LocalIo,
  LocalStep,
  RemoteStep,
  Report,
  RunContext,
  RunKind,
  RunRequest,
  RunServer,
  Step,
  StepFailure,
} from './run-kind';

@Module({
  controllers: [RunsController, RunReplayController],
  providers: [
    ExclusiveRuns,
    OutputRetention,
    RunDriver,
    RunEngine,
    RunHosts,
    RunLine,
    RunNews,
    RunParts,
    RunSteps,
    RunWatchdog,
    ...deciderHandlers(runsDecider),
  ],
  exports: [ExclusiveRuns, RunEngine, RunHosts, RunNews],
})
export class RunsModule {}
