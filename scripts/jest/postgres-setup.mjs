export { setUp as default } from './postgres-folder.mjs';
