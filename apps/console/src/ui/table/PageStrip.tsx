import { Group, Pagination } from '@mantine/core';

interface PageStripProps {
  page: number;
  pageSize: number;
  found: number;
  /** `undefined` if unknown. */
  all: number | undefined;
  /** More rows than `found` exist. */
  more?: boolean;
  onPage: (page: number) => void;
}

const count = new Intl.NumberFormat('en');

export function PageStrip({ page, pageSize, found, all, more = false, onPage }: PageStripProps) {
  const pages = Math.ceil(found / pageSize);
  const first = (page - 1) * pageSize + 1;
  const last = Math.min(page * pageSize, found);
  // The page's title already shows the total.
  const some = found > 0 && pages <= 1;
  const words = [
    pages > 1 && `${count.format(first)}–${count.format(last)} of ${count.format(found)}${more ? '+' : ''}`,
    some && (all === undefined || found < all) && `${count.format(found)} found`,
    all !== undefined && found < all && `${count.format(all - found)} filtered out`,
  ].filter((part) => part !== false);
  return (
    <Group justify="space-between" gap={8} mih={28} mt={8} c="dimmed" fz={12}>
      <span role="status">{words.join(', ')}</span>
      {pages > 1 && (
        <Pagination
          aria-label="Pages"
          total={pages}
          value={page}
          onChange={onPage}
          size="sm"
          siblings={1}
          boundaries={1}
          getControlProps={(control) => ({
            'aria-label': `${control === 'next' ? 'Next' : 'Previous'} page`,
          })}
          getItemProps={(item) => ({ 'aria-label': `Page ${item}` })}
        />
      )}
    </Group>
  );
}
