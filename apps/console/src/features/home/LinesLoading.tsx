import { Skeleton } from '@mantine/core';
import { AfterAWhile } from '../../ui/Loading';
import classes from './home.module.css';

/** As high as the lines that will be there, so that nothing moves when they come. */
export const LinesLoading = ({ lines }: { lines: number }) => (
  <div role="status" aria-label="Loading" data-skeleton className={classes.list}>
    {Array.from({ length: lines }, (_, line) => (
      <div key={line} className={classes.pending}>
        <AfterAWhile>
          <Skeleton height={12} width={`${70 - ((line * 17) % 40)}%`} />
        </AfterAWhile>
      </div>
    ))}
  </div>
);
