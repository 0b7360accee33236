/** The form of events, shared by browser and back end. It imports nothing from Node. */
export * from './backoff';
export * from './codec';
export * from './define-event';
export * from './envelope';
export * from './log.events';
