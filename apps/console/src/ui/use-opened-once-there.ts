import { useEffect, useState } from 'react';

/** A dialog that is loaded with its first use: only one that is there closed notes where the focus goes back to. */
export const useOpenedOnceThere = (opened: boolean): boolean => {
  const [there, setThere] = useState(false);
  useEffect(() => setThere(true), []);
  return opened && there;
};
