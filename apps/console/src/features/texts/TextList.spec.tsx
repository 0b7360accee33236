// covers: I18N-01, CMS-01
import { screen } from '@testing-library/react';
import { pagesOf } from '../../testing/pages';
import { openTexts, textColumns } from '../../testing/texts';

test('says what will appear, and offers the first step', async () => {
  openTexts({ 'POST /api/i18n/page': pagesOf(textColumns, []) }, { isCms: true });
  expect(await screen.findByText('No contents yet')).toBeVisible();
  expect(screen.getAllByRole('link', { name: 'Add content' })[0]).toHaveAttribute('href', '/add');
});
