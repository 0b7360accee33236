export { changing, looking, type Command } from './commands';
