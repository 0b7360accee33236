/** What a reference of a definition that has no problems leads to. */
import { relationTo, type ApiAttribute, type ApiEntity, type ApiModel } from './api-model';
import type { Reference } from './filters';

export interface Target {
  readonly target: ApiEntity;
  /** The attribute of this row, and the attribute of the related rows that equals it. */
  readonly own: ApiAttribute;
  readonly its: ApiAttribute;
  readonly isMany: boolean;
}

export function targetOf(model: ApiModel, entity: ApiEntity, name: string, { from }: Reference): Target {
  if (from === undefined) {
    const own = entity.attributes.get(name);
    const target = model.entities.get(own?.to ?? '');
    const [its] = target?.key ?? [];
    if (!own || own.hidden || !target || !its) throw new Error(`${name} points to no entity`);
    return { target, own, its, isMany: false };
  }
  const found = relationTo(model, from, entity);
  const [own] = entity.key;
  if (!found || !own) throw new Error(`${from} does not point to ${entity.name}`);
  return { target: found.child, own, its: found.attribute, isMany: true };
}
