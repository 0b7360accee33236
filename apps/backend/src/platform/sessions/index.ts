export { FailedAttempts } from './failed-attempts';
export { recordedRole } from './recorded-role';
export {
  type CommandMeta,
  idFor,
  mayActAs,
  ownMeta,
  permissionsOf,
  secretFor,
  type Session,
} from './session';
export {
  hashed,
  type OpenSession,
  randomSecret,
  SESSION_COOKIE,
  SESSION_SECONDS,
  type Sessions,
  SessionStore,
} from './session-store';
export { sessionsTables } from './sessions.tables';
