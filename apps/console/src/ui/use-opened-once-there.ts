import { useEffect, useState } from 'react';

/** For a dialog loaded on first use: mounts it closed, since only then it remembers where to restore the focus. */
export const useOpenedOnceThere = (opened: boolean): boolean => {
  const [there, setThere] = useState(false);
  useEffect(() => setThere(true), []);
  return opened && there;
};
