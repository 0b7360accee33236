import { CopyText } from '../../ui/CopyText';
import { linesOf } from '../../ui/line-diff';
import classes from './scripts.module.css';

/** The text with its line numbers, as error messages of the shell name them. */
export const ScriptText = ({ body, label }: { body: string; label: string }) => (
  <div className={classes.code}>
    <div className={classes.copy}>
      <CopyText value={body}>Copy</CopyText>
    </div>
    {/* It scrolls sideways, so the keyboard has to reach it. */}
    <div className={classes.scroller} role="group" aria-label={label} tabIndex={0}>
      <ol className={classes.lines}>
        {linesOf(body).map((line, at) => (
          // Lines have no identity but their place.
          <li key={at}>{line}</li>
        ))}
      </ol>
    </div>
  </div>
);
