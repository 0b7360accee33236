export type { Job, Question, Reply } from './job';
export { JobOverran, threads } from './threads';
export { threadFile } from './thread-file';
