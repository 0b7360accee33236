/** A framed list of sentences, such as problems or parts that were left unchanged. */
import { Section } from './Card';
import { Bullets } from './List';
import look from './look.module.css';

interface WordsBoxProps {
  title: string;
  words: readonly string[];
  tone?: 'bad' | 'warn' | 'quiet';
  /** Screen readers announce it immediately. */
  role?: 'alert';
  /** Accessible name of the section. */
  label?: string;
}

/** Renders nothing if `words` is empty. */
export const WordsBox = ({ title, words, tone = 'bad', role, label }: WordsBoxProps) =>
  words.length > 0 && (
    <Section
      className={look.wrap}
      mah={240}
      mb={12}
      p="8px 12px"
      bd={`1px solid var(--qd-${tone === 'quiet' ? '' : `${tone}-`}border)`}
      bdrs="md"
      style={{ overflow: 'auto' }}
      role={role}
      aria-label={label}
      // Whoever has no mouse scrolls it by keys.
      tabIndex={0}
    >
      <strong>{title}</strong>
      <Bullets mt={4}>
        {words.map((one) => (
          <li key={one}>{one}</li>
        ))}
      </Bullets>
    </Section>
  );
