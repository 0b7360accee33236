/** Explains why a run failed and what to do next. The exit code comes last. */
import { Alert } from '@mantine/core';
import { IconAlertCircle } from '@tabler/icons-react';
import { isExitCodeOnly, type RunView } from '@quarterdeck/projections';
import { Link, useLocation } from 'react-router';
import { lineHash } from '../../records/run-output';
import { nextStepOf, stepTitle } from '../../records/runs';

interface FailedRunProps {
  run: RunView;
  /** The output line that shows what went wrong. */
  fault: { line: number; text: string } | undefined;
  /** The output is still to come. A line is kept free for the link to the fault. */
  searching: boolean;
}

/** `Prerequisites ended with exit code 69.` */
const exitCodeOf = ({ kind, steps, code }: RunView): string | undefined => {
  const step = steps.findLast(({ state }) => state === 'failed');
  return step?.exitCode === undefined || code !== 'exit'
    ? undefined
    : `${stepTitle(kind, step)} ended with exit code ${step.exitCode}.`;
};

export const FailedRun = ({ run, fault, searching }: FailedRunProps) => {
  const { search } = useLocation();
  if (run.state !== 'failed' || run.reason === undefined) return null;
  const { words, link } = nextStepOf(run);
  // The recorded reason of an older run names only the exit code; its output says more.
  const inWords = isExitCodeOnly(run.reason) ? fault?.text : run.reason;
  const exitCode = exitCodeOf(run);
  return (
    <Alert
      color="red"
      variant="light"
      icon={<IconAlertCircle size={18} aria-hidden />}
      title={inWords ?? run.reason}
      mb="md"
    >
      <div>
        {words} {link && <Link to={link.to}>{link.label}</Link>}
      </div>
      {(inWords !== undefined || searching) && exitCode !== undefined && <div>{exitCode}</div>}
      {searching && exitCode !== undefined && <div aria-hidden>&nbsp;</div>}
      {fault && (
        <Link
          to={{ search, hash: lineHash({ from: fault.line, to: fault.line }) }}
          replace
          preventScrollReset
        >
          Line {fault.line.toLocaleString('en')} of the output
        </Link>
      )}
    </Alert>
  );
};
