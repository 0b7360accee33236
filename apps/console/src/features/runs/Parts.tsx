/** Links between a run and its parts (one run per server). */
import { runs } from '@quarterdeck/contract';
import type { RunView } from '@quarterdeck/projections';
import { useMemo } from 'react';
import { Link } from 'react-router';
import { useAnswer } from '../../core/calls';
import { paths } from '../../core/paths';
import { RunTable, runTitle } from '../../records/runs';
import { Note } from '../../ui/Note';
import { Section } from '../../ui/Card';

export const PartOf = ({ id }: { id: string }) => {
  const { data: run } = useAnswer(runs.detail, { id });
  return <Link to={paths.run(id)}>{run ? runTitle(run) : 'another run'}</Link>;
};

export const Parts = ({ run }: { run: RunView }) => {
  const filter = useMemo(() => ({ parent: run.id }), [run.id]);
  return (
    <Section title="Servers" mb={24}>
      <RunTable
        key={run.id}
        filter={filter}
        of="run"
        label="Runs on each server"
        urlKey="parts"
        empty={<Note>No server has started yet.</Note>}
      />
    </Section>
  );
};
