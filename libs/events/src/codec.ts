import { codecOf } from '@quarterdeck/log';
import { catalogue } from './catalogue';

export const codec = codecOf(catalogue);
