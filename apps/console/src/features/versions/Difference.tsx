/** The difference between two models in words, as lint findings and as SQL. */
import { Disclosure } from '../../ui/Disclosure';
import { Findings } from './Findings';
import { Statements } from './Statements';
import { count, type Finding } from './version-words';
import styles from './versions.module.css';

interface DifferenceProps {
  difference: {
    changes: readonly { words: string }[];
    statements: readonly { fileName: string; sql: Readonly<Record<'mysql' | 'postgresql', string>> }[];
    findings: readonly Finding[];
    problems: readonly string[];
  };
  /** Shown when nothing differs. */
  nothing: string;
}

export const Difference = ({ difference, nothing }: DifferenceProps) => {
  const { changes, statements, findings, problems } = difference;
  if (changes.length === 0) return <p className={styles.hint}>{nothing}</p>;
  return (
    <>
      {problems.length > 0 && (
        <div role="alert" className={styles.problems}>
          <strong>This model cannot become a version yet</strong>
          <ul>
            {problems.map((problem) => (
              <li key={problem}>{problem}</li>
            ))}
          </ul>
        </div>
      )}
      <ul className={styles.changes} aria-label="Changes">
        {changes.map(({ words }, at) => (
          <li key={`${words} ${at}`}>{words}</li>
        ))}
      </ul>
      {problems.length === 0 && (
        <>
          <Disclosure
            title="Findings"
            digest={count(findings.length, 'finding')}
            startOpen={findings.length > 0}
          >
            <Findings findings={findings} />
          </Disclosure>
          <Disclosure title="SQL" digest={count(statements.length, 'statement')}>
            <Statements statements={statements} label="SQL" />
          </Disclosure>
        </>
      )}
    </>
  );
};
