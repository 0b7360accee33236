/** Texts and contents of a product in 14 languages, as two tabs of its page. */
import { Route, Navigate, useParams } from 'react-router';
import { AreaRoutes } from '../../ui/AreaRoutes';
import { AddPage } from './AddPage';
import { CompletenessPage } from './CompletenessPage';
import { ExportPage } from './ExportPage';
import { ImportPage } from './ImportPage';
import { TextList } from './TextList';
import { TextPage } from './TextPage';
import { textPath, type TextsOf } from './text-words';

export { MarkdownPreview } from './markdown/MarkdownPreview';

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
