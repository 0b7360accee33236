/** The calls that put something back. The preview is what was looked at: it stays as it is until somebody asks again. */
import type { HistoryView, UndoPreview } from '@quarterdeck/projections';
import { api } from '../../app/api';
import { tagsOfEvent } from '../../app/live-cache';

export interface UndoGiven {
  privateKey?: string | undefined;
  passphrase?: string | undefined;
  secret?: string | undefined;
}

interface Undo extends UndoGiven {
  event: HistoryView;
  /** Of the preview. */
  seen: string;
}

/** What stayed as it is all the same, and why. */
export interface Left {
  name: string;
  reason: string;
}

const undoApi = api.injectEndpoints({
  endpoints: (build) => ({
    undoPreview: build.query<UndoPreview, string>({
      query: (position) => ({ url: '/history/undo/preview', body: { position } }),
      keepUnusedDataFor: 0,
    }),
    undo: build.mutation<{ id: string; left: Left[] }, Undo>({
      query: ({ event: { position }, ...given }) => ({ url: '/history/undo', body: { position, ...given } }),
      invalidatesTags: (_result, _error, { event }) => tagsOfEvent(event),
    }),
  }),
});

export const { useUndoPreviewQuery, useUndoMutation } = undoApi;
