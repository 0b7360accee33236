import { EditorView } from '@codemirror/view';
import { useCallback } from 'react';
import { readOnly, type Language } from './editor-look';
import { useShadowEditor } from './use-shadow-editor';

interface ViewEditorProps {
  text: string;
  label: string;
  language: Language;
}

/** Loaded when the first code is shown. */
export default function ViewEditor({ text, label, language }: ViewEditorProps) {
  const create = useCallback(
    (root: ShadowRoot) =>
      new EditorView({ doc: text, extensions: readOnly(label, language), parent: root, root }),
    [text, label, language],
  );
  return <div ref={useShadowEditor(create)} />;
}
