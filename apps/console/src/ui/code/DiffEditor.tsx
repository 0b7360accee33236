import { MergeView, unifiedMergeView } from '@codemirror/merge';
import { EditorView } from '@codemirror/view';
import { useCallback } from 'react';
import { readOnly, type Language } from './editor-look';
import { useShadowEditor } from './use-shadow-editor';

interface DiffEditorProps {
  before: string;
  after: string;
  /** Of either side. */
  labels: { before: string; after: string };
  language: Language;
  beside: boolean;
  /** Also the stretches in which nothing differs. */
  whole: boolean;
}

const FOLDED = { margin: 3, minSize: 6 };

/** Loaded with the first difference that is shown. */
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
