/** What a program of its own needs to speak with a database of a product. It loads no framework. */
export { isLost, isUndone } from './lost-connection';
export { openTarget, socketTo, type Answered, type Target, type TargetAddress } from './target';
export { areScalars, type Repeated } from './repeated-question';
