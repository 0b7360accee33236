/** How a product shows a Markdown text, roughly: the product has styles of its own. */
import { useMemo } from 'react';
import { Loading } from '../../../ui/Loading';
import { Note } from '../../../ui/Note';
import look from '../../../ui/look.module.css';
import styles from './markdown.module.css';
import { nodesOf } from './markdown-nodes';
import { useMarkdown } from './use-markdown';

const failures = {
  slow: 'This text takes too long to render, so there is no preview. Look for very many unclosed * or [.',
  broken: 'The preview could not be loaded. The text itself is not affected.',
} as const;

interface MarkdownPreviewProps {
  text: string;
  /** "Preview in French" */
  label: string;
  lang: string;
  dir: 'ltr' | 'rtl';
}

export const MarkdownPreview = ({ text, label, lang, dir }: MarkdownPreviewProps) => {
  const rendered = useMarkdown(text);
  const nodes = useMemo(() => rendered && 'html' in rendered && nodesOf(rendered.html), [rendered]);
  if (!rendered) return <Loading label={`Loading: ${label}`} />;
  if ('failed' in rendered) return <Note>{failures[rendered.failed]}</Note>;
  return (
    <div
      role="group"
      aria-label={label}
      lang={lang}
      dir={dir}
      tabIndex={0}
      className={`${look.scroller} ${look.raised} ${styles.preview}`}
    >
      {nodes}
    </div>
  );
};
