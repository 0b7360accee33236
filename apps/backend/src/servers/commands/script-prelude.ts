import prelude_ from '../shell/prelude.sh';

export const prelude = prelude_.text;
