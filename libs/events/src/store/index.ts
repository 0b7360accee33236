/** The event store, Node only. */
export * from './event-store';
export * from './open';
export * from './audit';
export { chainHash, chainLine, chainLink, GENESIS } from './chain';
export { codec, codecOf, type Codec, type EncodedEvent } from '../codec';
export { textArray } from './postgres/binary-arrays';
export { PostgresStore, type PostgresStoreOptions } from './postgres/postgres-store';
