/** A text with syntax highlighting and line numbers, to read, copy and download. */
import { part } from '../part';
import { CodeFrame } from './CodeFrame';
import type { Language } from './editor-look';

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
  return (
    <CodeFrame title={label} text={text} filename={filename} tall={tall}>
      <ViewEditor text={text} label={label} language={language} />
    </CodeFrame>
  );
}
