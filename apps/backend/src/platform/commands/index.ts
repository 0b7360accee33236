export { fixedCommand, fixedCommands, type FixedCommand } from './fixed-commands';
