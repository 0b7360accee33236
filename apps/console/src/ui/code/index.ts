export { CodeDiff } from './CodeDiff';
export { CodeView } from './CodeView';
