/** Facts and changes that a step reported. */
import { Bullets } from '../../ui/List';
import { Facts } from '../../ui/Facts';

/** `dockerVersion` as `docker version`. */
const inWords = (name: string): string => name.replace(/([a-z0-9])([A-Z])/g, '$1 $2').toLowerCase();

/** Key of the report that lists the changes made, one per line. */
const CHANGED = 'changed';

export const StepReport = ({ report }: { report: Record<string, string> }) => {
  const { [CHANGED]: changed, ...facts } = report;
  const found = Object.entries(facts);
  return (
    <>
      {changed && (
        <Bullets mt={6} fz={12} aria-label="Changes made">
          {changed
            .split('\n')
            .filter((line) => line !== '')
            .map((line) => (
              <li key={line}>{line}</li>
            ))}
        </Bullets>
      )}
      {found.length > 0 && (
        <Facts
          mt={6}
          fz={12}
          style={{ gap: '0 8px' }}
          facts={found.map(([name, value]) => [inWords(name), value === '' ? 'none' : value] as const)}
        />
      )}
    </>
  );
};
