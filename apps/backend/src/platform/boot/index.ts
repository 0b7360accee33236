export { startBackend } from './backend';
export { PlatformModule } from './platform.module';
export { Readiness } from './readiness';
export { platformTables } from './platform.tables';
export type { BeforeMigration, Program, ProgramTables } from './program';
export { caughtUpAlone, forgetRemade, remake } from './remaking';
export {
  type Database,
  type Log,
  openDatabase,
  openLog,
  openLogIn,
  readModelsOf,
  type Resources,
  sourceOf,
} from './resources';
export { auditedLog, followedChain } from './sealing';
export { endOf, named } from './start/end-of';
export { awaitedEventLog, openPlace } from './start/event-log';
export type { Awaited } from './start/patience';
