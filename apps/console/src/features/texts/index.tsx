/** Texts and contents of a product in 14 languages, as two tabs of its page. */
import { Route, Navigate, useParams } from 'react-router';
import { AreaRoutes } from '../../ui/AreaRoutes';
import { part } from '../../ui/part';
import { TextList } from './TextList';
import { textPath, type TextsOf } from './text-words';

export const MarkdownPreview = part(
  () => import('./markdown/MarkdownPreview').then((all) => ({ default: all.MarkdownPreview })),
  'Loading the text',
);

const AddPage = part(() => import('./AddPage').then((all) => ({ default: all.AddPage })), 'Loading the form');
const ImportPage = part(
  () => import('./ImportPage').then((all) => ({ default: all.ImportPage })),
  'Loading the form',
);
const ExportPage = part(
  () => import('./ExportPage').then((all) => ({ default: all.ExportPage })),
  'Loading the form',
);
const CompletenessPage = part(
  () => import('./CompletenessPage').then((all) => ({ default: all.CompletenessPage })),
  'Loading the page',
);
const TextPage = part(
  () => import('./TextPage').then((all) => ({ default: all.TextPage })),
  'Loading the text',
);

export const Texts = (of: TextsOf) => (
  <AreaRoutes>
    <Route index element={<TextList {...of} />} />
    <Route path="add" element={<AddPage {...of} />} />
    <Route path="import" element={<ImportPage {...of} />} />
    <Route path="export" element={<ExportPage {...of} />} />
    <Route path="completeness" element={<CompletenessPage {...of} />} />
    <Route path=":id/edit" element={<ToDetail base={of.base} />} />
    <Route path=":id/detail" element={<TextPage {...of} />} />
  </AreaRoutes>
);

/** The specification's address of the page. */
const ToDetail = ({ base }: { base: string }) => (
  <Navigate to={textPath(base, useParams().id ?? '')} replace />
);
