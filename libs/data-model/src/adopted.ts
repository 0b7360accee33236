/** The model that edits lead to. Pure. */
import type { Adoption } from './adoption';
import type { Attribute, Entity, Model } from './model';

export function adoptedInto({ entities, optionSets }: Model, edits: readonly Adoption[]): Model {
  const all = new Map(entities.map((entity) => [entity.id, entity]));
  const attributes = new Map<string, Map<string, Attribute>>();
  const entityOf = new Map<string, string>();
  const put = (entity: string, attribute: Attribute): void => {
    attributes.get(entity)?.set(attribute.id, attribute);
    entityOf.set(attribute.id, entity);
  };
  const begin = (entity: Entity): void => {
    all.set(entity.id, entity);
    attributes.set(entity.id, new Map());
    for (const attribute of entity.attributes) put(entity.id, attribute);
  };
  for (const entity of entities) begin(entity);
  for (const edit of edits)
    switch (edit.do) {
      case 'addEntity':
        begin(edit.entity);
        break;
      case 'editEntity': {
        const was = all.get(edit.entity.id);
        if (was) all.set(was.id, { ...was, ...edit.entity });
        break;
      }
      case 'addAttribute':
        put(edit.entity, edit.attribute);
        break;
      case 'editAttribute': {
        const { renamed, ...fields } = edit.attribute;
        const entity = entityOf.get(fields.id) ?? '';
        const was = attributes.get(entity)?.get(fields.id);
        if (!was) break;
        const { foreignEntity: _to, optionSet: _from, ...plain } = was;
        const base = fields.type === undefined ? was : plain;
        put(entity, { ...base, ...fields, name: renamed ?? fields.name });
        break;
      }
      case 'removeAttribute':
        attributes.get(entityOf.get(edit.id) ?? '')?.delete(edit.id);
        break;
      case 'removeEntity':
        all.delete(edit.id);
        break;
      default:
    }
  return {
    optionSets,
    entities: [...all.values()].map((entity) => ({
      ...entity,
      attributes: [...(attributes.get(entity.id)?.values() ?? [])],
    })),
  };
}
