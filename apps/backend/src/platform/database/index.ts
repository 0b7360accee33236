export { isTransient, isDatabaseOutage, sqlClassOf } from './transient';
export { makeFile, moveFile, replaceFile, syncFolder } from './durable-file';
export { ACKNOWLEDGED, unacknowledged } from './foreign-events';
export { publicAddress, rememberAddress } from './installation';
export { installationTables } from './installation.tables';
export {
  composed,
  migrate,
  NewerSchema,
  RESTORING,
  RESTORING_MARK,
  type Rows,
  type Step,
  type Tables,
  UnfinishedRestore,
} from './migrations';
export { outagesOf, type Room } from './outage-kinds';
export { type Outage, sparing } from './outages';
export { leavePostgres, type PostgresServer, startPostgres } from './postgres-server';
export { asConsole } from './postgres-server-role';
export { PostgresFailed } from './postgres-server-failure';
export { PostgresKeeper } from './postgres-server-keeper';
export { transaction } from './transaction';
export { KeptRows } from './kept-rows';
export { literally } from './like';
