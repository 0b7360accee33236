/**
 * @module Texts in many languages: the files in which they come and go, and what a file would change. Pure, and above
 * nothing of ours.
 */
export * from './comparison';
export {
  TextFileError,
  formats,
  problemOfText,
  type Format,
  type FoundTexts,
  type LeftOut,
  type TextEntry,
} from './file';
export * from './files';
export * from './icu';
export * from './languages';
