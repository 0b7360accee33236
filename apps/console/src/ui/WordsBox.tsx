/** A framed list of sentences, such as problems or parts that were left unchanged. */
import styles from './WordsBox.module.css';

interface WordsBoxProps {
  title: string;
  words: readonly string[];
  tone?: 'bad' | 'warn';
  /** Screen readers announce it immediately. */
  role?: 'alert';
  /** Accessible name of the section. */
  label?: string;
}

/** Renders nothing if `words` is empty. */
export const WordsBox = ({ title, words, tone = 'bad', role, label }: WordsBoxProps) =>
  words.length > 0 && (
    <section className={styles.box} data-tone={tone} role={role} aria-label={label}>
      <strong>{title}</strong>
      <ul>
        {words.map((one) => (
          <li key={one}>{one}</li>
        ))}
      </ul>
    </section>
  );
