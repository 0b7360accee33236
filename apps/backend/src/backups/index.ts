export { backupCommand } from './backup.command';
