/** What is wrong with the values that a block writes. */
import type { ApiAttribute, ApiEntity } from './api-model';
import type { CrudBlock } from './blocks';
import { writeProblem } from './checks';
import { meant } from './nearest';
import { valueProblems, type Path, type Surroundings } from './surroundings';
import { isFrom, isNow, type Value } from './values';

export function dataProblems(
  around: Surroundings,
  entity: ApiEntity,
  block: Extract<CrudBlock, { data: unknown }>,
  path: Path,
): void {
  const here = [...path, 'data'];
  const { report, model } = around;
  const within: Surroundings =
    block.type === 'insertMultiple' ? { ...around, sources: [...around.sources, 'item'] } : around;
  for (const [name, value] of Object.entries(block.data)) {
    const attribute = entity.attributes.get(name);
    if (!attribute) {
      const names = [...entity.attributes.keys()];
      report([...here, name], `Could not find field ${name} in ${entity.name}${meant(name, names)}`);
      continue;
    }
    if (!attribute.writable) report([...here, name], `${name} cannot be written`);
    if (attribute === entity.tenant)
      report([...here, name], `${name} is the tenant of the caller and is set by itself: leave it out`);
    if (block.type === 'update' && entity.key.includes(attribute))
      report([...here, name], `${name} is the key of the row and cannot be changed`);
    if (isFrom(value) && value.optional)
      report([...here, name], 'a written value cannot be optional: give a `default`, or leave it out');
    literalProblem(within, attribute, value, [...here, name]);
    valueProblems(within, value, [...here, name]);
  }
  if (block.type === 'update') {
    if (Object.keys(block.data).length === 0) report(here, 'name at least one attribute to update');
    return;
  }
  if (entity.tenant && entity.key.includes(entity.tenant))
    report([...path, 'entity'], `${entity.name} is the list of tenants itself: an endpoint cannot add to it`);
  for (const { name, optional, hasDefault } of entity.attributes.values())
    if (!optional && !hasDefault && !Object.hasOwn(block.data, name) && entity.tenant?.name !== name)
      report(here, `${name} is required, and has no value here`);
  if (
    Object.keys(block.data).length === 0 &&
    block.type === 'insertMultiple' &&
    model.dialect === 'postgresql'
  )
    report(here, 'name at least one attribute');
}

const CLOCK: Readonly<Record<string, string>> = {
  date: 'LocalDate',
  dateTime: 'LocalDateTime',
  time: 'LocalTime',
};

function literalProblem(around: Surroundings, attribute: ApiAttribute, value: Value, path: Path): void {
  if (isNow(value)) {
    if (CLOCK[value.$now] !== attribute.type)
      around.report(
        path,
        `$now: ${value.$now} is a ${CLOCK[value.$now]}, and ${attribute.name} is a ${attribute.type}`,
      );
    return;
  }
  const literal = isFrom(value) ? value.default : value;
  const wrong = literal === undefined ? undefined : writeProblem(attribute, literal);
  if (wrong !== undefined) around.report(path, `${attribute.name}: ${wrong}`);
}
