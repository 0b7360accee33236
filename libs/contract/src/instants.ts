/** Instants of the history, and what changed between them. */
import {
  instantDetail,
  instantDifference as differenceAsked,
  instantTimeline as timelineAsked,
} from '@quarterdeck/events/inputs';
import { instantDifference, instantTimeline, instantView } from '@quarterdeck/projections';
import { calls } from './call';

export const instants = calls('moment', {
  detail: {
    summary: 'An instant, with the last event before it and its neighbours',
    access: 'admin',
    input: instantDetail,
    answer: instantView,
    shows: [],
    timeless: true,
  },
  timeline: {
    summary: 'Number of events per interval of equal length',
    access: 'admin',
    costs: 'work',
    input: timelineAsked,
    answer: instantTimeline,
    shows: 'history',
    timeless: true,
  },
  difference: {
    summary: 'How one thing changed between two instants, field by field',
    access: 'admin',
    costs: 'work',
    input: differenceAsked,
    answer: instantDifference,
    shows: 'history',
    asOf: true,
  },
});
