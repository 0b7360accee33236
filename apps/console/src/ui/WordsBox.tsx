/** A framed list of sentences: what is wrong, or what was left as it is. */
import styles from './WordsBox.module.css';

interface WordsBoxProps {
  title: string;
  words: readonly string[];
  tone?: 'bad' | 'warn';
  /** Somebody should hear of it at once. */
  role?: 'alert';
  /** Its name as a part of the page. */
  label?: string;
}

/** Nothing if there are no words. */
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
