/** Code shared by browser and back end. It imports nothing from Node. */
export * from './envelope';
export type * from './catalogue';
export type { CredentialKey } from './credentials.events';
export type { InvitationWay, Role } from './people.events';
export * from './placement';
export * from './commands';
export * from './run-words';
export * from './sign-in';
export * from './site-grammar';
export * from './ssl-log';
export * from './undoable';
