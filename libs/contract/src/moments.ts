/** Instants of the history, and what changed between them. */
import {
  momentDetail,
  momentDifference as differenceAsked,
  momentTimeline as timelineAsked,
} from '@quarterdeck/events/inputs';
import { momentDifference, momentTimeline, momentView } from '@quarterdeck/projections';
import { calls } from './call';

export const moments = calls('moment', {
  detail: {
    summary: 'An instant, with the last event before it and its neighbours',
    access: 'admin',
    input: momentDetail,
    answer: momentView,
    shows: [],
    timeless: true,
  },
  timeline: {
    summary: 'Number of events per interval of equal length',
    access: 'admin',
    input: timelineAsked,
    answer: momentTimeline,
    shows: 'history',
    timeless: true,
  },
  difference: {
    summary: 'How one thing changed between two instants, field by field',
    access: 'admin',
    input: differenceAsked,
    answer: momentDifference,
    shows: 'history',
    asOf: true,
  },
});
