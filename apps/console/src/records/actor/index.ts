export { Actor, useActorName } from './Actor';
export { actorName, personName } from './actor-name';
export { By } from './By';
