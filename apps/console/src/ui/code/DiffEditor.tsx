import { MergeView, unifiedMergeView } from '@codemirror/merge';
import { EditorView } from '@codemirror/view';
import { useCallback } from 'react';
import { readOnly, type Language } from './editor-look';
import { useShadowEditor } from './use-shadow-editor';

interface DiffEditorProps {
  before: string;
  after: string;
  /** Accessible names of the two sides. */
  labels: { before: string; after: string };
  language: Language;
  beside: boolean;
  /** Also shows unchanged stretches. */
  whole: boolean;
}

const FOLDED = { margin: 3, minSize: 6 };

/** Loaded when the first diff is shown. */
export default function DiffEditor({ before, after, labels, language, beside, whole }: DiffEditorProps) {
  const { before: labelBefore, after: labelAfter } = labels;
  const create = useCallback(
    (root: ShadowRoot) => {
      const marks = { gutter: false, ...(!whole && { collapseUnchanged: FOLDED }) };
      const extensions = readOnly(labelAfter, language);
      return beside
        ? new MergeView({
            a: { doc: before, extensions: readOnly(labelBefore, language) },
            b: { doc: after, extensions },
            parent: root,
            root,
            ...marks,
          })
        : new EditorView({
            doc: after,
            extensions: [extensions, unifiedMergeView({ original: before, mergeControls: false, ...marks })],
            parent: root,
            root,
          });
    },
    [before, after, labelBefore, labelAfter, language, beside, whole],
  );
  return <div ref={useShadowEditor(create)} />;
}
