import { waitFor } from '@testing-library/react';

/** jsdom does not print. @returns what would be on paper; the dialog is closed again */
export const printedAfter = async (press: () => Promise<unknown>): Promise<HTMLElement> => {
  let printed: HTMLElement | null = null;
  window.print = () => (printed = document.querySelector<HTMLElement>('.qd-printed'));
  await press();
  await waitFor(() => expect(printed).not.toBeNull());
  window.dispatchEvent(new Event('afterprint'));
  return printed as unknown as HTMLElement;
};

/** One line per row, its cells divided by ` | `. */
export const printedRows = (page: HTMLElement): string[] =>
  [...page.querySelectorAll('tr')].map((row) =>
    [...row.children].map((cell) => cell.textContent).join(' | '),
  );
