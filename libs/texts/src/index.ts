/**
 * @module Texts in many languages: the files in which they come and go, and what a file would change. Pure, and above
 * nothing of ours.
 */
export * from './comparison';
export { TextFileError, type FoundTexts, type LeftOut, type TextEntry } from './file';
export * from './files';
export * from './formats';
export * from './icu';
export * from './languages';
export * from './limits';
