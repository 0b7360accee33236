/** What browser and back end share, with no Node import behind it. */
export * from './envelope';
export type * from './catalogue';
export type { Role } from './people.events';
export * from './placement';
export * from './commands';
export * from './run-words';
