/**
 * The calls for previewing and undoing. A preview is never refreshed automatically, because it must not change while
 * the operator reviews it.
 */
import { history, type Answer, type Sent } from '@quarterdeck/contract';
import type { HistoryView, UndoPreview } from '@quarterdeck/projections';
import { api } from '../../core/api';
import { requestOf } from '../../core/calls';
import { tagsOfEvent } from '../../core/live-cache';

type Undone = Answer<typeof history.undo>;

export type UndoGiven = Omit<Sent<typeof history.undo>, 'position' | 'seen'>;

interface Undo extends UndoGiven {
  event: HistoryView;
  /** Hash of the preview that was shown, so that exactly this is undone. */
  seen: string;
}

/** Something that the undo did not change, and the reason. */
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
