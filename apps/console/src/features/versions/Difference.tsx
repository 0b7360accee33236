/** What differs between two models: in words, what to know before it is applied, and as SQL. */
import type { Answer, versions } from '@quarterdeck/contract';
import { count } from '../../ui/count';
import { Disclosure } from '../../ui/Disclosure';
import { WordsBox } from '../../ui/WordsBox';
import { Findings } from './Findings';
import { Statements } from './Statements';
import { Note } from '../../ui/Note';
import { Bullets } from '../../ui/List';

interface DifferenceProps {
  difference: Answer<typeof versions.difference>;
  /** When nothing differs. */
  nothing: string;
}

export const Difference = ({ difference, nothing }: DifferenceProps) => {
  const { changes, statements, findings, problems } = difference;
  if (changes.length === 0) return <Note>{nothing}</Note>;
  return (
    <>
      <WordsBox role="alert" title="This model cannot become a version yet" words={problems} />
      <Bullets mb={12} mah={240} style={{ overflow: 'auto' }} tabIndex={0} aria-label="Changes">
        {changes.map(({ words }, at) => (
          <li key={`${words} ${at}`}>{words}</li>
        ))}
      </Bullets>
      {problems.length === 0 && (
        <>
          {findings.length === 0 ? (
            <Note mb={8}>No findings</Note>
          ) : (
            <Disclosure title={count(findings.length, 'finding')} startOpen>
              <Findings findings={findings} />
            </Disclosure>
          )}
          <Disclosure title="SQL" digest={count(statements.length, 'statement')}>
            <Statements statements={statements} label="SQL" />
          </Disclosure>
        </>
      )}
    </>
  );
};
