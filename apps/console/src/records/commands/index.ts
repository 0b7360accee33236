export { changing, looking, scriptQuestion, type Command } from './commands';
