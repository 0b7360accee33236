/** A text in a language that machines read, with line numbers, to be read, copied and saved. */
import { part } from '../part';
import { CodeFrame } from './CodeFrame';
import type { Language } from './editor-look';

const ViewEditor = part(() => import('./ViewEditor'), 'Loading text');

interface CodeViewProps {
  text: string;
  /** What it is: its title, and its name for those who do not see it. */
  label: string;
  language: Language;
  /** Offers to save it under this name. */
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
