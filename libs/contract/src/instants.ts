/** Instants of the history, and what changed between them. */
import {
  instantDetail,
  instantDifference as differenceAsked,
  instantTimeline as timelineAsked,
} from '@quarterdeck/events/inputs';
import { instantDifference, instantTimeline, instantView } from '@quarterdeck/projections';
import { calls } from './call';
import { demo, position } from './demo';

export const instants = calls('moment', 'admin', {
  detail: {
    summary: 'An instant, with the last event before it and its neighbours',
    input: instantDetail,
    example: { at: position },
    answer: instantView,
    shows: [],
    timeless: true,
  },
  timeline: {
    summary: 'Number of events per interval of equal length',
    costs: 'work',
    input: timelineAsked,
    example: { from: '2026-11-20T00:00:00Z', to: '2026-11-21T00:00:00Z', stretches: 24 },
    answer: instantTimeline,
    shows: 'history',
    timeless: true,
  },
  difference: {
    summary: 'How one thing and its parts changed between two instants, field by field',
    costs: 'work',
    input: differenceAsked,
    example: {
      subject: { category: 'server', id: demo.server },
      from: '2026-11-20T00:00:00Z',
      to: '2026-11-21T00:00:00Z',
    },
    answer: instantDifference,
    shows: 'history',
    asOf: true,
  },
});
