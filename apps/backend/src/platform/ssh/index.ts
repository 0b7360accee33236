export { DetachedWork } from './detached/detached-work';
export type { DetachedSettings, FollowOptions, RemoteEnd, RemoteWork } from './detached/types';
export { plain, SshFailure, type SshFailureCode } from './failure';
export type { HostKeyNews } from './host-key-memory';
export { SshPool, type Contact } from './pool';
export { type SshPoolOptions } from './pool-settings';
export { readPrivateKey, type PrivateKeyFacts } from './private-key';
export type { HostKey, OutputStream, RemoteCommand, RemoteResult, SshTarget } from './target';
