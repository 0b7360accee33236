/** What browser and back end share, with no Node import behind it. */
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
