/** A text with syntax highlighting and line numbers, to read, copy and download. */
import { part } from '../part';
import { CodeFrame } from './CodeFrame';
import type { Language } from './editor-look';

/** Sizes of the editor's text, see `editor-look.ts`. */
const LINE_PX = 12.5 * 1.55;
const PADDING_PX = 16;

const ViewEditor = part(() => import('./ViewEditor'), 'Loading text');

interface CodeViewProps {
  text: string;
  /** Title, also used as the accessible name. */
  label: string;
  language: Language;
  /** Offers to download it under this name. */
  filename?: string;
  tall?: boolean;
}

export function CodeView({ text, label, language, filename, tall }: CodeViewProps) {
  // As tall as the editor will be, so that nothing below moves when it has loaded.
  const minHeight = text.split('\n').length * LINE_PX + PADDING_PX;
  return (
    <CodeFrame title={label} text={text} filename={filename} tall={tall}>
      <div style={{ minHeight }}>
        <ViewEditor text={text} label={label} language={language} />
      </div>
    </CodeFrame>
  );
}
