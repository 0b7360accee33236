/** Creations that are not finished, for any operator to go on with. */
import { Group } from '@mantine/core';
import { creations } from '@quarterdeck/contract';
import { sectionLabel } from '@quarterdeck/events';
import { Link } from 'react-router';
import { useAnswer } from '../../core/calls';
import { paths } from '../../core/paths';
import { By } from '../../records/actor';
import { Section } from '../../ui/Card';
import { Line, Lines } from '../../ui/List';
import { SectionState } from './SectionCard';

/** Nothing, if there are none. */
export const Unfinished = () => {
  const { data = [] } = useAnswer(creations.list, { open: true });
  if (data.length === 0) return null;
  return (
    <Section title="Unfinished creations">
      <Lines>
        {data.map(({ id, kind, name, sections, startedBy, startedAt }) => {
          const next = sections.find(({ state }) => state !== 'done');
          return (
            <Line key={id}>
              <Group gap={8}>
                <Link to={kind === 'product' ? paths.create(id) : paths.createDocker(id)}>{name}</Link>
                {next && (
                  <>
                    {sectionLabel(next.section)} <SectionState state={next.state} />
                  </>
                )}
                <span>
                  started <By id={startedBy} at={startedAt} />
                </span>
              </Group>
            </Line>
          );
        })}
      </Lines>
    </Section>
  );
};
