/** The calls that put something back. The preview is what was looked at: it stays as it is until somebody asks again. */
import { history, type Answer, type Sent } from '@quarterdeck/contract';
import type { HistoryView, UndoPreview } from '@quarterdeck/projections';
import { api } from '../../core/api';
import { requestOf } from '../../core/calls';
import { tagsOfEvent } from '../../core/live-cache';

type Undone = Answer<typeof history.undo>;

export type UndoGiven = Omit<Sent<typeof history.undo>, 'position' | 'seen'>;

interface Undo extends UndoGiven {
  event: HistoryView;
  /** Of the preview. */
  seen: string;
}

/** What stayed as it is all the same, and why. */
export type Left = Undone['left'][number];

const undoApi = api.injectEndpoints({
  endpoints: (build) => ({
    undoPreview: build.query<UndoPreview, string>({
      query: (position) => requestOf(history.preview, { position }),
      keepUnusedDataFor: 0,
    }),
    undo: build.mutation<Undone, Undo>({
      query: ({ event: { position }, ...given }) => requestOf(history.undo, { position, ...given }),
      invalidatesTags: (_result, _error, { event }) => tagsOfEvent(event),
    }),
  }),
});

export const { useUndoPreviewQuery, useUndoMutation } = undoApi;
