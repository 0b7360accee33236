export { tearDown as default } from './postgres-folder.mjs';
