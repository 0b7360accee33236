/** Whether a notification is shown at present. */
import { edgesOf, phaseAt, type Phase, type Window } from '@quarterdeck/events';
import { IconCalendarClock, IconCalendarOff, IconEye, type Icon } from '@tabler/icons-react';
import { useMemo } from 'react';
import { StateBadge } from '../../ui/StateBadge';
import type { Tone } from '../../ui/tone';
import { useClock } from './use-clock';

const badges: Record<Phase, { tone: Tone; icon: Icon; label: string }> = {
  upcoming: { tone: 'quiet', icon: IconCalendarClock, label: 'upcoming' },
  due: { tone: 'good', icon: IconEye, label: 'shown now' },
  over: { tone: 'quiet', icon: IconCalendarOff, label: 'over' },
};

export const PhaseBadge = ({ dateStart, dateEnd }: Window) => {
  const edges = useMemo(() => edgesOf([{ dateStart, dateEnd }]), [dateStart, dateEnd]);
  const phase = phaseAt({ dateStart, dateEnd }, useClock(edges));
  return <StateBadge state={phase} {...badges[phase]} />;
};
