export { FailedAttempts } from './failed-attempts';
export { recordedMember } from './recorded-member';
export { demandFreshProof, lackOf, refusalOf } from './second-factor';
export {
  type CommandMeta,
  idFor,
  mayActAs,
  type NewSession,
  ownMeta,
  permissionsOf,
  secretFor,
  type Session,
} from './session';
export { hashed, randomSecret, SESSION_COOKIE, SESSION_SECONDS, SessionStore } from './session-store';
export type { OpenSession, Sessions } from './sessions';
export { sessionsTables } from './sessions.tables';
