/** Style of code editors: colours from the theme's CSS variables, and syntax highlighting for each language. */
import { HighlightStyle, StreamLanguage, syntaxHighlighting } from '@codemirror/language';
import { nginx } from '@codemirror/legacy-modes/mode/nginx';
import { standardSQL } from '@codemirror/legacy-modes/mode/sql';
import { yaml } from '@codemirror/legacy-modes/mode/yaml';
import { EditorState, type Extension } from '@codemirror/state';
import { EditorView, lineNumbers } from '@codemirror/view';
import { tags } from '@lezer/highlight';

export type Language = 'nginx' | 'sql' | 'yaml';

const languages: Record<Language, Extension> = {
  nginx: StreamLanguage.define(nginx),
  sql: StreamLanguage.define(standardSQL),
  yaml: StreamLanguage.define(yaml),
};

const colours = HighlightStyle.define([
  { tag: [tags.keyword, tags.controlKeyword, tags.definition(tags.propertyName)], color: 'var(--qd-info)' },
  { tag: [tags.atom, tags.propertyName, tags.tagName], color: 'var(--qd-info)' },
  { tag: [tags.string, tags.number], color: 'var(--qd-good)' },
  { tag: tags.meta, color: 'var(--qd-warn)' },
  { tag: tags.comment, color: 'var(--mantine-color-dimmed)', fontStyle: 'italic' },
]);

const sign = (mark: string, colour: string) => ({
  content: `"${mark}"`,
  position: 'absolute',
  left: '4px',
  color: colour,
});

const frame = EditorView.theme({
  '&': { color: 'var(--mantine-color-text)', fontSize: '12.5px' },
  '&.cm-focused': { outline: '2px solid var(--qd-focus)', outlineOffset: '-2px' },
  '.cm-scroller': { fontFamily: 'var(--mantine-font-family-monospace)', lineHeight: '1.55' },
  '.cm-content': { padding: '8px 0' },
  '.cm-line': { position: 'relative', padding: '0 12px 0 18px' },
  '.cm-gutters': {
    border: 'none',
    background: 'var(--qd-raised)',
    color: 'var(--mantine-color-dimmed)',
  },
  '.cm-lineNumbers .cm-gutterElement': { minWidth: '32px', padding: '0 6px 0 8px' },
  // Changed lines also have a sign, so nobody depends on colour.
  '&.cm-merge-a .cm-changedLine, .cm-deletedChunk': { background: 'var(--qd-bad-tint)' },
  '&.cm-merge-b .cm-changedLine, .cm-inlineChangedLine': { background: 'var(--qd-good-tint)' },
  '&.cm-merge-a .cm-changedLine::before': sign('−', 'var(--qd-bad)'),
  '&.cm-merge-b .cm-changedLine::before': sign('+', 'var(--qd-good)'),
  '.cm-deletedChunk': { paddingLeft: '0' },
  '.cm-deletedChunk .cm-deletedLine': { position: 'relative', padding: '0 12px 0 18px' },
  '.cm-deletedChunk .cm-deletedLine::before': sign('−', 'var(--qd-bad)'),
  '&.cm-merge-a .cm-changedText, .cm-deletedChunk .cm-deletedText': {
    background: 'color-mix(in srgb, var(--qd-bad-border) 50%, transparent)',
  },
  '&.cm-merge-b .cm-changedText': {
    background: 'color-mix(in srgb, var(--qd-good-border) 50%, transparent)',
  },
  '.cm-collapsedLines': {
    padding: '2px 18px',
    background: 'var(--qd-hover)',
    color: 'var(--mantine-color-dimmed)',
    '&::before, &::after': { content: 'none' },
  },
});

/** Read-only text that can be focused, scrolled with keys, selected and copied. */
export const readOnly = (label: string, language: Language): Extension => [
  EditorState.readOnly.of(true),
  EditorView.editable.of(false),
  EditorView.contentAttributes.of({ 'aria-label': label, tabindex: '0' }),
  lineNumbers(),
  languages[language],
  syntaxHighlighting(colours),
  frame,
];
