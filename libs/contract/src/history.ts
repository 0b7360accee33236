/** The history, and undo. */
import {
  historyDetail,
  historyExport,
  historyFind,
  historyList,
  historyUndo,
  historyUndoPreview,
} from '@quarterdeck/events/inputs';
import { difference, historyView, undoPreview } from '@quarterdeck/projections';
import { z } from 'zod';
import { ids } from './answers';
import { calls } from './call';
import { demo, position, privateKey, seen } from './demo';

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

export const history = calls('history', 'admin', {
  list: {
    summary: 'All events, newest first, page by page',
    costs: 'work',
    input: historyList,
    example: {
      text: 'web',
      actor: demo.person,
      types: ['ServerRenamed'],
      subject: { category: 'server', id: demo.server },
      from: '2026-11-20T00:00:00Z',
      before: position,
    },
    answer: page,
    shows: 'history',
    asOf: true,
  },
  find: {
    summary:
      'At most 50 records of any kind whose name contains a word of at least three letters of this text',
    costs: 'work',
    input: historyFind,
    example: { text: 'web' },
    answer: z.array(historyView.shape.subject),
    shows: 'history',
  },
  detail: {
    summary: 'One event: what it changed, its cause and its consequences',
    costs: 'work',
    input: historyDetail,
    example: { position },
    answer: eventDetail,
    shows: 'history',
    asOf: true,
  },
  preview: {
    summary: 'A preview of undoing an event, or why it cannot be undone',
    path: 'undo/preview',
    costs: 'work',
    input: historyUndoPreview,
    example: { position },
    answer: undoPreview,
    shows: [],
  },
  undo: {
    summary: 'Undoes an event by new ones, exactly as in the preview `seen`',
    costs: 'work',
    input: historyUndo,
    example: { position, seen, privateKey, passphrase: '', secret: '' },
    answer: undone,
  },
  export: {
    summary: 'The filtered events, newest first, as a file: CSV or lines of JSON',
    method: 'GET',
    costs: 'file',
    input: historyExport,
    example: { format: 'jsonl', actor: demo.person, category: 'server', id: demo.server },
    answer: z.unknown(),
    shows: [],
    produces: ['text/csv', 'application/x-ndjson'],
  },
});
