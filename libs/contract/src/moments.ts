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
    summary: 'An instant: what had happened last, and what comes before and after',
    access: 'admin',
    input: momentDetail,
    answer: momentView,
    shows: [],
    timeless: true,
  },
  timeline: {
    summary: 'How much happened when, in stretches of equal length',
    access: 'admin',
    input: timelineAsked,
    answer: momentTimeline,
    shows: 'history',
    timeless: true,
  },
  difference: {
    summary: 'What became of one thing between two instants, field by field',
    access: 'admin',
    input: differenceAsked,
    answer: momentDifference,
    shows: 'history',
    asOf: true,
  },
});
