/** Why a run failed, in words; then what to do next. The exit code comes last. */
import { Alert } from '@mantine/core';
import { IconAlertCircle } from '@tabler/icons-react';
import type { RunView } from '@quarterdeck/projections';
import { Link, useLocation } from 'react-router';
import { lineHash } from '../../records/run-output';
import { nextStepOf } from '../../records/runs';

interface FailedRunProps {
  run: RunView;
  /** Where its output shows what went wrong. */
  fault: { line: number; text: string } | undefined;
}

/** Only the exit code is known: the output says more. */
const saysLittle = ({ code }: RunView): boolean => code === 'exit';

const sentence = (words: string): string => (/[.!?:]$/.test(words) ? words : `${words}.`);

export const FailedRun = ({ run, fault }: FailedRunProps) => {
  const { search } = useLocation();
  if (run.state !== 'failed' || run.reason === undefined) return null;
  const { words, link } = nextStepOf(run);
  const inOutput = saysLittle(run) ? fault?.text : undefined;
  return (
    <Alert
      color="red"
      variant="light"
      icon={<IconAlertCircle size={18} aria-hidden />}
      title={inOutput ?? run.reason}
      mb="md"
    >
      <div>
        {words} {link && <Link to={link.to}>{link.label}</Link>}
      </div>
      {inOutput !== undefined && <div>{sentence(run.reason)}</div>}
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
