export { auditCommand } from './cli-audit';
export { logCommand } from './cli-log';
export { rotateKeyCommand } from './cli-rotate-key';
export { type Command, type CommandContext, Interrupted, parsed, telling, UsageError } from './command-line';
