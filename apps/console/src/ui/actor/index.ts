export { Actor, useActorName } from './Actor';
export { actorName } from './actor-name';
export { usePeopleQuery } from './people.endpoints';
export { By } from './By';
