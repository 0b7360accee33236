import { CopyText } from '../../ui/CopyText';
import { linesOf } from '../../ui/line-diff';
import classes from './scripts.module.css';

/** The text with line numbers, which match those in the shell's error messages. */
export const ScriptText = ({ body, label }: { body: string; label: string }) => (
  <div className={classes.code}>
    <div className={classes.copy}>
      <CopyText value={body}>Copy</CopyText>
    </div>
    {/* Scrolls sideways, so it must be focusable by keyboard. */}
    <div className={classes.scroller} role="group" aria-label={label} tabIndex={0}>
      <ol className={classes.lines}>
        {linesOf(body).map((line, at) => (
          // Lines have no identity other than their index.
          <li key={at}>{line}</li>
        ))}
      </ol>
    </div>
  </div>
);
