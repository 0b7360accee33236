/** Code shared by browser and back end. It imports nothing from Node. */
export * from './backoff';
export * from './envelope';
export type * from './catalogue';
export type { CredentialKey } from './credentials.events';
export type { InvitationWay, Role } from './people.events';
export type { AnyNoun } from './define-noun';
export * from './kit/field';
export * from './kit/noun';
export * from './nouns';
export * from './placement';
export { looksLikeSecret, plainSecretIn } from './plain-secrets';
export * from './commands';
export * from './run-words';
export * from './sign-in';
export * from './site-grammar';
export * from './ssl-log';
export * from './typed-name';
