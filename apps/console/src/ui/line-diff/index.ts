export { diffLines, linesOf } from './diff-lines';
export { LineDiff } from './LineDiff';
