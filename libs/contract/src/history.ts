/** The history, and undo. */
import {
  historyDetail,
  historyExport,
  historyList,
  historyUndo,
  historyUndoPreview,
} from '@quarterdeck/events/inputs';
import { difference, historyView, undoPreview } from '@quarterdeck/projections';
import { z } from 'zod';
import { ids } from './answers';
import { calls } from './call';

const page = z.strictObject({
  /** Newest first. */
  events: z.array(historyView),
  /** Position at which the next, older page starts. Absent at the start of the log. */
  next: z.string().optional(),
});

const eventDetail = z.strictObject({
  event: historyView,
  changes: z.array(difference),
  /** Oldest first. For a very long chain, only its beginning and the events around the requested one. */
  chain: z.array(historyView.extend({ cause: z.string().optional() })),
  /** How many events the whole chain has. */
  chainLength: z.number(),
});

const undone = ids.extend({
  /** Parts that were not undone, with the reasons. */
  left: z.array(z.strictObject({ name: z.string(), reason: z.string() })),
});

export const history = calls('history', {
  list: {
    summary: 'All events, newest first, page by page',
    access: 'admin',
    costs: 'work',
    input: historyList,
    answer: page,
    shows: 'history',
    asOf: true,
  },
  detail: {
    summary: 'One event: what it changed, its cause and its consequences',
    access: 'admin',
    costs: 'work',
    input: historyDetail,
    answer: eventDetail,
    shows: 'history',
    asOf: true,
  },
  preview: {
    summary: 'A preview of undoing an event, or why it cannot be undone',
    access: 'admin',
    path: 'undo/preview',
    costs: 'work',
    input: historyUndoPreview,
    answer: undoPreview,
    shows: [],
  },
  undo: {
    summary: 'Undoes an event by new ones, exactly as in the preview `seen`',
    access: 'admin',
    costs: 'work',
    input: historyUndo,
    answer: undone,
  },
  export: {
    summary: 'The filtered events, newest first, as a file: CSV or lines of JSON',
    access: 'admin',
    method: 'GET',
    costs: 'file',
    input: historyExport,
    answer: z.unknown(),
    shows: [],
    produces: ['text/csv', 'application/x-ndjson'],
  },
});
