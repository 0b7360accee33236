/** The event store. Node only. */
export {
  RevisionsMissing,
  type KeptChain,
  type KeptEvent,
  type LogEngine,
  type TruncatedStream,
} from './engine';
export * from './event-store';
export { openEngine, openLog, type LogConfig } from './open';
export {
  MoveRefused,
  moveLog,
  openTakenIn,
  placeOf,
  reopenLog,
  TargetFailed,
  type MoveProgress,
} from './move';
export * from './log-address';
export {
  BEGINNING,
  logOf,
  readSeal,
  sealText,
  verify,
  type AuditedLog,
  type AuditResult,
  type Seal,
} from './audit';
export type { AuthenticStore } from './authentic-store';
export { WrongLogKey } from './log-keys';
export { isTextSignedBy } from './signatures';
export { unwrap, wrap } from './wrap';
export { exportLog, verifyExport } from './export';
export { chainHash, chainLine, chainLink, GENESIS, rawLine } from './chain';
export { codecOf, type Codec, type EncodedEvent } from '../codec';
export { LastingConnection, listening } from './postgres/lasting-connection';
export { Others } from './postgres/others';
export { textArray } from './postgres/binary-arrays';
export { verifyLog } from './postgres/audited';
export { hasLog, isLogOfAnotherVersion } from './postgres/migrate';
