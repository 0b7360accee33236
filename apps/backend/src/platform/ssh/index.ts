export { runAttached } from './attached';
export { DetachedWork } from './detached/detached-work';
export type { DetachedSettings, FollowOptions, RemoteEnd, RemoteWork } from './detached/types';
export { type KeyPair, makeKeyPair, publicKeyFacts } from './make-key';
export { plain, SshFailure, type SshFailureCode } from './failure';
export type { HostKeyNews } from './host-key-memory';
export { type Contact, SshPool } from './pool';
export type { SshPoolOptions } from './pool-settings';
export { type PrivateKeyFacts, readPrivateKey } from './private-key';
export { quote } from './quote';
export { exitNames, fixedShell, passedOn, shell, type ShellCommand } from './shell';
export type {
  ByteCommand,
  ForwardTo,
  HostKey,
  OutputStream,
  RemoteCommand,
  RemoteResult,
  SshTarget,
} from './target';
