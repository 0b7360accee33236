import { CopyText } from '../../ui/CopyText';
import { linesOf } from '../../ui/line-diff';
import classes from './scripts.module.css';
import { Box } from '@mantine/core';
import look from '../../ui/look.module.css';

/** The text with line numbers, which match those in the shell's error messages. */
export const ScriptText = ({ body, label }: { body: string; label: string }) => (
  <Box className={look.raised} pos="relative">
    <div className={classes.copy}>
      <CopyText value={body}>Copy</CopyText>
    </div>
    {/* Scrolls sideways, so it must be focusable by keyboard. */}
    <Box py={10} style={{ overflowX: 'auto' }} role="group" aria-label={label} tabIndex={0}>
      <ol className={classes.lines}>
        {linesOf(body).map((line, at) => (
          // Lines have no identity other than their index.
          <li key={at}>{line}</li>
        ))}
      </ol>
    </Box>
  </Box>
);
